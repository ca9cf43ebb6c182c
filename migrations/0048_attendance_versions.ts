import type { Migration } from '#db/schema-kit.ts'

/**
 * Counts the changes of a session's attendance, and stores with each entry in which of them it was changed last, so that
 * who takes attendance can be told what somebody else changed meanwhile.
 */
export const attendanceVersions: Migration = {
  async up(db, kit) {
    await db.schema
      .alterTable('session')
      .addColumn('attendance_version', kit.integer, (c) => c.notNull().defaultTo(1))
      .execute()
    await db.schema
      .alterTable('attendance')
      .addColumn('version', kit.integer, (c) => c.notNull().defaultTo(1))
      .execute()
  },
}
