import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** A progress report may be read over by somebody else before it is sent, who can return it with a remark. */
export const reportApproval: Migration = {
  async up(db, kit) {
    // null: it does not wait for anybody.
    await db.schema.alterTable('progress_report').addColumn('submitted_at', kit.instant).execute()
    await db.schema.alterTable('progress_report').addColumn('remark', kit.text).execute()
    await kit.index(
      db,
      'progress_report',
      ['tenant_id', 'created_at', 'id', 'submitted_at'],
      sql`submitted_at is not null`,
    )
  },
}
