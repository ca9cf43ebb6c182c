import { plusSeconds } from '#kernel/time/clock.ts'
import { failure, type Failure } from '#kernel/values/errors.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'

export const AccountLocked = failure(
  'ACCOUNT_LOCKED',
  'account_locked',
  'Too many failed logins: wait, or reset the password by mail.',
)

export const PasswordDoorLocked = failure(
  'ACCOUNT_LOCKED',
  'too_many_wrong_passwords',
  'Too many wrong passwords in this session: wait a quarter of an hour. Signing in is not affected.',
)

/** Where passwords are given: wrong ones are counted for each door by itself. */
export interface Door {
  /** The key of its count. */
  key: string
  locked: Failure
  /** For the audit log. */
  metadata: Record<string, string>
}

/** Of an email address, whether or not it has an account. */
export const signInDoor = (emailKey: string): Door => ({
  key: emailKey,
  locked: AccountLocked,
  metadata: { email: emailKey },
})

/**
 * Where somebody who is signed in gives the password once more. Whoever took a session over guesses no more there than at
 * the sign-in, and locks nobody out: neither of the sign-in nor of another session. No email address has a blank.
 */
export const sessionDoor = (sessionId: string): Door => ({
  key: `session ${sessionId}`,
  locked: PasswordDoorLocked,
  metadata: { sessionId },
})

/** Five failures within 15 minutes lock a door for 15 minutes. */
const FAILURES = 5
const WINDOW_SECONDS = 15 * 60
const LOCK_SECONDS = 15 * 60

/**
 * Counts an attempt as failed before its password is checked, so that many attempts at once get no more guesses than
 * one after another. Call it in a transaction of its own, and commit that before the check; afterwards `forgetFailures`
 * or `withdrawAttempt` corrects the count if the attempt did not fail.
 * @returns whether this attempt, if it stays counted, locks the door
 * @throws the refusal of a locked door
 */
export const chargeAttempt = async (tx: SystemTx, { key, locked }: Door): Promise<boolean> => {
  const guard = await tx.db
    .insertInto('login_guard')
    .values({ email_key: key, failures: [], locked_until: null, touched_at: tx.now })
    // The update locks the row, so that concurrent attempts are counted one after another.
    .onConflict((conflict) => conflict.column('email_key').doUpdateSet({ touched_at: tx.now }))
    .returning(['failures', 'locked_until'])
    .executeTakeFirstOrThrow()
  // A time further in the future than its window was written while the clock was wrong, so it does not count.
  const lockedSeconds = (Date.parse(guard.locked_until ?? tx.now) - Date.parse(tx.now)) / 1000
  if (lockedSeconds > 0 && lockedSeconds <= LOCK_SECONDS) {
    throw locked(undefined, { 'Retry-After': String(Math.ceil(lockedSeconds)) })
  }
  const since = plusSeconds(tx.now, -WINDOW_SECONDS)
  const until = plusSeconds(tx.now, WINDOW_SECONDS)
  const failures = [...guard.failures.filter((instant) => instant > since && instant <= until), tx.now]
  const locks = failures.length >= FAILURES
  await tx.db
    .updateTable('login_guard')
    .set({ failures, locked_until: locks ? plusSeconds(tx.now, LOCK_SECONDS) : null })
    .where('email_key', '=', key)
    .execute()
  return locks
}

/** Takes back an attempt whose password was not checked. */
export const withdrawAttempt = async (tx: SystemTx, { key }: Pick<Door, 'key'>): Promise<void> => {
  const guard = await tx.db
    .updateTable('login_guard')
    .set({ locked_until: null })
    .where('email_key', '=', key)
    .returning('failures')
    .executeTakeFirst()
  await tx.db
    .updateTable('login_guard')
    .set({ failures: guard?.failures.slice(0, -1) ?? [] })
    .where('email_key', '=', key)
    .execute()
}

/** After the right password, or a new one: resets the count and lifts the lock. */
export const forgetFailures = async (tx: SystemTx, { key }: Pick<Door, 'key'>): Promise<void> => {
  await tx.db.deleteFrom('login_guard').where('email_key', '=', key).execute()
}

export const sweepLockouts = async (tx: SystemTx): Promise<void> => {
  const before = plusSeconds(tx.now, -WINDOW_SECONDS - LOCK_SECONDS)
  const ahead = plusSeconds(tx.now, WINDOW_SECONDS + LOCK_SECONDS)
  await tx.db
    .deleteFrom('login_guard')
    .where((eb) => eb.or([eb('touched_at', '<', before), eb('touched_at', '>', ahead)]))
    .execute()
}
