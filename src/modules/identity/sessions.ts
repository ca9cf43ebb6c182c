import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { id, orNull, ts } from '#kernel/values/schema.ts'
import type { OutsideDb, Tables } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { newestFirst, systemListOf, usedByFrom } from '#runtime/records/lists.ts'
import type { PageQuery } from '#runtime/records/cursors.ts'
import { userSummary } from './accounts.ts'
import type { PreviewOf } from './tables.ts'

/** How long a refresh token is valid, in seconds: after its last use, and at most after sign-in. */
export interface SessionLifetime {
  slidingSeconds: number
  longestSeconds: number
}

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export interface NewSession {
  /** The caller chooses it, because the access token that names it is signed before the transaction. */
  sessionId: string
  refreshToken: string
  userId: string
  tenantId: string | null
  client: 'web' | 'mobile' | 'mcp'
  ip: string | null
  userAgent: string | null
  /** The platform admin who impersonates the user. Default: nobody does. */
  impersonatorId?: string
  /** Whether it begins with more than a password. Default: no. */
  hasSecondFactor?: boolean
  /** Of which role it shows what that sees. Default: its user works in it. */
  preview?: PreviewOf
}

const MAX_USER_AGENT = 400
const shortened = (userAgent: string | null): string | null => userAgent?.slice(0, MAX_USER_AGENT) ?? null

const earlier = (one: string, other: string): string => (one < other ? one : other)

/** Opens a session, which starts a family of refresh tokens. */
export const openSession = async (tx: SystemTx, session: NewSession, lifetime: SessionLifetime): Promise<void> => {
  const endsAt = plusSeconds(tx.now, lifetime.longestSeconds)
  await tx.db
    .insertInto('auth_session')
    .values({
      id: session.sessionId,
      user_id: session.userId,
      tenant_id: session.tenantId,
      client: session.client,
      ip: session.ip,
      user_agent: shortened(session.userAgent),
      token_hash: hashToken(session.refreshToken),
      recent_rotations: [],
      expires_at: earlier(plusSeconds(tx.now, lifetime.slidingSeconds), endsAt),
      ends_at: endsAt,
      revoked_at: null,
      impersonator_id: session.impersonatorId ?? null,
      has_second_factor: session.hasSecondFactor ?? false,
      preview: session.preview ?? null,
      created_at: tx.now,
      last_used_at: tx.now,
    })
    .execute()
}

/** @returns undefined when the session's row was deleted */
const lockSession = ({ db }: SystemTx, sessionId: string) =>
  forNoKeyUpdate(
    db,
    db
      .selectFrom('auth_session')
      .select([
        'id',
        'user_id',
        'tenant_id',
        'client',
        'ip',
        'user_agent',
        'token_hash',
        'recent_rotations',
        'expires_at',
        'ends_at',
        'revoked_at',
      ])
      .where('id', '=', sessionId),
  ).executeTakeFirst()

export type LockedSession = NonNullable<Awaited<ReturnType<typeof lockSession>>>

/** Two tabs share one cookie, so both may send the same refresh token within this time. */
const SHARED_COOKIE_SECONDS = 10
/** How many rotations are remembered: more than any number of tabs causes within that time. */
const REMEMBERED_ROTATIONS = 20

/** A time in the future was written while the clock was wrong: nobody knows how long ago, so it is not recent. */
const isRecent = (at: string, now: string): boolean =>
  at >= plusSeconds(now, -SHARED_COOKIE_SECONDS) && at <= plusSeconds(now, SHARED_COOKIE_SECONDS)

interface Peer {
  ip: string
  userAgent: string | null
}

/** Whether a rotated token comes from another tab of the same browser, right after the rotation. */
const isOtherTab = (session: LockedSession, tokenHash: string, { ip, userAgent }: Peer, now: string): boolean =>
  session.ip === ip &&
  session.user_agent === shortened(userAgent) &&
  session.recent_rotations.some(({ hash, at }) => hash === tokenHash && isRecent(at, now))

