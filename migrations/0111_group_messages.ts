import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** How many messages teachers wrote to the families of a group today: two at once cannot pass what the institute allows. */
export const groupMessages: Migration = {
  async up(db, kit) {
    const { id, text, integer } = kit
    await db.schema
      .createTable('group_messages')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('group_id', id, (c) => c.notNull())
      // The day of the institute that is counted; what was written before it does not matter any more.
      .addColumn('day', text, (c) => c.notNull())
      .addColumn('sent', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('group_messages_pkey', ['tenant_id', 'group_id'])
      .addCheckConstraint('group_messages_sent_check', sql`sent > 0`)
      .$call(kit.belongsTo('group_id', 'group', 'cascade'))
      .execute()
  },
}
