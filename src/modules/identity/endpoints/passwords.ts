import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { checkNewPassword, NEW_PASSWORD } from '#kernel/who/new-password.ts'
import { Ok, ok, secret } from '#kernel/values/schema.ts'
import { orTooBusy } from '#ports/passwords/port.ts'
import { lockAccount, setPassword } from '../accounts.ts'
import { confirmingFails, confirmPassword } from '../confirm-password.ts'
import { countAddress, type Identity } from '../deps.ts'
import { checkToken, consumeToken, TokenInvalid } from '../email-tokens.ts'
import { ownWordsOf } from '../own-words.ts'
import { knownUser } from '../queue-place.ts'
import { forgetFailures, signInDoor } from '../lockout.ts'
import { InvalidCredentials } from '../password-check.ts'
import { revokeSessions } from '../sessions.ts'
import { logOf, sessionOf } from '../sign-in.ts'
import { askForLink } from './ask-for-link.ts'

const newPassword = secret(10)

export const passwordEndpoints = (identity: Identity): readonly Endpoint[] => {
  const { passwords } = identity
  const confirm = confirmPassword(passwords)
  return [
    openChange({
      id: 'auth.change-password',
      method: 'POST',
      path: '/auth/change-password',
      summary: 'Change the own password',
      description:
        'Ends all other sessions, with the assistants that act for the user, and the addresses of their calendars. Five wrong current passwords within 15 minutes close this to the session that sent them for 15 minutes (423); signing in is not affected. Not for a platform admin who works in the user’s name.',
      access: 'user',
      body: named('PasswordChange', v.object({ currentPassword: secret(1), newPassword }), {
        currentPassword: 'The password until now.',
        newPassword: NEW_PASSWORD,
      }),
      reply: Ok,
      fails: confirmingFails,
      prepare: async ({ caller, body, db, everywhere, begin }) => {
        const { userId } = sessionOf(caller)
        const checked = await confirm({ caller, db, begin }, body.currentPassword)
        await checkNewPassword(body.newPassword, await ownWordsOf(everywhere, userId), ['newPassword'])
        return { checked, hash: await passwords.hash(body.newPassword, knownUser(userId)).catch(orTooBusy) }
      },
      handle: async ({ tx, caller, prepared: { checked, hash } }) => {
        const { userId, sessionId, tenantId } = sessionOf(caller)
        const present = await lockAccount(tx, userId)
        if (present.password_hash !== checked) throw InvalidCredentials()
        await setPassword(tx, userId, { password_hash: hash })
        const ended = await revokeSessions(tx, userId, { except: sessionId })
        const log = await logOf(tx, tenantId)
        log.audit({ entityType: 'user', entityId: userId, metadata: { endedSessions: ended } })
        return ok
      },
    }),
    askForLink(identity, {
      id: 'auth.forgot-password',
      path: '/auth/forgot-password',
      summary: 'Ask for a link to choose a new password',
      description:
        'Always Ok, at the same speed, whether or not there is such an account. The link works once within 1 hour; a newer one kills it. One address is sent at most 10 mails an hour.',
      bodyName: 'ForgottenPassword',
      kind: 'reset_password',
    }),
    openChange({
      id: 'auth.reset-password',
      method: 'POST',
      path: '/auth/reset-password',
      summary: 'Choose a new password with the token of a mailed link',
      description:
        'Ends every session, with the assistants that act for the user, and the addresses of their calendars, and lifts the lockout. The email address counts as verified from then on. It signs nobody in.',
      access: 'anyone',
      body: named('PasswordReset', v.object({ token: secret(1), newPassword }), {
        newPassword: NEW_PASSWORD,
      }),
      reply: Ok,
      fails: [TokenInvalid],
      prepare: async ({ body, request, db, everywhere, now }) => {
        await countAddress(identity, request)
        const userId = await checkToken(db, 'reset_password', body.token, now)
        await checkNewPassword(body.newPassword, await ownWordsOf(everywhere, userId), ['newPassword'])
        return { hash: await passwords.hash(body.newPassword, knownUser(userId)).catch(orTooBusy) }
      },
      handle: async ({ tx, body, prepared: { hash } }) => {
        const { id: userId, email_key: emailKey } = await consumeToken(tx, 'reset_password', body.token)
        tx.doneBy(userId)
        await setPassword(tx, userId, { password_hash: hash, email_verified: true })
        const ended = await revokeSessions(tx, userId)
        await forgetFailures(tx, signInDoor(emailKey))
        tx.audit({ entityType: 'user', entityId: userId, metadata: { endedSessions: ended } })
        return ok
      },
    }),
  ]
}
