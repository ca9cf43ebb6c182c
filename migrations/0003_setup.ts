import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * The one institute of a self-hosted installation. The table has at most one row: of two concurrent setups, one
 * succeeds.
 */
export const setup: Migration = {
  async up(db, kit) {
    await db.schema
      .createTable('installation')
      .addColumn('singleton', 'integer', (c) => c.primaryKey().check(sql`singleton = 1`))
      .addColumn('tenant_id', kit.id, (c) => c.notNull().references('tenant.id'))
      .addColumn('created_at', kit.instant, (c) => c.notNull())
      .execute()
  },
}
