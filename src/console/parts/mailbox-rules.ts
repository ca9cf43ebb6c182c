import { BOUNDS, type Bound } from '../api/bounds.ts'
import type { Words } from '../words/words.ts'
import type { Mailbox } from './mailbox.ts'

/** What of a form follows from these fields. */
export const mailboxRules = (
  words: Words['mail'],
): {
  bounds: (typed: Mailbox) => { readonly [Name in keyof Mailbox]?: Bound }
  missing: { readonly [Name in keyof Mailbox]?: string }
  wrong: { readonly [Name in keyof Mailbox]?: string }
  refused: { readonly [Name in keyof Mailbox]?: string }
} => ({
  bounds: ({ provider }) => {
    if (provider === null) return {}
    // The usual providers send in the name of whoever signs in.
    return provider === 'own' ? BOUNDS.NewMailServer : { user: BOUNDS.NewMailServer.sender }
  },
  missing: { host: words.hostMissing, port: words.portWrong, sender: words.addressWrong, user: words.addressWrong },
  wrong: { port: words.portWrong, sender: words.addressWrong, user: words.addressWrong },
  refused: { password: words.passwordMissing, sender: words.addressWrong },
})
