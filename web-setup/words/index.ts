import type { Locale } from '../../src/shared/locale.ts'
import type { FirstWords, Words } from '../../src/console/words/words.ts'
import type { authorize } from './en/authorize.ts'
import type { license } from './en/license.ts'
import type { links } from './en/links.ts'
import type { password } from './en/password.ts'
import type { wizard } from './en/wizard.ts'
import type { wizardMove } from './en/wizard-move.ts'
import type { wizardSteps } from './en/wizard-steps.ts'

/** The words of these pages, beside those of the console. */
interface Own {
  authorize: typeof authorize
  license: typeof license
  links: typeof links
  password: typeof password
  wizard: typeof wizard
  wizardMove: typeof wizardMove
  wizardSteps: typeof wizardSteps
}

/** What one of the pages says: not all of them say everything. */
export type PageWords = FirstWords & Partial<Words> & Partial<Own>

/** Loads what a page says, in one language: a browser never loads the others. */
export type LoadWords = (locale: Locale) => Promise<PageWords>

const LINKS: Readonly<Record<Locale, () => Promise<PageWords>>> = {
  en: async () => (await import('./en/links.ts')).words,
  ar: async () => (await import('./ar/links.ts')).words,
  he: async () => (await import('./he/links.ts')).words,
}

export const loadLinkWords: LoadWords = (locale) => LINKS[locale]()

const LICENSE: Readonly<Record<Locale, () => Promise<PageWords>>> = {
  en: async () => (await import('./en/license.ts')).words,
  ar: async () => (await import('./ar/license.ts')).words,
  he: async () => (await import('./he/license.ts')).words,
}

export const loadLicenseWords: LoadWords = (locale) => LICENSE[locale]()

const AUTHORIZE: Readonly<Record<Locale, () => Promise<PageWords>>> = {
  en: async () => (await import('./en/authorize.ts')).words,
  ar: async () => (await import('./ar/authorize.ts')).words,
  he: async () => (await import('./he/authorize.ts')).words,
}

export const loadAuthorizeWords: LoadWords = (locale) => AUTHORIZE[locale]()

const WIZARD: Readonly<Record<Locale, () => Promise<PageWords>>> = {
  en: async () => (await import('./en/wizard.ts')).words,
  ar: async () => (await import('./ar/wizard.ts')).words,
  he: async () => (await import('./he/wizard.ts')).words,
}

const WIZARD_STEPS: Readonly<Record<Locale, () => Promise<PageWords>>> = {
  en: async () => (await import('./en/wizard-steps.ts')).words,
  ar: async () => (await import('./ar/wizard-steps.ts')).words,
  he: async () => (await import('./he/wizard-steps.ts')).words,
}

let isWizardBegun = false

/** The first page of the wizard is there before the words of all others. */
export const loadWizardWords: LoadWords = (locale) => (isWizardBegun ? WIZARD_STEPS : WIZARD)[locale]()

/** From now on the wizard speaks of all its steps. */
export const completeWizardWords = (): void => {
  isWizardBegun = true
}

/** The words of a page that has them. */
export const ownOf = <Name extends keyof Own>(words: PageWords, name: Name): Own[Name] => {
  const own = words[name] as Own[Name] | undefined
  if (own === undefined) throw new Error(`The page does not have the words ${name}`)
  return own
}
