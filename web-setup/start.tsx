import '../src/console/fills.ts'
import type { ReactNode } from 'react'
import { begin, draw } from '../src/console/shell/root.tsx'
import { startTheme } from '../src/console/shell/theme.ts'
import { tellTrouble } from '../src/console/shell/trouble.tsx'
import { firstLanguage, LanguageProvider } from '../src/console/words/language.tsx'
import { chosenLocale, spokenLocale } from '../src/console/words/locale.ts'
import { isLocale, type Locale } from '../src/shared/locale.ts'
import { asked, keepInAddress } from './address.ts'
import { announce } from './parts/announce.ts'
import type { LoadWords } from './words/index.ts'

/** The language of the address; undefined: nobody has chosen one there. */
export const askedLocale = (): Locale | undefined => {
  const locale = asked('lang')
  return isLocale(locale) ? locale : undefined
}

const firstLocale = (): Locale => askedLocale() ?? chosenLocale() ?? spokenLocale(navigator.languages) ?? 'en'

const keep = (locale: Locale): void => keepInAddress('lang', locale)

/** Starts a page beside the console, in the language of its address, or one that the browser speaks. */
export const start = (load: LoadWords, page: ReactNode): void =>
  begin(async () => {
    // What nobody has foreseen: the page would wait for ever, or a button do nothing.
    window.addEventListener('unhandledrejection', tellTrouble)
    startTheme()
    // What is said is heard where it was silent before.
    announce('')
    const first = await firstLanguage(firstLocale(), load)
    draw(
      <LanguageProvider first={first} load={load} keep={keep}>
        {page}
      </LanguageProvider>,
    )
  })
