import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Somebody who is not on the list of a lesson is added to it, and waits until it is decided whether they are enrolled. */
export const walkIns: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('attendance').addColumn('walk_in_at', kit.instant).execute()
    await kit.index(db, 'attendance', ['tenant_id', 'session_id', 'student_id'], sql`walk_in_at is not null`)
  },
}
