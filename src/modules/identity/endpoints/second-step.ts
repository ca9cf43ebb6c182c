import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { AccountDisabled } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { count, orNull, secret, text } from '#kernel/values/schema.ts'
import { CommitWithError } from '#kernel/contract/unit-of-work.ts'
import { lockAccount } from '../accounts.ts'
import { SESSION } from '../credentials.ts'
import { countAddress, type Identity } from '../deps.ts'
import { mailChange } from '../notices.ts'
import { codeFails, SetItUpFirst, tryCode } from '../second-factor/factor.ts'
import { countRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { checkTicket, openTicket, TicketExpired } from '../second-factor/ticket.ts'
import { tenantToOpen } from '../selected-tenant.ts'
import { COOKIE_HEADER, logOf, prepareSession, SignedIn, signIn } from '../sign-in.ts'

const SignedInByCode = named('SignedInByCode', v.object({ ...SignedIn.entries, recoveryCodesLeft: orNull(count) }), {
  recoveryCodesLeft: 'How many recovery codes are left, where one was used; null: it was a code of the app.',
})

export const secondStepEndpoint = (identity: Identity): Endpoint => {
  const { tokens, vault, sessionLifetime, sendMail } = identity
  return openChange({
    id: 'auth.second-factor',
    method: 'POST',
    path: '/auth/login/second-factor',
    summary: 'Sign in: the second step, with a code',
    description:
      'For accounts with a second factor, to which POST /auth/login answers 401 with a ticket (details.reason second_factor_needed). A code of the app is good half a minute before and after its time, and once: of two devices that send the same one, the second is told to wait for the next. A recovery code is good once, and the account is mailed; the answer says how many are left. Five wrong codes within 15 minutes close the second step of the account for 15 minutes (423). The ticket is good for five minutes and until the password changes; a wrong code leaves it.',
    access: 'anyone',
    body: named('SecondStepOfLogin', v.object({ ticket: secret(1, 2000), code: text(50) }), {
      ticket: 'As POST /auth/login answered it.',
      code: 'Six digits of the app, or a recovery code. Spaces, dashes and capital letters do not matter.',
    }),
    reply: SignedInByCode,
    replyHeaders: COOKIE_HEADER,
    credential: SESSION,
    fails: [TicketExpired, ...codeFails, SetItUpFirst, AccountDisabled],
    prepare: async ({ body, request, everywhere, now }) => {
      await countAddress(identity, request)
      const ticket = openTicket(vault, body.ticket, now)
      const tenantId = await tenantToOpen(identity, { everywhere, request }, ticket.userId)
      const { userId, client } = ticket
      return {
        ticket,
        ready: await prepareSession(tokens, request, { userId, tenantId, client, hasSecondFactor: true }),
      }
    },
    handle: async ({ tx, body, request, prepared: { ticket, ready } }) => {
      const { userId } = ticket
      const account = await lockAccount(tx, userId)
      checkTicket(ticket, account)
      if (account.status === 'disabled') throw AccountDisabled()
      const tried = await tryCode(tx, vault, { userId, code: body.code, of: 'present' })
      if (typeof tried !== 'string') return new CommitWithError(tried)
      if (tried === 'recovery') await mailChange(tx, sendMail, { userId, change: 'recovery_code_used' })
      const reply = await signIn(tx, request, ready, sessionLifetime)
      const log = await logOf(tx, ready.session.tenantId)
      log.audit({
        entityType: 'user',
        entityId: userId,
        metadata: { sessionId: ready.session.sessionId, client: ready.session.client, with: tried },
      })
      const recoveryCodesLeft = tried === 'recovery' ? await countRecoveryCodes(tx.db, userId) : null
      return { ...reply, recoveryCodesLeft }
    },
  })
}