/** Replaces the current refresh token with a new one. @returns when it expires */
const rotateToken = async (
  tx: SystemTx,
  session: LockedSession,
  { refreshToken, ip, userAgent }: Peer & { refreshToken: string },
  { slidingSeconds }: SessionLifetime,
): Promise<string> => {
  const expiresAt = earlier(plusSeconds(tx.now, slidingSeconds), session.ends_at)
  const recent = session.recent_rotations.filter(({ at }) => isRecent(at, tx.now)).slice(1 - REMEMBERED_ROTATIONS)
  await tx.db
    .updateTable('auth_session')
    .set({
      token_hash: hashToken(refreshToken),
      recent_rotations: [...recent, { hash: session.token_hash, at: tx.now }],
      expires_at: expiresAt,
      last_used_at: tx.now,
      ip,
      user_agent: shortened(userAgent),
    })
    .where('id', '=', session.id)
    .execute()
  return expiresAt
}

/** A token of a family, as somebody presents it. */
export interface PresentedToken {
  sessionId: string
  hash: string
  /** It came from the cookie that the tabs of a browser share. */
  isShared?: boolean
}

/** What became of a token that was presented; `reused`: it was rotated before, and its session is revoked now. */
export type Rotation =
  | { outcome: 'rotated'; session: LockedSession; expiresAt: string }
  | { outcome: 'unknown' | 'disabled' | 'revoked' | 'expired' | 'other-tab' | 'reused' }

/** Exchanges the current token of a family for the next one. A token that was exchanged before revokes the family. */
export const exchangeToken = async (
  tx: SystemTx,
  { sessionId, hash, isShared = false }: PresentedToken,
  next: Peer & { refreshToken: string },
  lifetime: SessionLifetime,
): Promise<Rotation> => {
  const session = await lockSession(tx, sessionId)
  if (!session) return { outcome: 'unknown' }
  const { status } = await userSummary(tx.db, session.user_id)
  if (status === 'disabled') return { outcome: 'disabled' }
  if (session.revoked_at !== null) return { outcome: 'revoked' }
  if (session.expires_at <= tx.now) return { outcome: 'expired' }
  if (session.token_hash !== hash) {
    if (isShared && isOtherTab(session, hash, next, tx.now)) return { outcome: 'other-tab' }
    await revokeSession(tx, session.user_id, sessionId)
    return { outcome: 'reused' }
  }
  return { outcome: 'rotated', session, expiresAt: await rotateToken(tx, session, next, lifetime) }
}

