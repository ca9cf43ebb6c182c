import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Exports of institutes: each institute has one at most. */
export const exports: Migration = {
  async up(db, kit) {
    const { id, text, instant, integer } = kit
    await kit
      .tenantTable(db, 'export')
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('percent', integer, (c) => c.notNull())
      .addColumn('requested_by_user_id', id, (c) => c.references('user.id'))
      .addColumn('size_bytes', integer)
      .addColumn('sha256', text)
      .addColumn('error', text)
      .addColumn('finished_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('export', 'status', ['queued', 'running', 'done', 'failed']))
      .addCheckConstraint('export_finished', sql`(status in ('done', 'failed')) = (finished_at is not null)`)
      .execute()
    await kit.unique(db, 'export', ['tenant_id'])
    await kit.index(db, 'export', ['finished_at'])
  },
}
