import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * Of a receipt one original is handed out, and copies after it. Those from before this step were printed or not, nobody
 * knows: from now on they are copies.
 */
export const originals: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('receipt').addColumn('original_at', kit.instant).execute()
    // An account, an API key, or the message that took it by mail: an id that is of no single table.
    await db.schema.alterTable('receipt').addColumn('original_to', kit.id).execute()
    await sql`update receipt set original_at = created_at`.execute(db)
  },
}
