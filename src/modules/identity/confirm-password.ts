import * as v from 'valibot'
import type { Caller } from '#kernel/who/actor.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { named } from '#kernel/values/named.ts'
import { secret } from '#kernel/values/schema.ts'
import { lockAccount } from './accounts.ts'
import { PasswordDoorLocked, sessionDoor } from './lockout.ts'
import { InvalidCredentials, PasswordCheck } from './password-check.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import { knownUser } from './queue-place.ts'
import { sessionOf } from './sign-in.ts'

/** The body of an endpoint that asks for nothing else. */
export const PasswordAgain = named('PasswordAgain', v.object({ password: secret(1) }), {
  password: 'The password of the account, typed once more.',
})

/** What its description says of that. */
export const ASKS_PASSWORD =
  'Takes the password once more; five wrong ones within 15 minutes close this to the session for 15 minutes (423).'

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

/**
 * The password was right when it was looked at: it must be the same now.
 * @returns whose it is
 * @throws InvalidCredentials
 */
export const checkSamePassword = async (tx: SystemTx, caller: Caller | null, checked: string): Promise<string> => {
  const { userId } = sessionOf(caller)
  if ((await lockAccount(tx, userId)).password_hash !== checked) throw InvalidCredentials()
  return userId
}
