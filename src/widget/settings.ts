import { FALLBACK_LOCALE, isLocale, type Locale } from '../shared/locale.ts'

/** What the website's owner wrote into the script element. */
export interface Settings {
  /** The publishable key. */
  key: string
  /** The address of the script, from which the server is known. */
  script: string
  /** The root of the API, with a slash at its end. */
  api: string
  /** The nonce of the script element, for the captcha's script; empty: none. */
  nonce: string
  locale: Locale
  theme: 'light' | 'dark' | 'auto'
  courseInterest: string | undefined
  courseId: string | undefined
  groupId: string | undefined
  captchaSiteKey: string | undefined
}

/** The language that the owner chose, or the first of the visitor's that the form has. */
const localeOf = (chosen: string | undefined): Locale =>
  [chosen, ...navigator.languages]
    // Browsers called Hebrew iw once.
    .map((language) => language?.toLowerCase().split('-')[0]?.replace('iw', 'he'))
    .find(isLocale) ?? FALLBACK_LOCALE

/** @returns undefined when the key is missing: then there is nothing to show */
export const settingsOf = ({ dataset, src, nonce }: HTMLScriptElement): Settings | undefined => {
  const given = (name: string): string | undefined => dataset[name]?.trim() || undefined
  const [key, theme] = [given('key'), given('theme')]
  if (key === undefined) {
    console.error('The registration form needs the attribute data-key with a publishable key.')
    return undefined
  }
  return {
    key,
    script: src,
    api: new URL('api/v1/', src).href,
    nonce: nonce ?? '',
    locale: localeOf(given('locale')),
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    courseInterest: given('courseInterest')?.slice(0, 200),
    courseId: given('courseId'),
    groupId: given('groupId'),
    captchaSiteKey: given('captchaSiteKey'),
  }
}
