import type { Migration } from '#db/schema-kit.ts'

/** When that happens of which a message tells: one about a lesson does not wait in quiet hours until the lesson is over. */
export const quietHours: Migration = {
  async up(db, { instant }) {
    await db.schema.alterTable('notification').addColumn('happens_at', instant).execute()
  },
}
