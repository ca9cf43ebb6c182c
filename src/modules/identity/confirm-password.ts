import type { Caller } from '#kernel/actor.ts'
import type { Begin } from '#kernel/endpoint.ts'
import type { Queries } from '#kernel/tables.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import { AccountLocked } from './lockout.ts'
import { InvalidCredentials, PasswordCheck } from './password-check.ts'
import { knownUser } from './queue-place.ts'
import { sessionOf } from './sign-in.ts'

/** What an endpoint refuses that asks for the password once more. */
export const confirmingFails = [InvalidCredentials, AccountLocked] as const

/** @throws InvalidCredentials, AccountLocked; FORBIDDEN for a caller without a session */
export type ConfirmPassword = (of: { caller: Caller; db: Queries; begin: Begin }, password: string) => Promise<void>

/**
 * Asks signed-in people for their password once more, before something that a stolen session must not do. A wrong one
 * counts as a failed login.
 */
export const confirmPassword = (passwords: Passwords): ConfirmPassword => {
  const check = new PasswordCheck(passwords)
  return async ({ caller, db, begin }, password) => {
    const { userId } = sessionOf(caller)
    const find = () =>
      db
        .selectFrom('user')
        .select(['id', 'email_key', 'password_hash'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
    const { email_key: emailKey } = await find()
    await check.run({ emailKey, password, place: knownUser(userId), begin }, find)
  }
}
