import * as v from 'valibot'
import { shows } from '#kernel/fields.ts'
import { id, instant, orNull, ts, uuid } from '#kernel/schema.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'

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

/** The filters of a list of audit entries. */
export const auditFilters = {
  action: v.optional(word),
  entityType: v.optional(word),
  entityId: v.optional(uuid),
  actorUserId: v.optional(uuid),
  from: v.optional(instant),
  to: v.optional(instant),
}
type Recorded = Record<string, unknown> | null

export const toAuditEntry = shows(AuditEntry, {
  before: (row: { before: unknown }) => row.before as Recorded,
  after: (row: { after: unknown }) => row.after as Recorded,
  metadata: (row: { metadata: unknown }) => row.metadata as Recorded,
})

/** Newest first. */
export const listAudit = listOf({
  filters: {
    action: 'audit_entry.action',
    entityType: 'audit_entry.entity_type',
    entityId: 'audit_entry.entity_id',
    actorUserId: 'audit_entry.actor_user_id',
    from: (eb, from: string) => eb('audit_entry.created_at', '>=', from),
    to: (eb, to: string) => eb('audit_entry.created_at', '<=', to),
  },
  from: (db) => db.selectFrom('audit_entry').selectAll(),
  order: newestFirst('audit_entry'),
  show: toAuditEntry,
})
