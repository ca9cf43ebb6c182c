import type { Migration } from '#db/schema-kit.ts'

/** Whoever is invited to teach gets a staff record when they accept. */
export const staffInvitations: Migration = {
  async up(db, kit) {
    await db.schema
      .alterTable('invitation')
      .addColumn('joins_staff', kit.flag, (c) => c.notNull().defaultTo(kit.engine === 'postgres' ? false : 0))
      .execute()
  },
}
