/** The languages that the program speaks, in the order in which people are offered them. */
export const LOCALES = ['ar', 'he', 'en'] as const
export type Locale = (typeof LOCALES)[number]

/** Spoken where nothing says which. */
export const FALLBACK_LOCALE: Locale = 'en'

export const isLocale = (text: string | null | undefined): text is Locale => LOCALES.includes(text as Locale)

export type Direction = 'ltr' | 'rtl'

const DIRECTIONS: Readonly<Record<Locale, Direction>> = { ar: 'rtl', he: 'rtl', en: 'ltr' }

/** The direction in which a language is written. */
export const directionOf = (locale: Locale): Direction => DIRECTIONS[locale]

/** Western digits in every language; Arabic has the names of the months that schools of the region use: آذار for March. */
const TAGS: Readonly<Record<Locale, string>> = { ar: 'ar-PS-u-nu-latn', he: 'he-IL', en: 'en-GB' }

/** Between the items of a list, and between what something is called and what it is of. */
export const COMMAS: Readonly<Record<Locale, string>> = { en: ', ', he: ', ', ar: '، ' }

/** How formats of dates and numbers know the language. */
export const tagOf = (locale: Locale): string => TAGS[locale]
