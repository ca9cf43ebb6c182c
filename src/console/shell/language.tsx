import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Format } from '../words/format.ts'
import { loadWords, type Words } from '../words/index.ts'
import { chosenLocale, directionOf, isLocale, keepLocale, type Locale } from '../words/locale.ts'
import { instituteOfPage } from './institute-of-page.ts'

interface Spoken {
  locale: Locale
  words: Words
}

interface Language extends Spoken {
  change: (locale: Locale) => void
}

const LanguageContext = createContext<Language | undefined>(undefined)

const TAGS: Readonly<Record<Locale, string>> = { en: 'en-GB', he: 'he-IL', ar: 'ar-AE-u-nu-latn' }

/** The language of a new visitor: the browser's, where the console speaks it, else the institute's. */
const firstLocale = (): Locale => {
  const spoken = navigator.languages.map((tag) => tag.split('-')[0]).find(isLocale)
  return chosenLocale() ?? spoken ?? instituteOfPage?.locale ?? 'en'
}

const apply = (locale: Locale): void => {
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
}

/** Loads the words of the language with which the page begins. */
export const firstLanguage = async (): Promise<Spoken> => {
  const locale = firstLocale()
  const words = await loadWords[locale]()
  apply(locale)
  return { locale, words }
}

/** A choice is kept in this browser. */
export const LanguageProvider = ({ first, children }: { first: Spoken; children: ReactNode }) => {
  const [spoken, setSpoken] = useState(first)
  const change = useCallback(async (locale: Locale) => {
    keepLocale(locale)
    const words = await loadWords[locale]()
    apply(locale)
    setSpoken({ locale, words })
  }, [])
  const language = useMemo(() => ({ ...spoken, change: (locale: Locale) => void change(locale) }), [spoken, change])
  return (
    <LanguageContext value={language}>
      <I18nProvider locale={TAGS[language.locale]}>{children}</I18nProvider>
    </LanguageContext>
  )
}

export const useLanguage = (): Language => {
  const language = useContext(LanguageContext)
  if (!language) throw new Error('Outside of LanguageProvider')
  return language
}

export const useWords = (): Words => useLanguage().words

const ZoneContext = createContext('UTC')

/** @param zone the time zone of the institute */
export const ZoneProvider = ({ zone, children }: { zone: string; children: ReactNode }) => (
  <ZoneContext value={zone}>{children}</ZoneContext>
)

/** How dates, times, numbers and money are written. */
export const useFormat = (): Format => {
  const { locale } = useLanguage()
  const zone = useContext(ZoneContext)
  return useMemo(() => new Format(locale, zone), [locale, zone])
}
