import type { Caller } from '#kernel/who/actor.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import { PasswordDoorLocked, sessionDoor } from './lockout.ts'
import { InvalidCredentials, PasswordCheck } from './password-check.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import { knownUser } from './queue-place.ts'
import { sessionOf } from './sign-in.ts'

/** What an endpoint refuses that asks for the password once more. */
export const confirmingFails = [InvalidCredentials, PasswordDoorLocked] as const

/**
 * @returns the hash of the password that was right
 * @throws InvalidCredentials, PasswordDoorLocked; FORBIDDEN for a caller without a session
 */
export type ConfirmPassword = (
  of: { caller: Caller | null; db: Queries; begin: Begin },
  password: string,
) => Promise<string>

/**
 * Asks signed-in people for their password once more, before something that a stolen session must not do. Five wrong ones
 * within 15 minutes close that to this session for 15 minutes; signing in is another door.
 */
export const confirmPassword = (passwords: Passwords): ConfirmPassword => {
  const check = new PasswordCheck(passwords)
  return async ({ caller, db, begin }, password) => {
    const { userId, sessionId } = sessionOf(caller)
    const find = () =>
      db.selectFrom('user').select(['id', 'password_hash']).where('id', '=', userId).executeTakeFirstOrThrow()
    const claim = { door: sessionDoor(sessionId), password, place: knownUser(userId), begin }
    return (await check.run(claim, find)).password_hash
  }
}
