import type { Schemas } from '../api/schemas.ts'
import type { Words } from '../words/words.ts'
import { numberOf } from './form.tsx'

/** What is typed of the mailbox that mails go out by: in the settings, and in the wizard of a new server. */

type NewServer = Schemas['NewMailServer']
export type Encryption = NewServer['encryption']
export type UsualProvider = Schemas['MailSettings']['providers'][number]

export interface Mailbox {
  /** null: none is chosen yet, or for now. */
  provider: UsualProvider['id'] | 'own' | null
  host: string
  port: string
  encryption: Encryption
  user: string
  password: string
  sender: string
}

export const PORTS: Readonly<Record<Encryption, string>> = { starttls: '587', tls: '465' }

export const NO_MAILBOX: Mailbox = {
  provider: null,
  host: '',
  port: PORTS.starttls,
  encryption: 'starttls',
  user: '',
  password: '',
  sender: '',
}

/** What is typed, as the server takes it: without a new password the kept one stays. */
export const serverOf = (typed: Mailbox, providers: readonly UsualProvider[]): NewServer => {
  const usual = providers.find(({ id }) => id === typed.provider)
  const user = typed.user.trim()
  return {
    ...(usual
      ? { host: usual.host, port: usual.port, encryption: usual.encryption }
      : {
          host: typed.host.trim(),
          port: numberOf(typed.port) ?? 0,
          encryption: typed.encryption,
        }),
    user,
    // The usual providers send in the name of whoever signs in.
    sender: usual ? user : typed.sender.trim(),
    ...(typed.password !== '' && { password: typed.password }),
  }
}

/** What became of a test mail, with the mail server's own words for whoever knows them. */
export const toldOfTrial = (
  words: Words['mail'],
  email: string,
  { fault, passwordUnused }: Pick<Schemas['MailTrialResult'], 'fault' | 'passwordUnused'>,
): string =>
  [fault === null ? words.sent(email) : words.faults[fault], passwordUnused ? words.passwordUnused : '']
    .filter(Boolean)
    .join(' ')
