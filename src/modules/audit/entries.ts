import * as v from 'valibot'
import { shows } from '#kernel/fields.ts'
import { id, instant, orNull, ts, uuid } from '#kernel/schema.ts'
import type { ScopedDb } from '#kernel/tables.ts'

const record = v.record(v.string(), v.unknown())

export const AuditEntry = v.object({
  id,
  tenantId: orNull(id),
  actorUserId: orNull(id),
  actorType: v.string(),
  channel: v.string(),
  action: v.string(),
  entityType: v.string(),
  entityId: orNull(id),
  before: orNull(record),
  after: orNull(record),
  metadata: orNull(record),
  requestId: orNull(v.string()),
  ip: orNull(v.string()),
  createdAt: ts,
})
export type AuditEntry = v.InferOutput<typeof AuditEntry>

const word = v.pipe(v.string(), v.trim(), v.maxLength(100, 'Must have at most 100 characters.'))

/** What a list of audit entries can be narrowed by. */
export const auditFilters = {
  action: v.optional(word),
  entityType: v.optional(word),
  entityId: v.optional(uuid),
  actorUserId: v.optional(uuid),
  from: v.optional(instant),
  to: v.optional(instant),
}
const Filters = v.object(auditFilters)
export type AuditFilters = v.InferOutput<typeof Filters>

/** The entries that `db` reaches and the filters leave, without an order. */
export const auditQuery = (db: ScopedDb, { action, entityType, entityId, actorUserId, from, to }: AuditFilters) => {
  let query = db.selectFrom('audit_entry').selectAll()
  if (action !== undefined) query = query.where('action', '=', action)
  if (entityType !== undefined) query = query.where('entity_type', '=', entityType)
  if (entityId !== undefined) query = query.where('entity_id', '=', entityId)
  if (actorUserId !== undefined) query = query.where('actor_user_id', '=', actorUserId)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (to !== undefined) query = query.where('created_at', '<=', to)
  return query
}

type Recorded = Record<string, unknown> | null

export const toAuditEntry = shows(AuditEntry, {
  before: (row: { before: unknown }) => row.before as Recorded,
  after: (row: { after: unknown }) => row.after as Recorded,
  metadata: (row: { metadata: unknown }) => row.metadata as Recorded,
})
