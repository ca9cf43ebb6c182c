import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Since when a group has its status. Of those that are over, as the audit log has it. */
export const statusSince: Migration = {
  async up(db, { instant }) {
    await db.schema.alterTable('group').addColumn('status_since', instant).execute()
    const over = await sql<{ id: string; tenant_id: string; status: string }>`
      select id, tenant_id, status from "group" where status in ('completed', 'cancelled')
    `.execute(db)
    for (const group of over.rows) {
      const since = await changedAt(group).execute(db)
      const [entry] = since.rows.filter(({ before, after }) => {
        return statusIn(after) === group.status && statusIn(before) !== group.status
      })
      if (!entry) continue
      await sql`update "group" set status_since = ${entry.created_at}
        where tenant_id = ${group.tenant_id} and id = ${group.id}`.execute(db)
    }
  },
}

/** What is told of a group, the latest first. */
const changedAt = ({ id, tenant_id: tenantId }: { id: string; tenant_id: string }) => sql<{
  created_at: string
  before: unknown
  after: unknown
}>`
  select created_at, before, after from audit_entry
  where tenant_id = ${tenantId} and entity_type = 'group' and entity_id = ${id} and after is not null
  order by created_at desc, id desc
`

/** SQLite has JSON as text. */
const statusIn = (record: unknown): unknown => {
  const read: unknown = typeof record === 'string' ? JSON.parse(record) : record
  return read === null || typeof read !== 'object' ? undefined : (read as { status?: unknown }).status
}
