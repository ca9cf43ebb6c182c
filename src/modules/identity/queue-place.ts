import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { QueueClient } from '#ports/passwords/port.ts'
import { refreshCookie, type SessionTokens } from './sign-in.ts'

/** A client without any proof of identity shares its turns with its network address. */
export const unknownClient = ({ network }: RequestInfo): QueueClient => ({ key: `address ${network}`, known: false })

/** Somebody who has proved who they are: signed in, or with a token that only they have. */
export const knownUser = (userId: string): QueueClient => ({ key: `user ${userId}`, known: true })

/**
 * The place of a sign-in in the queue for password checks. A client counts as known when this account has signed in
 * before from its address or in its browser (the refresh cookie shows it), even if that session has ended. This does
 * not weaken the password check. One query, whether or not the account exists.
 */
export const placeForSignIn = async (
  db: OutsideDb,
  request: RequestInfo,
  { emailKey, tokens }: { emailKey: string; tokens: SessionTokens },
): Promise<QueueClient> => {
  const cookie = refreshCookie(request)
  const sessionId = cookie === undefined ? undefined : tokens.refresh.sessionOf(cookie)
  const earlier = await db
    .selectFrom('auth_session')
    .innerJoin('user', 'user.id', 'auth_session.user_id')
    .select('user.id')
    .where('user.email_key', '=', emailKey)
    .where('auth_session.impersonator_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb('auth_session.ip', '=', request.ip),
        ...(sessionId === undefined ? [] : [eb('auth_session.id', '=', sessionId)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return earlier ? knownUser(earlier.id) : unknownClient(request)
}
