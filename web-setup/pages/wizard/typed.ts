import type { Schemas } from '../../../src/console/api/schemas.ts'
import type { Mailbox } from '../../../src/console/parts/mailbox.ts'
import type { Locale } from '../../../src/shared/locale.ts'
import type { Strength } from '../../rules/password.ts'
import type { PageWords } from '../../words/index.ts'
import { faultOfAddress } from '../../rules/address.ts'
import { isEmail, isName, isSlug } from '../../rules/names.ts'

export const STEPS = ['language', 'institute', 'owner', 'address', 'mail', 'review'] as const
export type StepName = (typeof STEPS)[number]

export type Currency = Schemas['Currency']

/** What is typed of an institute and its owner, under the names that the API has. */
export interface Typed {
  setupToken: string
  name: string
  slug: string
  /** null: as the page speaks. */
  defaultLocale: Locale | null
  timezone: string
  /** null: that of the zone. */
  currency: Currency | null
  firstName: string
  lastName: string
  email: string
  password: string
  baseUrl: string
}

export const STEP_OF: Readonly<Record<keyof Typed, StepName>> = {
  setupToken: 'language',
  name: 'institute',
  slug: 'institute',
  defaultLocale: 'institute',
  timezone: 'institute',
  currency: 'institute',
  firstName: 'owner',
  lastName: 'owner',
  email: 'owner',
  password: 'owner',
  baseUrl: 'address',
}

/** What a fault is called. */
type Say = (words: Required<Pick<PageWords, 'wizard' | 'wizardSteps' | 'password'>>) => string

export type Faults = Partial<Record<keyof Typed, Say>>

/** @param most letters */
const faultOfName = (typed: string, most: number, missing: Say, wrong: Say): Say | undefined => {
  const name = typed.trim()
  if (name === '') return missing
  return name.length <= most && isName(name) ? undefined : wrong
}

const faultOfEmail = (typed: string): Say | undefined => {
  if (typed.trim() === '') return ({ wizardSteps }) => wizardSteps.owner.emailMissing
  return isEmail(typed.trim()) ? undefined : ({ wizardSteps }) => wizardSteps.owner.emailWrong
}

const faultOfSlug = (typed: string): Say | undefined => {
  if (typed.trim() === '') return ({ wizardSteps }) => wizardSteps.institute.slugMissing
  return isSlug(typed.trim()) ? undefined : ({ wizardSteps }) => wizardSteps.institute.slugWrong
}

const faultOfUrl = (typed: string): Say | undefined => {
  if (typed.trim() === '') return ({ wizardSteps }) => wizardSteps.address.urlMissing
  const fault = faultOfAddress(typed)
  return fault === null ? undefined : ({ wizardSteps }) => wizardSteps.address[fault]
}

const faultOfPassword = (typed: string, strength: Strength): Say | undefined => {
  if (typed === '') return ({ password }) => password.missing
  if (strength === 'short') return ({ password }) => password.wrong
  if (strength === 'common' || strength === 'repetitive' || strength === 'related') {
    return ({ password }) => password[strength]
  }
  return undefined
}

/**
 * What is wrong with a step. Nothing is sent until the last of them: what the server would refuse is said where it is
 * typed.
 * @param strength of the password
 */
export const faultsOf = (step: StepName, typed: Typed, strength: Strength): Faults => {
  const all: Faults = {
    ...(typed.setupToken.trim() === '' && { setupToken: ({ wizard }) => wizard.token.missing }),
    ...(typed.timezone === '' && { timezone: ({ wizardSteps }) => wizardSteps.institute.timezoneWrong }),
  }
  const found: { [Name in keyof Typed]?: Say | undefined } = {
    ...all,
    name: faultOfName(
      typed.name,
      200,
      ({ wizardSteps }) => wizardSteps.institute.nameMissing,
      ({ wizardSteps }) => wizardSteps.institute.nameWrong,
    ),
    slug: faultOfSlug(typed.slug),
    firstName: faultOfName(
      typed.firstName,
      100,
      ({ wizardSteps }) => wizardSteps.owner.firstNameMissing,
      ({ wizardSteps }) => wizardSteps.owner.nameWrong,
    ),
    lastName: faultOfName(
      typed.lastName,
      100,
      ({ wizardSteps }) => wizardSteps.owner.lastNameMissing,
      ({ wizardSteps }) => wizardSteps.owner.nameWrong,
    ),
    email: faultOfEmail(typed.email),
    password: faultOfPassword(typed.password, strength),
    baseUrl: faultOfUrl(typed.baseUrl),
  }
  return Object.fromEntries(
    Object.entries(found).filter(([name, say]) => say !== undefined && STEP_OF[name as keyof Typed] === step),
  )
}

/** How mails go out now, and the providers that are known. */
export interface MailState {
  canChange: boolean
  /** Host and port. */
  server: string | null
  sender: string | null
  providers: Schemas['MailSettings']['providers']
}

/** What became of a test mail, and to whom it went. */
export type Trial = Pick<Schemas['MailTrialResult'], 'fault' | 'answer' | 'passwordUnused'> & { to: string }

/** The button that sends a test mail. */
export const TEST = 'test'

/**
 * What was typed, in the session storage of the tab, so that it survives a reload. It holds no password. It does hold the
 * setup token, which the wizard has taken out of the address. After success only `done` remains.
 */
export interface Draft {
  typed?: Partial<Typed>
  mailbox?: Partial<Mailbox>
  done?: { baseUrl: string }
  /** The owner has just signed out. */
  isSignedOut?: boolean
}

const NAME = 'institute-setup'

export const readDraft = (): Draft => {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? '{}') as Draft
  } catch {
    return {}
  }
}

export const writeDraft = (draft: Draft): void => {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(draft))
  } catch {
    // The browser has no storage: the page still holds everything until a reload.
  }
}
