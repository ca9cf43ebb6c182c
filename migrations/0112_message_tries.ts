import type { Migration } from '#db/schema-kit.ts'

/** What became of each attempt at a message, and a list of what was sent together. */
export const messageTries: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('notification').addColumn('tries', kit.json).execute()
    await kit.index(db, 'notification', ['tenant_id', 'source_id', 'created_at', 'id'])
  },
}
