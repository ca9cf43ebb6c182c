import { plusSeconds } from '#kernel/clock.ts'
import { failure } from '#kernel/errors.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'

export const AccountLocked = failure(
  'ACCOUNT_LOCKED',
  'account_locked',
  'Too many failed logins: wait, or reset the password by mail.',
)

/**
 * Five failures within 15 minutes lock sign-in for an email address for 15 minutes, whether or not it has an account.
 */
const FAILURES = 5
const WINDOW_SECONDS = 15 * 60
const LOCK_SECONDS = 15 * 60

/**
 * Counts an attempt as failed before its password is checked, so that many attempts at once get no more guesses than
 * one after another. Call it in a transaction of its own, and commit that before the check; afterwards `forgetFailures`
 * or `withdrawAttempt` corrects the count if the attempt did not fail.
 * @returns whether this attempt, if it stays counted, locks the address
 * @throws AccountLocked
 */
export const chargeAttempt = async (tx: SystemTx, emailKey: string): Promise<boolean> => {
  const guard = await tx.db
    .insertInto('login_guard')
    .values({ email_key: emailKey, failures: [], locked_until: null, touched_at: tx.now })
    // The update locks the row, so that concurrent attempts are counted one after another.
    .onConflict((conflict) => conflict.column('email_key').doUpdateSet({ touched_at: tx.now }))
    .returning(['failures', 'locked_until'])
    .executeTakeFirstOrThrow()
  // A time further in the future than its window was written while the clock was wrong, so it does not count.
  const lockedSeconds = (Date.parse(guard.locked_until ?? tx.now) - Date.parse(tx.now)) / 1000
  if (lockedSeconds > 0 && lockedSeconds <= LOCK_SECONDS) {
    throw AccountLocked(undefined, { 'Retry-After': String(Math.ceil(lockedSeconds)) })
  }
  const since = plusSeconds(tx.now, -WINDOW_SECONDS)
  const until = plusSeconds(tx.now, WINDOW_SECONDS)
  const failures = [...guard.failures.filter((instant) => instant > since && instant <= until), tx.now]
  const locks = failures.length >= FAILURES
  await tx.db
    .updateTable('login_guard')
    .set({ failures, locked_until: locks ? plusSeconds(tx.now, LOCK_SECONDS) : null })
    .where('email_key', '=', emailKey)
    .execute()
  return locks
}

/** Takes back an attempt whose password was not checked. */
export const withdrawAttempt = async (tx: SystemTx, emailKey: string): Promise<void> => {
  const guard = await tx.db
    .updateTable('login_guard')
    .set({ locked_until: null })
    .where('email_key', '=', emailKey)
    .returning('failures')
    .executeTakeFirst()
  await tx.db
    .updateTable('login_guard')
    .set({ failures: guard?.failures.slice(0, -1) ?? [] })
    .where('email_key', '=', emailKey)
    .execute()
}

/** After the right password, or a new one: resets the count and lifts the lock. */
export const forgetFailures = async (tx: SystemTx, emailKey: string): Promise<void> => {
  await tx.db.deleteFrom('login_guard').where('email_key', '=', emailKey).execute()
}

export const sweepLockouts = async (tx: SystemTx): Promise<void> => {
  const before = plusSeconds(tx.now, -WINDOW_SECONDS - LOCK_SECONDS)
  const ahead = plusSeconds(tx.now, WINDOW_SECONDS + LOCK_SECONDS)
  await tx.db
    .deleteFrom('login_guard')
    .where((eb) => eb.or([eb('touched_at', '<', before), eb('touched_at', '>', ahead)]))
    .execute()
}