const liveOf = (tx: SystemTx, userId: string) =>
  tx.db
    .updateTable('auth_session')
    .set({ revoked_at: tx.now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)

/** Revokes one session of a user, if it has not ended. */
export const revokeSession = async (tx: SystemTx, userId: string, sessionId: string): Promise<void> => {
  await liveOf(tx, userId).where('id', '=', sessionId).execute()
}

/**
 * Revokes the sessions of a user, all or all except one, and ends everything else of theirs that would outlive them.
 * @returns how many sessions
 */
export const revokeSessions = async (
  tx: SystemTx,
  userId: string,
  { except }: { except?: string } = {},
): Promise<number> => {
  const live = liveOf(tx, userId)
  const { numUpdatedRows } = await (except === undefined ? live : live.where('id', '!=', except)).executeTakeFirst()
  await tx.endCredentialsOf(userId)
  return Number(numUpdatedRows)
}

/** Revokes the sessions of everybody, of browsers, apps and assistants. @returns how many */
export const endAllSessions = async (tx: SystemTx): Promise<number> => {
  const { numUpdatedRows } = await tx.db
    .updateTable('auth_session')
    .set({ revoked_at: tx.now })
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends where else somebody is signed in, and nothing of what they let in or set up there. */
export const endOtherSignIns = async (tx: SystemTx, userId: string, sessionId: string): Promise<number> => {
  const { numUpdatedRows } = await liveOf(tx, userId)
    .where('id', '!=', sessionId)
    .where('client', '!=', 'mcp')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Notes of one session, or of all of a user, whether there was more than a password. */
export const noteSecondFactor = async (
  { db }: SystemTx,
  whose: { sessionId: string } | { userId: string },
  hasSecondFactor: boolean,
): Promise<void> => {
  const [column, value] = 'userId' in whose ? (['user_id', whose.userId] as const) : (['id', whose.sessionId] as const)
  await db.updateTable('auth_session').set({ has_second_factor: hasSecondFactor }).where(column, '=', value).execute()
}

/** Whether a session had more than a password. */
export const hadSecondFactor = async ({ db }: SystemTx, sessionId: string): Promise<boolean> => {
  const session = db.selectFrom('auth_session').select('has_second_factor').where('id', '=', sessionId)
  return (await session.executeTakeFirst())?.has_second_factor === true
}

/** Revokes the sessions in which a platform admin impersonates somebody. */
export const revokeImpersonations = async (tx: SystemTx, impersonatorId: string): Promise<void> => {
  await tx.db
    .updateTable('auth_session')
    .set({ revoked_at: tx.now })
    .where('impersonator_id', '=', impersonatorId)
    .where('revoked_at', 'is', null)
    .execute()
}

export const sessionWords = {
  client: 'Where the refresh token is kept: in a cookie (web) or by the program itself (mobile).',
  ip: 'The address from which it began; null: not known.',
  userAgent: 'What the program calls itself; null: nothing.',
  createdAt: 'When it began.',
  lastUsedAt: 'When it was used last.',
  current: 'Whether it is the one that asks.',
}

export const Session = named(
  'SignInSession',
  v.object({
    id,
    client: v.picklist(['web', 'mobile']),
    ip: orNull(v.string()),
    userAgent: orNull(v.string()),
    createdAt: ts,
    lastUsedAt: ts,
    current: v.boolean(),
  }),
  sessionWords,
)

export const SESSION_COLUMNS = [
  'auth_session.id',
  'auth_session.client',
  'auth_session.ip',
  'auth_session.user_agent',
  'auth_session.created_at',
  'auth_session.last_used_at',
] as const

/** A session as the API shows it. */
export const shownSession = (
  row: Pick<Selectable<Tables['auth_session']>, 'id' | 'client' | 'ip' | 'user_agent' | 'created_at' | 'last_used_at'>,
  currentId: string | null,
): v.InferOutput<typeof Session> => ({
  id: row.id,
  client: row.client === 'mobile' ? 'mobile' : 'web',
  ip: row.ip,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  current: row.id === currentId,
})

const liveSessions = (db: OutsideDb, userId: string, now: string) =>
  db
    .selectFrom('auth_session')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    // Impersonations and previews are in the audit log, assistants among the grants, and not in the user's list of devices.
    .where('impersonator_id', 'is', null)
    .where('preview', 'is', null)
    .where('client', '!=', 'mcp')

/** `userId` and `now` select the user's sessions that are live at that time. */
const sessions = systemListOf({
  filters: { userId: usedByFrom, now: usedByFrom },
  from: (db, { userId, now }) => liveSessions(db, userId as string, now as string).select(SESSION_COLUMNS),
  order: newestFirst('auth_session'),
  show: (row, { currentId }: { currentId: string }) => shownSession(row, currentId),
})

/** Newest first. */
export const listLoginSessions = (
  context: { db: OutsideDb; cursors: Cursors; query: PageQuery; now: string },
  { userId, sessionId }: { userId: string; sessionId: string },
) => sessions({ ...context, currentId: sessionId, query: { ...context.query, userId, now: context.now } })

/** Locks a session of the user. @returns undefined when the user has no such session, or it has ended */
export const lockLiveSession = ({ db, now }: SystemTx, userId: string, sessionId: string) =>
  forNoKeyUpdate(
    db,
    liveSessions(db, userId, now).select(['id', 'client', 'ip', 'user_agent']).where('id', '=', sessionId),
  ).executeTakeFirst()

/**
 * Deletes sessions whose last refresh token has expired; until then a revoked session can be told from an unknown one.
 */
export const sweepSessions = async (
  tx: SystemTx,
  { slidingSeconds, longestSeconds }: SessionLifetime,
): Promise<void> => {
  // Sessions that were used while the clock was ahead expire too late: cut them to a full lifetime from now.
  const latest = { expires_at: slidingSeconds, ends_at: longestSeconds }
  for (const [column, seconds] of Object.entries(latest) as [keyof typeof latest, number][]) {
    await tx.db
      .updateTable('auth_session')
      .set({ [column]: plusSeconds(tx.now, seconds) })
      .where(column, '>', plusSeconds(tx.now, seconds + CLOCK_SLACK_SECONDS))
      .execute()
  }
  await tx.db.deleteFrom('auth_session').where('expires_at', '<=', tx.now).execute()
}
