import type { Caller } from '#kernel/who/actor.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { compiled } from '#db/queries/compiled.ts'
import type { PageQuery } from '#runtime/records/cursors.ts'
import { everywhereListOf, newestFirst, usedByFrom } from '#runtime/records/lists.ts'
import type { SealedDevice } from '../channels/channel.ts'
import type { OwnDevice } from './schemas.ts'
import '#modules/identity/index.ts'

/**
 * A browser gets push messages as long as the session lives in which it was registered. The delivery looks at the session
 * itself, so the code that ends sessions need not know of browsers.
 */

/** A device, and the session in which it was registered. */
export interface Registered extends SealedDevice {
  revoked_at: string | null
  expires_at: string
}

export const isLive = ({ revoked_at: revokedAt, expires_at: expiresAt }: Registered, now: string): boolean =>
  revokedAt === null && expiresAt > now

/** The browsers of a person in an institute, with their sessions. */
export const findDevices: (db: SystemDb, of: { tenantId: string; userId: string }) => Promise<Registered[]> = compiled(
  (db, { tenantId, userId }: { tenantId: string; userId: string }) =>
    db
      .selectFrom('push_device')
      .innerJoin('auth_session', 'auth_session.id', 'push_device.auth_session_id')
      .select(['push_device.id', 'push_device.subscription', 'push_device.application_server_key'])
      .select(['auth_session.revoked_at', 'auth_session.expires_at'])
      .where('push_device.tenant_id', '=', tenantId)
      .where('push_device.user_id', '=', userId)
      .orderBy('push_device.id'),
)

/** `userId`, `tenantId` and `now` select the browsers that get messages at that time. */
const devices = everywhereListOf({
  filters: { userId: 'push_device.user_id', tenantId: 'push_device.tenant_id', now: usedByFrom },
  from: (db, { now }) =>
    db
      .selectFrom('push_device')
      .innerJoin('auth_session', 'auth_session.id', 'push_device.auth_session_id')
      .select(['push_device.id', 'push_device.auth_session_id', 'push_device.created_at'])
      .select(['auth_session.user_agent', 'auth_session.last_used_at'])
      .where('auth_session.revoked_at', 'is', null)
      .where('auth_session.expires_at', '>', now as string),
  order: newestFirst('push_device'),
  show: (row, { currentId }: { currentId: string }): OwnDevice => ({
    id: row.id,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    current: row.auth_session_id === currentId,
  }),
})

/** Newest first. */
export const listDevices = async (
  { query, ...context }: { db: SystemDb; cursors: Cursors; query: PageQuery; now: string },
  caller: Caller | null,
): Promise<Page<OwnDevice>> => {
  const actor = caller?.actor
  if (actor?.type !== 'user' || !caller?.tenant) return { data: [], nextCursor: null }
  return devices({
    ...context,
    currentId: actor.sessionId,
    query: { ...query, userId: actor.userId, tenantId: caller.tenant.id, now: context.now },
  })
}

/** Deletes the browsers of sessions that have ended. */
export const forgetEnded = async (db: SystemDb, now: string): Promise<void> => {
  const ended = db
    .selectFrom('auth_session')
    .select('id')
    .where((eb) => eb.or([eb('revoked_at', 'is not', null), eb('expires_at', '<=', now)]))
  await db.deleteFrom('push_device').where('auth_session_id', 'in', ended).execute()
}
