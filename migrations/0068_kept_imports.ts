import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * Imports note what their rows hold, because only who may write that reads it, and how much is kept of the rows that were
 * refused. Jobs that run few at once wait in a lane of their institute.
 */
export const keptImports: Migration = {
  async up(db, kit) {
    const { text, integer } = kit
    await db.schema.alterTable('import').addColumn('content', text).execute()
    await db.schema
      .alterTable('import')
      .addColumn('kept_bytes', integer, (c) => c.notNull().defaultTo(0))
      .execute()
    await sql`
      update import set content = 'families'
      where kind = 'students' and (
        cast(mapping as text) like '%"guardianPhone"%' or cast(mapping as text) like '%"guardian2Phone"%'
        or cast(mapping as text) like '%"motherPhone"%' or cast(mapping as text) like '%"fatherPhone"%'
      )
    `.execute(db)
    await sql`
      update import set kept_bytes = (
        select coalesce(sum(length(cast(cells as text)) + length(cast(reasons as text))), 0) from import_refusal
        where import_refusal.tenant_id = import.tenant_id and import_refusal.import_id = import.id
      )
    `.execute(db)
    // Those of an institute that have not ended, and those that keep something.
    await kit.index(db, 'import', ['tenant_id', 'id'], sql`finished_at is null`)
    await kit.index(db, 'import', ['tenant_id', 'finished_at', 'id'], sql`kept_bytes > 0`)
    await sql`
      update job set lane = cast(tenant_id as text) || ':' || kind
      where kind in ('imports.run', 'export.make') and tenant_id is not null and state in ('queued', 'paused')
    `.execute(db)
  },
}
