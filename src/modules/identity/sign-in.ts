import * as v from 'valibot'
import { newId } from '#kernel/ids.ts'
import type { RequestInfo } from '#kernel/endpoint.ts'
import { id, list, locale, orNull } from '#kernel/schema.ts'
import type { SystemDb } from '#kernel/tables.ts'
import { MembershipSummary } from '#modules/members/index.ts'
import { newRefreshToken, type NewSession, type SessionLifetime } from './sessions.ts'
import type { AccessTokens } from './tokens.ts'

export const UserSummary = v.object({
  id,
  email: v.string(),
  fullName: v.string(),
  locale,
  status: v.picklist(['active', 'disabled']),
  emailVerified: v.boolean(),
})
export type UserSummary = v.InferOutput<typeof UserSummary>

/** What everyone is told who has just signed in. */
export const SignedIn = v.object({
  accessToken: v.string(),
  refreshToken: v.optional(v.string()),
  user: UserSummary,
  memberships: list(MembershipSummary),
  activeTenantId: orNull(id),
})

export type Client = 'web' | 'mobile'

const COOKIE = 'institute_refresh'
const COOKIE_PATH = '/api/v1/auth'

/** A session that can be opened in the transaction to come: its tokens are made, its row is not. */
export interface ReadySession {
  session: NewSession
  accessToken: string
}

/** Makes the tokens of a new session. Signs, so it belongs before the transaction. */
export const readySession = async (
  tokens: AccessTokens,
  request: RequestInfo,
  { userId, tenantId, client }: { userId: string; tenantId: string | null; client: Client },
): Promise<ReadySession> => {
  const sessionId = newId()
  return {
    accessToken: await tokens.issue({ userId, sessionId, tenantId }),
    session: {
      sessionId,
      refreshToken: newRefreshToken(),
      userId,
      tenantId,
      client,
      ip: request.ip,
      userAgent: request.userAgent,
    },
  }
}

/**
 * The two tokens as the client gets them: a web page keeps the refresh token in a cookie that scripts cannot read, an
 * app gets it in the body (decisions 3.2).
 */
export const handOver = (
  request: RequestInfo,
  { client, accessToken, refreshToken }: { client: Client; accessToken: string; refreshToken: string },
  lifetime: SessionLifetime,
): { accessToken: string; refreshToken?: string } => {
  if (client === 'mobile') return { accessToken, refreshToken }
  request.setCookie(COOKIE, refreshToken, { path: COOKIE_PATH, maxAgeSeconds: lifetime.slidingSeconds })
  return { accessToken }
}

export const refreshCookie = (request: RequestInfo): string | undefined => request.cookie(COOKIE)

export const clearRefreshCookie = (request: RequestInfo): void =>
  request.setCookie(COOKIE, null, { path: COOKIE_PATH, maxAgeSeconds: 0 })

/** How a user is shown to whoever signed in. @throws when there is no such user */
export const userSummary = (db: SystemDb, userId: string): Promise<UserSummary> =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'full_name as fullName', 'locale', 'status', 'email_verified as emailVerified'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
