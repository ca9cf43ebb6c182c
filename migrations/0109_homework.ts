import type { Migration } from '#db/schema-kit.ts'

/** What students are to do at home after a session, and by when. */
export const homework: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('session').addColumn('homework', kit.json).execute()
  },
}
