import { createHash, randomBytes } from 'node:crypto'
import { plusSeconds } from '#kernel/clock.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'
import './tables.ts'

/** How long a refresh token lives, in seconds: since its last use, and since sign-in (decisions 3.4). */
export interface SessionLifetime {
  slidingSeconds: number
  longestSeconds: number
}

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A refresh token: 32 random bytes; the database only ever sees its hash. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url')

export interface NewSession {
  /** Chosen beforehand: the access token that names it is signed outside the transaction. */
  sessionId: string
  refreshToken: string
  userId: string
  tenantId: string | null
  client: 'web' | 'mobile'
  ip: string | null
  userAgent: string | null
}

const MAX_USER_AGENT = 400

/** Begins a family of refresh tokens. */
export const openSession = async (tx: SystemTx, session: NewSession, lifetime: SessionLifetime): Promise<void> => {
  await tx.db
    .insertInto('auth_session')
    .values({
      id: session.sessionId,
      user_id: session.userId,
      tenant_id: session.tenantId,
      client: session.client,
      ip: session.ip,
      user_agent: session.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      token_hash: hashToken(session.refreshToken),
      previous_hash: null,
      rotated_at: null,
      expires_at: plusSeconds(tx.now, lifetime.slidingSeconds),
      ends_at: plusSeconds(tx.now, lifetime.longestSeconds),
      revoked_at: null,
      impersonator_id: null,
      created_at: tx.now,
      last_used_at: tx.now,
    })
    .execute()
}
