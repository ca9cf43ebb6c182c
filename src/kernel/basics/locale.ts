/** The languages that the program speaks. */
export const LOCALES = ['ar', 'en', 'he'] as const
export type Locale = (typeof LOCALES)[number]
