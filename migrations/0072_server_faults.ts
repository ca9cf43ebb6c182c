import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Messages that wait for a mail server or a provider, or were given up because of it, are found without the others. */
export const serverFaults: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('notification').addColumn('server_failed_at', kit.instant).execute()
    await kit.index(
      db,
      'notification',
      ['tenant_id', 'channel', 'status', 'created_at', 'id'],
      sql`server_failed_at is not null`,
    )
  },
}
