import { forNoKeyUpdate } from '#db/dialect.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { AccountDisabled } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { lockAccount } from './accounts.ts'
import { hadSecondFactor, openSession } from './sessions.ts'
import type { SessionTokens } from './sign-in.ts'
import { IMPERSONATION_SECONDS } from './tokens.ts'

interface Impersonated {
  userId: string
  tenantId: string
}

/** A session in somebody's name, whose token is signed before the transaction that opens it. */
export interface PreparedImpersonation extends Impersonated {
  sessionId: string
  accessToken: string
  expiresAt: string
}

/** Makes the access token. */
export const prepareImpersonation = async (
  tokens: SessionTokens,
  { userId, tenantId }: Impersonated,
  now: string,
): Promise<PreparedImpersonation> => {
  const sessionId = newId()
  return {
    userId,
    tenantId,
    sessionId,
    accessToken: await tokens.access.issue({ userId, sessionId, tenantId }, IMPERSONATION_SECONDS),
    // A token expires at a whole second.
    expiresAt: plusSeconds(`${now.slice(0, 19)}.000Z`, IMPERSONATION_SECONDS),
  }
}

/**
 * Locks both accounts, the impersonator's and the other: whoever disables one of them afterwards finds the session and
 * ends it. Call it before anything is decided by either account.
 * @throws AccountDisabled when the impersonator was disabled meanwhile
 */
export const lockForImpersonation = async (
  tx: SystemTx,
  { impersonatorId, userId }: { impersonatorId: string; userId: string },
): Promise<void> => {
  const { db } = tx
  // Platform admins come first, by id, and then the other account: changePlatformUser locks in this order.
  const admins = db
    .selectFrom('user')
    .select(['id', 'status'])
    .where('id', 'in', [impersonatorId, userId])
    .where('is_platform_admin', '=', true)
    .orderBy('id')
  const locked = await forNoKeyUpdate(db, admins).execute()
  if (!locked.some(({ id, status }) => id === impersonatorId && status === 'active')) throw AccountDisabled()
  await lockAccount(tx, userId)
}

/** Opens the session, from that of the platform admin. Nobody gets its refresh token, so it ends with the access token. */
export const openImpersonation = async (
  tx: SystemTx,
  tokens: SessionTokens,
  {
    request,
    impersonatorId,
    ownSessionId,
    prepared,
  }: { request: RequestInfo; impersonatorId: string; ownSessionId: string; prepared: PreparedImpersonation },
): Promise<void> => {
  const { sessionId, userId, tenantId } = prepared
  const { ip, userAgent } = request
  const refreshToken = tokens.refresh.make(sessionId)
  // An institute that asks its owners for a second factor asks whoever acts for them.
  const hasSecondFactor = await hadSecondFactor(tx, ownSessionId)
  await openSession(
    tx,
    { sessionId, refreshToken, userId, tenantId, client: 'web', ip, userAgent, impersonatorId, hasSecondFactor },
    { slidingSeconds: IMPERSONATION_SECONDS, longestSeconds: IMPERSONATION_SECONDS },
  )
}
