import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { count, list, Ok, ok, orNull, text, ts } from '#kernel/values/schema.ts'
import { CommitWithError } from '#kernel/contract/unit-of-work.ts'
import { asksSecondFactor } from '#modules/members/index.ts'
import { lockAccount } from '../accounts.ts'
import {
  ASKS_PASSWORD,
  checkSamePassword,
  confirmingFails,
  confirmPassword,
  PasswordAgain,
} from '../confirm-password.ts'
import { RECOVERY_CODE, SECOND_FACTOR } from '../credentials.ts'
import type { Identity } from '../deps.ts'
import { mailChange } from '../notices.ts'
import {
  checkMayChange,
  firstCodeFails,
  keepPending,
  secondFactorSince,
  SetItUpFirst,
  switchOff,
  switchOn,
  tryCode,
  UseWhatThereIs,
} from '../second-factor/factor.ts'
import { countRecoveryCodes, makeRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { newTotpSecret, otpauthUri } from '../second-factor/totp.ts'
import { endOtherSignIns, noteSecondFactor } from '../sessions.ts'
import { logOf, sessionOf } from '../sign-in.ts'

const SecondFactor = named(
  'SecondFactor',
  v.object({ isOn: v.boolean(), since: orNull(ts), recoveryCodesLeft: count, isAsked: v.boolean() }),
  {
    isOn: 'Whether codes of an app are asked for after the password.',
    since: 'Since when they are, with this app; null: they are not.',
    recoveryCodesLeft: 'How many recovery codes have not been used.',
    isAsked: 'Whether a role of theirs, in any of their institutes, asks for a second factor.',
  },
)

const RecoveryCodes = named('RecoveryCodes', v.object({ recoveryCodes: list(v.string()) }), {
  recoveryCodes: 'Ten, each good once in place of a code of the app. They are shown this once.',
})

export const secondFactorEndpoints = (identity: Identity): readonly Endpoint[] => {
  const { passwords, sendMail, vault } = identity
  const confirm = confirmPassword(passwords)

  return [
    openRead({
      id: 'me.second-factor',
      path: '/me/second-factor',
      summary: 'Whether the account has a second factor',
      description: 'Passkeys are listed apart (GET /me/passkeys): one counts as password and second factor together.',
      access: 'user',
      beforeSecondFactor: true,
      reply: SecondFactor,
      handle: async ({ db, everywhere, caller }) => {
        const { userId } = sessionOf(caller)
        const since = await secondFactorSince(db, userId)
        return {
          isOn: since !== null,
          since,
          recoveryCodesLeft: await countRecoveryCodes(db, userId),
          isAsked: await asksSecondFactor(everywhere, userId),
        }
      },
    }),
    openChange({
      id: 'me.begin-second-factor',
      method: 'POST',
      path: '/me/second-factor',
      summary: 'Begin to set up an app that shows codes',
      description: `Answers the secret for an app of RFC 6238 (SHA-1, six digits, half a minute). Nothing is asked for before its first code has come (POST /me/second-factor/confirm). Where an app is in force already, it stays so until then: so one moves to another phone. ${ASKS_PASSWORD} A session without the second factor that a role asks for begins only where the account has none (409).`,
      access: 'user',
      beforeSecondFactor: true,
      body: PasswordAgain,
      reply: named('NewSecondFactor', v.object({ appSecret: v.string(), uri: v.string() }), {
        appSecret: 'To be typed into the app, in base32.',
        uri: 'The same as an otpauth address, which apps read from a QR code.',
      }),
      credential: SECOND_FACTOR,
      fails: [...confirmingFails, UseWhatThereIs],
      prepare: async ({ caller, body, db, begin }) => ({
        checked: await confirm({ caller, db, begin }, body.password),
        issuer: (await identity.instituteName(db)) ?? caller?.tenant?.name ?? 'Institute',
      }),
      handle: async ({ tx, caller, prepared: { checked, issuer } }) => {
        const userId = await checkSamePassword(tx, caller, checked)
        await checkMayChange(tx.db, caller, userId)
        const fresh = newTotpSecret()
        await keepPending(tx, vault, userId, fresh)
        const { email } = await lockAccount(tx, userId)
        const log = await logOf(tx, sessionOf(caller).tenantId)
        log.audit({ entityType: 'user', entityId: userId })
        return { appSecret: fresh, uri: otpauthUri({ secret: fresh, issuer, account: email }) }
      },
    }),
    openChange({
      id: 'me.confirm-second-factor',
      method: 'POST',
      path: '/me/second-factor/confirm',
      summary: 'Put the app in force with its first code',
      description:
        'From now on sign-in asks for a code. Answers ten recovery codes, which replace former ones. All other sessions of the account end; assistants that were let in stay. The account is mailed. Five wrong codes within 15 minutes close the codes of the account for 15 minutes (423).',
      access: 'user',
      beforeSecondFactor: true,
      body: named('FirstCode', v.object({ code: text(50) }), { code: 'Six digits, as the app shows them now.' }),
      reply: RecoveryCodes,
      credential: RECOVERY_CODE,
      fails: [...firstCodeFails, SetItUpFirst, UseWhatThereIs],
      handle: async ({ tx, caller, body }) => {
        const { userId, sessionId, tenantId } = sessionOf(caller)
        await checkMayChange(tx.db, caller, userId)
        const wasOn = (await secondFactorSince(tx.db, userId)) !== null
        const tried = await tryCode(tx, vault, { userId, code: body.code, of: 'pending' })
        if (typeof tried !== 'string') return new CommitWithError(tried)
        await switchOn(tx, userId)
        const recoveryCodes = await makeRecoveryCodes(tx, vault, userId)
        const endedSessions = await endOtherSignIns(tx, userId, sessionId)
        await noteSecondFactor(tx, { sessionId }, true)
        await mailChange(tx, sendMail, { userId, change: wasOn ? 'other_app' : 'second_factor_on' })
        const log = await logOf(tx, tenantId)
        log.audit({ entityType: 'user', entityId: userId, metadata: { isAnotherApp: wasOn, endedSessions } })
        return { recoveryCodes }
      },
    }),
    openChange({
      id: 'me.make-recovery-codes',
      method: 'POST',
      path: '/me/second-factor/recovery-codes',
      summary: 'Make new recovery codes',
      description: `The former ones end. ${ASKS_PASSWORD} The account is mailed.`,
      access: 'user',
      body: PasswordAgain,
      reply: RecoveryCodes,
      credential: RECOVERY_CODE,
      fails: [...confirmingFails, SetItUpFirst],
      prepare: async ({ caller, body, db, begin }) => ({
        checked: await confirm({ caller, db, begin }, body.password),
      }),
      handle: async ({ tx, caller, prepared: { checked } }) => {
        const userId = await checkSamePassword(tx, caller, checked)
        if ((await secondFactorSince(tx.db, userId)) === null) throw SetItUpFirst()
        const recoveryCodes = await makeRecoveryCodes(tx, vault, userId)
        await mailChange(tx, sendMail, { userId, change: 'recovery_codes_made' })
        const log = await logOf(tx, sessionOf(caller).tenantId)
        log.audit({ entityType: 'user', entityId: userId })
        return { recoveryCodes }
      },
    }),
    openChange({
      id: 'me.remove-second-factor',
      method: 'POST',
      path: '/me/second-factor/remove',
      summary: 'Switch the codes off',
      description: `The app and the recovery codes end; passkeys stay. ${ASKS_PASSWORD} The account is mailed. Where a role asks for a second factor, every session of the account is without one from now on: it has to be set up again, or one signs in with a passkey.`,
      access: 'user',
      body: PasswordAgain,
      reply: Ok,
      fails: [...confirmingFails, SetItUpFirst],
      prepare: async ({ caller, body, db, begin }) => ({
        checked: await confirm({ caller, db, begin }, body.password),
      }),
      handle: async ({ tx, caller, prepared: { checked } }) => {
        const userId = await checkSamePassword(tx, caller, checked)
        if ((await secondFactorSince(tx.db, userId)) === null) throw SetItUpFirst()
        await switchOff(tx, userId)
        await noteSecondFactor(tx, { userId }, false)
        await mailChange(tx, sendMail, { userId, change: 'second_factor_off' })
        const log = await logOf(tx, sessionOf(caller).tenantId)
        log.audit({ entityType: 'user', entityId: userId })
        return ok
      },
    }),
  ]
}
