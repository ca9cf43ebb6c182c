import * as v from 'valibot'
import { shows } from '#kernel/values/fields.ts'
import { explained, named } from '#kernel/values/named.ts'
import { id, instant, orNull, pageQuery, ts, uuid } from '#kernel/values/schema.ts'
import { everywhereListOf, listOf, newestFirst, type Conditions } from '#runtime/records/lists.ts'

const words = {
  actorUserId: 'The account that did it; null: no account did.',
  actorType: 'What did it: a user, an API key, a job and so on.',
  actorName:
    'What the account is called that did it; null: no account did, it is gone, or the log is that of the platform.',
  channel: 'The way it came by.',
  action: 'The id of the operation.',
  entityType: 'What kind of record it changed.',
  entityId: 'The record that it changed; null: none is named.',
  before: 'The record as it was, as far as it changed; null: there was none.',
  after: 'The record as it is since, as far as it changed; null: there is none.',
  metadata: 'What else is known of it; null: nothing.',
  requestId: 'The request, as in X-Request-Id; null: it was no request.',
  ip: 'The address from which it came; null: from none.',
  tenantId: 'The institute; null: it concerns none.',
  studentName:
    'What the student is called whom the record is of, such as that of an enrollment; null: it is of none, the student is gone, or the log is that of the platform.',
  groupName: 'What the group is called that the record is of; null: as with studentName.',
}

const record = v.record(v.string(), v.unknown())

export const AuditEntry = named(
  'AuditEntry',
  v.object({
    id,
    tenantId: orNull(id),
    actorUserId: orNull(id),
    actorType: v.string(),
    actorName: orNull(v.string()),
    channel: v.string(),
    action: v.string(),
    entityType: v.string(),
    entityId: orNull(id),
    studentName: orNull(v.string()),
    groupName: orNull(v.string()),
    before: orNull(record),
    after: orNull(record),
    metadata: orNull(record),
    requestId: orNull(v.string()),
    ip: orNull(v.string()),
    createdAt: ts,
  }),
  words,
)
export type AuditEntry = v.InferOutput<typeof AuditEntry>

const word = v.pipe(v.string(), v.trim(), v.maxLength(100, 'Must have at most 100 characters.'))

/** The filters of a list of audit entries. */
const auditFilters = {
  action: v.optional(word),
  entityType: v.optional(word),
  entityId: v.optional(uuid),
  actorUserId: v.optional(uuid),
  from: v.optional(instant),
  to: v.optional(instant),
}

export const AuditQuery = explained(pageQuery(auditFilters), words)
export const PlatformAuditQuery = explained(pageQuery({ ...auditFilters, tenantId: v.optional(uuid) }), words)
type Recorded = Record<string, unknown> | null

export const toAuditEntry = shows(AuditEntry, {
  before: (row: { before: unknown }) => row.before as Recorded,
  after: (row: { after: unknown }) => row.after as Recorded,
  metadata: (row: { metadata: unknown }) => row.metadata as Recorded,
  actorName: () => null,
  studentName: () => null,
  groupName: () => null,
})

const conditions = {
  action: 'audit_entry.action',
  entityType: 'audit_entry.entity_type',
  entityId: 'audit_entry.entity_id',
  actorUserId: 'audit_entry.actor_user_id',
  from: (eb: Conditions, from: string) => eb('audit_entry.created_at', '>=', from),
  to: (eb: Conditions, to: string) => eb('audit_entry.created_at', '<=', to),
} as const

/** Newest first. */
export const listEntries = listOf({
  filters: conditions,
  from: (db) => db.selectFrom('audit_entry').selectAll(),
  order: newestFirst('audit_entry'),
  show: toAuditEntry,
})

/** The entries of all institutes, and those that belong to no institute. Newest first. */
export const listPlatformAudit = everywhereListOf({
  filters: { ...conditions, tenantId: 'audit_entry.tenant_id' },
  from: (db) => db.selectFrom('audit_entry').selectAll(),
  order: newestFirst('audit_entry'),
  show: toAuditEntry,
})
