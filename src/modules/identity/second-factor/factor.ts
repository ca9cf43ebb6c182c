import * as v from 'valibot'
import type { Caller } from '#kernel/who/actor.ts'
import { failure, type ApiError } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { ts } from '#kernel/values/schema.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { chargeAttempt, forgetFailures, type Door } from '../lockout.ts'
import { endRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'
import { matchCode } from './totp.ts'

const PURPOSE = 'second-factor'

const SecondFactorLocked = failure(
  'ACCOUNT_LOCKED',
  'too_many_wrong_codes',
  'Too many wrong codes: wait a quarter of an hour. The password and the second factor stay as they are.',
)
const WrongCode = failure(
  'INVALID_CREDENTIALS',
  'wrong_code',
  'The code is not right. If the next one is refused too, compare the clock of the device with that of the server.',
  {
    details: {
      schema: explained(v.object({ serverTime: ts }), {
        serverTime:
          'The clock of the server. A code is taken half a minute before and after its time: a device whose clock differs by more shows codes that are wrong here.',
      }),
      example: { serverTime: '2026-03-01T08:00:00.000Z' },
    },
  },
)
const CodeUsed = failure(
  'INVALID_CREDENTIALS',
  'code_used',
  'This code was used already: wait for the next one, which comes within half a minute.',
)
const RecoveryCodeUsed = failure(
  'INVALID_CREDENTIALS',
  'recovery_code_used',
  'This recovery code was used already: take another one.',
)

/** What an endpoint refuses that takes the first code of an app. */
export const firstCodeFails = [WrongCode, SecondFactorLocked] as const
/** And one that takes the codes of the app in force, and those that stand in for it. */
export const codeFails = [...firstCodeFails, CodeUsed, RecoveryCodeUsed] as const

export const SetItUpFirst = failure(
  'CONFLICT',
  'no_second_factor',
  'The account has no second factor: set one up first.',
)

/** Of whoever takes away the second factor of others. */
export const OwnSecondFactor = failure(
  'CONFLICT',
  'own_second_factor',
  'Your own second factor is switched off at your account, with your password.',
)

export const UseWhatThereIs = failure(
  'CONFLICT',
  'second_factor_exists',
  'The account has a second factor, and this session began without it: sign in with it first.',
)

/** Wrong codes close the second step to everybody: only who knows the password comes that far. */
const doorOf = (userId: string): Door => ({
  key: `second factor ${userId}`,
  locked: SecondFactorLocked,
  metadata: { secondFactor: 'true' },
})

const factorOf = (db: OutsideDb, userId: string) =>
  db
    .selectFrom('second_factor')
    .select(['sealed_secret', 'pending_secret', 'last_step', 'enabled_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Since when the account is asked for codes; null: it is not. */
export const secondFactorSince = async (db: OutsideDb, userId: string): Promise<string | null> =>
  (await factorOf(db, userId))?.enabled_at ?? null

const hasPasskey = async (db: OutsideDb, userId: string): Promise<boolean> =>
  (await db.selectFrom('passkey').select('id').where('user_id', '=', userId).executeTakeFirst()) !== undefined

/** Whether the account has anything beside its password. */
export const hasAnyFactor = async (db: OutsideDb, userId: string): Promise<boolean> =>
  (await secondFactorSince(db, userId)) !== null || (await hasPasskey(db, userId))

/**
 * Whoever knows a password alone, where more is asked, must not set up more: only somebody who has nothing yet does.
 * @throws UseWhatThereIs
 */
export const checkMayChange = async (db: OutsideDb, caller: Caller | null, userId: string): Promise<void> => {
  if (caller?.needsSecondFactor && (await hasAnyFactor(db, userId))) throw UseWhatThereIs()
}

/** Keeps the secret of an app that is being set up. The one in force, if there is one, stays until its first code has come. */
export const keepPending = async (tx: SystemTx, vault: Vault, userId: string, secret: string): Promise<void> => {
  const pending = { pending_secret: vault.seal(PURPOSE, secret) }
  await tx.db
    .insertInto('second_factor')
    .values({
      user_id: userId,
      sealed_secret: null,
      last_step: null,
      enabled_at: null,
      created_at: tx.now,
      ...pending,
    })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(pending))
    .execute()
}

/** As people type it: an app shows `123 456`, a recovery code has a dash. */
const plain = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()
const IS_OF_APP = /^\d{6}$/

const refusalOf = (outcome: 'used' | 'wrong', isOfApp: boolean, now: string): ApiError => {
  if (outcome === 'wrong') return WrongCode({ serverTime: now })
  return isOfApp ? CodeUsed() : RecoveryCodeUsed()
}

/** What was given: a code of the app, or one that stands in for it. Otherwise why it is refused. */
type Tried = 'app' | 'recovery' | ApiError

const tryPresent = async (tx: SystemTx, vault: Vault, userId: string, given: string): Promise<Tried> => {
  const factor = await factorOf(tx.db, userId)
  if (!factor || factor.enabled_at === null || factor.sealed_secret === null) throw SetItUpFirst()
  const code = plain(given)
  if (!IS_OF_APP.test(code)) {
    const outcome = await useRecoveryCode(tx, vault, { userId, code })
    return outcome === 'fits' ? 'recovery' : refusalOf(outcome, false, tx.now)
  }
  const match = matchCode(vault.open(PURPOSE, factor.sealed_secret), code, { now: tx.now, lastStep: factor.last_step })
  if (match.outcome !== 'fits') return refusalOf(match.outcome, true, tx.now)
  await tx.db.updateTable('second_factor').set({ last_step: match.step }).where('user_id', '=', userId).execute()
  return 'app'
}

const tryPending = async (tx: SystemTx, vault: Vault, userId: string, given: string): Promise<'app' | ApiError> => {
  const pending = (await factorOf(tx.db, userId))?.pending_secret ?? null
  if (pending === null) throw SetItUpFirst()
  const match = matchCode(vault.open(PURPOSE, pending), plain(given), { now: tx.now, lastStep: null })
  if (match.outcome !== 'fits') return refusalOf(match.outcome, true, tx.now)
  await tx.db
    .updateTable('second_factor')
    .set({ sealed_secret: pending, pending_secret: null, last_step: match.step })
    .where('user_id', '=', userId)
    .execute()
  return 'app'
}

/**
 * Counts the attempt and looks at the code. The caller has locked the account, so that one code is taken once however many
 * devices send it together.
 * @param of the app in force with its recovery codes, or the one that is being set up
 * @returns what it was, or why it is refused, which is then to be committed: the attempt counts
 * @throws SecondFactorLocked, SetItUpFirst
 */
export const tryCode = async (
  tx: SystemTx,
  vault: Vault,
  { userId, code, of }: { userId: string; code: string; of: 'present' | 'pending' },
): Promise<Tried> => {
  const door = doorOf(userId)
  const locks = await chargeAttempt(tx, door)
  const tried = await (of === 'present' ? tryPresent : tryPending)(tx, vault, userId, code)
  if (typeof tried === 'string') await forgetFailures(tx, door)
  else if (locks) tx.audit({ action: 'auth.lock', entityType: 'user', entityId: userId, metadata: door.metadata })
  return tried
}

/** Keeps on the account itself whether it has anything beside its password: institutes see no more of its factors. */
export const noteFactors = async ({ db }: SystemTx, userId: string): Promise<void> => {
  const has = await hasAnyFactor(db, userId)
  await db.updateTable('user').set({ has_second_factor: has }).where('id', '=', userId).execute()
}

/** From now on the account is asked for codes. */
export const switchOn = async (tx: SystemTx, userId: string): Promise<void> => {
  await tx.db.updateTable('second_factor').set({ enabled_at: tx.now }).where('user_id', '=', userId).execute()
  await noteFactors(tx, userId)
}

/** Nothing is asked of the account any more but its password; its passkeys stay. */
export const switchOff = async (tx: SystemTx, userId: string): Promise<void> => {
  await tx.db.deleteFrom('second_factor').where('user_id', '=', userId).execute()
  await endRecoveryCodes(tx, userId)
  await forgetFailures(tx, doorOf(userId))
  await noteFactors(tx, userId)
}

/** Takes away all that the account has beside its password. */
export const forgetFactors = async (tx: SystemTx, userId: string): Promise<void> => {
  await tx.db.deleteFrom('passkey').where('user_id', '=', userId).execute()
  await switchOff(tx, userId)
}
