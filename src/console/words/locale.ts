import { isLocale, type Locale } from '../../shared/locale.ts'

/** The first language of the browser's that the pages speak; undefined: none is. */
export const spokenLocale = (tags: readonly string[]): Locale | undefined =>
  tags
    .map((tag) => tag.toLowerCase().split('-')[0])
    // The code for Hebrew was `iw` until 1989, and some systems still use it.
    .map((language) => (language === 'iw' ? 'he' : language))
    .find(isLocale)

/** What each language calls itself. */
export const OWN_NAMES: Readonly<Record<Locale, string>> = { ar: 'العربية', he: 'עברית', en: 'English' }

const KEY = 'institute.locale'

/** The language that was chosen in this browser; undefined: none was. */
export const chosenLocale = (): Locale | undefined => {
  const chosen = localStorage.getItem(KEY)
  return isLocale(chosen) ? chosen : undefined
}

export const keepLocale = (locale: Locale): void => localStorage.setItem(KEY, locale)
