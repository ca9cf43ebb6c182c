import * as v from 'valibot'
import type { Caller } from '#kernel/who/actor.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { id, list, orNull } from '#kernel/values/schema.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { MembershipSummary, membershipsOf } from '#modules/members/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { UserSummary, userSummary } from './accounts.ts'
import type { RefreshTokens } from './refresh-tokens.ts'
import { openSession, type NewSession, type SessionLifetime } from './sessions.ts'
import type { AccessTokens } from './tokens.ts'

/** The reply to every kind of sign-in. */
export const SignedIn = named(
  'SignedIn',
  v.object({
    accessToken: v.string(),
    refreshToken: v.optional(v.string()),
    user: UserSummary,
    memberships: list(MembershipSummary),
    activeTenantId: orNull(id),
  }),
)

export const Client = v.picklist(['web', 'mobile'])
export type Client = v.InferOutput<typeof Client>

export interface SessionTokens {
  access: AccessTokens
  refresh: RefreshTokens
}

const COOKIE = 'institute_refresh'
const COOKIE_PATH = '/api/v1/auth'

export const COOKIE_HEADER = {
  'Set-Cookie': `For the client web: ${COOKIE}, HttpOnly, SameSite=Strict, Path=${COOKIE_PATH}, Secure behind HTTPS.`,
}

/** A session with its tokens, ready for the transaction that inserts its row. */
export interface PreparedSession {
  session: NewSession & { client: Client }
  accessToken: string
}

/** Makes the tokens of a new session. It signs, so call it before the transaction. */
export const prepareSession = async (
  tokens: SessionTokens,
  request: RequestInfo,
  {
    userId,
    tenantId,
    client,
    hasSecondFactor = false,
  }: { userId: string; tenantId: string | null; client: Client; hasSecondFactor?: boolean },
): Promise<PreparedSession> => {
  const sessionId = newId()
  return {
    accessToken: await tokens.access.issue({ userId, sessionId, tenantId }),
    session: {
      sessionId,
      refreshToken: tokens.refresh.make(sessionId),
      userId,
      tenantId,
      client,
      ip: request.ip,
      userAgent: request.userAgent,
      hasSecondFactor,
    },
  }
}

/**
 * Gives the client its tokens: a web page gets the refresh token in a cookie that scripts cannot read, an app gets it
 * in the body.
 */
export const deliverTokens = (
  request: RequestInfo,
  { client, accessToken, refreshToken }: { client: Client; accessToken: string; refreshToken: string },
  maxAgeSeconds: number,
): { accessToken: string; refreshToken?: string } => {
  if (client === 'mobile') return { accessToken, refreshToken }
  request.setCookie(COOKIE, refreshToken, { path: COOKIE_PATH, maxAgeSeconds })
  return { accessToken }
}

export const refreshCookie = (request: RequestInfo): string | undefined => request.cookie(COOKIE)

/** Clears the refresh cookie if it belongs to this session; the browser may hold another session's. */
export const clearRefreshCookie = (request: RequestInfo, tokens: SessionTokens, sessionId: string): void => {
  const cookie = refreshCookie(request)
  if (cookie === undefined || tokens.refresh.sessionOf(cookie) !== sessionId) return
  request.setCookie(COOKIE, null, { path: COOKIE_PATH, maxAgeSeconds: 0 })
}

/** Opens the session and makes the reply. */
export const signIn = async (
  tx: SystemTx,
  request: RequestInfo,
  { session, accessToken }: PreparedSession,
  lifetime: SessionLifetime,
): Promise<v.InferOutput<typeof SignedIn>> => {
  tx.doneBy(session.userId)
  await openSession(tx, session, lifetime)
  const { client, refreshToken, userId, tenantId } = session
  return {
    ...deliverTokens(request, { client, accessToken, refreshToken }, lifetime.slidingSeconds),
    user: await userSummary(tx.db, userId),
    memberships: await membershipsOf(tx.everywhere, userId),
    activeTenantId: tenantId,
  }
}

export interface CallerSession {
  userId: string
  sessionId: string
  /** The institute of the caller's access token. */
  tenantId: string | null
}

/** The session of a signed-in caller. */
export const sessionOf = (caller: Caller | null): CallerSession => {
  const actor = caller?.actor
  if (actor?.type !== 'user' && actor?.type !== 'platform_admin') throw new Error('this caller has no session')
  return { userId: actor.userId, sessionId: actor.sessionId, tenantId: caller?.tenant?.id ?? null }
}

/** The audit log for entries about a session: that of its institute, else the platform's. */
export const logOf = async (tx: SystemTx, tenantId: string | null): Promise<Pick<SystemTx, 'audit'>> => {
  const tenant = tenantId === null ? undefined : await findTenant(tx.db, tenantId)
  return tenant ? tx.inTenant(tenant) : tx
}
