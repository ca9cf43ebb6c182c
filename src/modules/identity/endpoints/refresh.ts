import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { AccountDisabled, failure } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { secret } from '#kernel/values/schema.ts'
import { CommitWithError } from '#kernel/contract/unit-of-work.ts'
import { SESSION } from '../credentials.ts'
import type { Identity } from '../deps.ts'
import { TokenInvalid } from '../email-tokens.ts'
import { exchangeToken, hashToken } from '../sessions.ts'
import { COOKIE_HEADER, deliverTokens, refreshCookie } from '../sign-in.ts'

const SessionRevoked = failure(
  'SESSION_REVOKED',
  'session_revoked',
  'This session has ended, or its refresh token was used before: sign in again.',
)

/** Why a token is not exchanged. */
const REFUSALS = {
  unknown: TokenInvalid,
  expired: TokenInvalid,
  disabled: AccountDisabled,
  revoked: SessionRevoked,
  'other-tab': SessionRevoked,
}

const secondsUntil = (instant: string, now: string): number =>
  Math.floor((Date.parse(instant) - Date.parse(now)) / 1000)

export const refreshEndpoint = ({ tokens, sessionLifetime }: Identity): Endpoint =>
  openChange({
    id: 'auth.refresh',
    method: 'POST',
    path: '/auth/refresh',
    summary: 'Exchange the refresh token for a new pair',
    description:
      'Takes the token from the body, else from the cookie. A token that was rotated before ends its session at once; only within 10 seconds of the rotation, from the cookie, from the same address and user agent, it is refused and the session lives. A token of a session that was ended is SESSION_REVOKED too.',
    access: 'anyone',
    body: named('TokenRefresh', v.object({ refreshToken: v.optional(secret(1)) }), {
      refreshToken: 'Without it the one in the cookie counts.',
    }),
    bodyOptional: true,
    reply: named('RefreshedTokens', v.object({ accessToken: v.string(), refreshToken: v.optional(v.string()) })),
    replyHeaders: COOKIE_HEADER,
    credential: SESSION,
    fails: [TokenInvalid, SessionRevoked, AccountDisabled],
    prepare: async ({ body, request, db }) => {
      const presented = body.refreshToken ?? refreshCookie(request)
      const sessionId = presented === undefined ? undefined : tokens.refresh.sessionOf(presented)
      if (presented === undefined || sessionId === undefined) throw TokenInvalid()
      const session = await db
        .selectFrom('auth_session')
        .select(['user_id as userId', 'tenant_id as tenantId'])
        .where('id', '=', sessionId)
        .executeTakeFirst()
      if (!session) throw TokenInvalid()
      return {
        sessionId,
        hash: hashToken(presented),
        isShared: body.refreshToken === undefined,
        refreshToken: tokens.refresh.make(sessionId),
        accessToken: await tokens.access.issue({ ...session, sessionId }),
      }
    },
    handle: async ({ tx, request, prepared: { accessToken, refreshToken, ...presented } }) => {
      const { ip, userAgent } = request
      const rotation = await exchangeToken(tx, presented, { refreshToken, ip, userAgent }, sessionLifetime)
      const note = { entityType: 'session', entityId: presented.sessionId }
      if (rotation.outcome === 'reused') {
        tx.audit({ action: 'auth.reuse', ...note })
        return new CommitWithError(SessionRevoked())
      }
      if (rotation.outcome !== 'rotated') throw REFUSALS[rotation.outcome]()
      tx.audit(note)
      const client = rotation.session.client === 'mobile' ? 'mobile' : 'web'
      const seconds = secondsUntil(rotation.expiresAt, tx.now)
      return deliverTokens(request, { client, accessToken, refreshToken }, seconds)
    },
  })
