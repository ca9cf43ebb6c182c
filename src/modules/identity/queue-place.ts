import type { RequestInfo } from '#kernel/endpoint.ts'
import type { OutsideDb } from '#kernel/tables.ts'
import type { QueueClient } from '#ports/passwords/port.ts'
import { refreshCookie, type SessionTokens } from './sign-in.ts'
import './tables.ts'

/** Where nobody knows who asks, turns go by address. */
export const unknownClient = ({ network }: RequestInfo): QueueClient => ({ key: `address ${network}`, known: false })

/** Who has shown who they are: signed in, or with a token that only they have. */
export const knownUser = (userId: string): QueueClient => ({ key: `user ${userId}`, known: true })

/**
 * The place in the line of somebody who is about to sign in. Whoever comes from an address or with the cookie of a
 * browser from which this account signed in before, however that session ended, need not stand behind strangers. It says
 * nothing of the password. One query, whether or not there is such an account.
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
