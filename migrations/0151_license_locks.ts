import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Since when a licence is locked, and why: both stood in the command alone, which every server has taken at some time. */
export const licenseLocks: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('license').addColumn('locked_at', kit.instant).execute()
    await db.schema.alterTable('license').addColumn('locked_reason', kit.text).execute()
    await sql`
      update license set locked_at = command.issued_at, locked_reason = command.reason
      from license_command as command
      where command.license_id = license.id and command.seq = license.last_seq and license.state = 'locked'
    `.execute(db)
  },
}
