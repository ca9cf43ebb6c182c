import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Format } from './format.ts'
import { loadFirstWords, loadWords } from './index.ts'
import { directionOf, FALLBACK_LOCALE, type Locale } from '../../shared/locale.ts'
import { chosenLocale, keepLocale, spokenLocale } from './locale.ts'
import type { FirstWords, Words } from './words.ts'
import { instituteOfPage } from './institute-of-page.ts'

/** The first words, and all others once they are there. */
export type KnownWords = FirstWords & Partial<Words>

interface Spoken {
  locale: Locale
  words: KnownWords
}

interface Language extends Spoken {
  /** Goes on in a language that was chosen, which is kept. */
  change: (locale: Locale) => void
  /** Goes on in a language that nobody chose. */
  speak: (locale: Locale) => void
  /** Loads the words of all pages. */
  complete: () => Promise<void>
}

const LanguageContext = createContext<Language | undefined>(undefined)

/** Those in which the library of the parts has words of its own. */
const TAGS: Readonly<Record<Locale, string>> = { en: 'en-GB', he: 'he-IL', ar: 'ar-AE-u-nu-latn' }

/** The language of a new visitor: the browser's, where the console speaks it, else the institute's. */
const firstLocale = (): Locale =>
  chosenLocale() ?? spokenLocale(navigator.languages) ?? instituteOfPage?.locale ?? FALLBACK_LOCALE

const apply = (locale: Locale): void => {
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
}

const isComplete = (words: KnownWords): words is Words => words.refusals !== undefined

/** Loads the first words of the language with which the page begins. */
export const firstLanguage = async (
  locale: Locale = firstLocale(),
  load: (locale: Locale) => Promise<KnownWords> = (first) => loadFirstWords[first](),
): Promise<Spoken> => {
  const words = await load(locale)
  apply(locale)
  return { locale, words }
}

interface LanguageProviderProps {
  first: Spoken
  /** Loads what the page says in another language. Default: all words of the console. */
  load?: (locale: Locale) => Promise<KnownWords>
  /** Keeps a choice. Default: in this browser. */
  keep?: (locale: Locale) => void
  children: ReactNode
}

const loadAll = (locale: Locale): Promise<KnownWords> => loadWords[locale]()

export const LanguageProvider = ({ first, load = loadAll, keep = keepLocale, children }: LanguageProviderProps) => {
  const [spoken, setSpoken] = useState(first)
  const speak = useCallback(
    (locale: Locale) => {
      const go = async () => {
        const words = await load(locale)
        apply(locale)
        setSpoken({ locale, words })
      }
      void go()
    },
    [load],
  )
  const { locale: current } = spoken
  const complete = useCallback(async () => {
    const words = await loadWords[current]()
    setSpoken((now) => (now.locale === current ? { locale: current, words } : now))
  }, [current])
  // The same as long as the page is there: effects that change the language do not run again because it changed.
  const change = useCallback(
    (locale: Locale) => {
      keep(locale)
      speak(locale)
    },
    [keep, speak],
  )
  const language = useMemo(() => ({ ...spoken, change, speak, complete }), [spoken, change, speak, complete])
  return (
    <LanguageContext value={language}>
      <I18nProvider locale={TAGS[language.locale]}>{children}</I18nProvider>
    </LanguageContext>
  )
}

/** For what stands where one signs in too. */
export const useFirstLanguage = (): Language => {
  const language = useContext(LanguageContext)
  if (!language) throw new Error('Outside of LanguageProvider')
  return language
}

export const useFirstWords = (): KnownWords => useFirstLanguage().words

/** Whether the words of all pages are there. */
export const useHasAllWords = (): boolean => isComplete(useFirstWords())

export const useLanguage = (): Language & { words: Words } => {
  const language = useFirstLanguage()
  const { words } = language
  if (!isComplete(words)) throw new Error('Only the first words are here')
  return { ...language, words }
}

export const useWords = (): Words => useLanguage().words

const ZoneContext = createContext('UTC')

/** @param zone the time zone of the institute */
export const ZoneProvider = ({ zone, children }: { zone: string; children: ReactNode }) => (
  <ZoneContext value={zone}>{children}</ZoneContext>
)

/** How dates, times, numbers and money are written. */
export const useFormat = (): Format => {
  const { locale } = useFirstLanguage()
  const zone = useContext(ZoneContext)
  return useMemo(() => new Format(locale, zone), [locale, zone])
}
