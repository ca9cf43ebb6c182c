import { isLocale, type Locale } from '../../shared/locale.ts'

/** What each language calls itself. */
export const OWN_NAMES: Readonly<Record<Locale, string>> = { ar: 'العربية', he: 'עברית', en: 'English' }

const KEY = 'institute.locale'

/** The language that was chosen in this browser; undefined: none was. */
export const chosenLocale = (): Locale | undefined => {
  const chosen = localStorage.getItem(KEY)
  return isLocale(chosen) ? chosen : undefined
}

export const keepLocale = (locale: Locale): void => localStorage.setItem(KEY, locale)
