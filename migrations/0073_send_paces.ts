import type { Migration } from '#db/schema-kit.ts'

/** When something was last sent to an address, to a person, or of a record, so that no inbox is flooded. */
export const sendPaces: Migration = {
  async up(db, kit) {
    const { id, text, json, instant } = kit
    await db.schema
      .createTable('send_pace')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('sent_millis', json, (c) => c.notNull())
      .addColumn('ends_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('send_pace_pkey', ['tenant_id', 'key'])
      .execute()
    await kit.index(db, 'send_pace', ['ends_at'])
  },
}
