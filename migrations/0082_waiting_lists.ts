import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Who waits for a place in a full group, in which order, and to whom a place is offered. */
export const waitingLists: Migration = {
  async up(db, kit) {
    const { text, id, instant, integer } = kit
    await kit
      .tenantTable(db, 'waiting_entry')
      .addColumn('group_id', id, (c) => c.notNull())
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('note', text)
      .addColumn('position', integer, (c) => c.notNull())
      .addColumn('offered_at', instant)
      .addColumn('offer_ends_at', instant)
      .addColumn('lapsed_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('group_id', 'group', 'cascade'))
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .execute()
    await kit.unique(db, 'waiting_entry', ['tenant_id', 'group_id', 'student_id'])
    await kit.index(db, 'waiting_entry', ['tenant_id', 'group_id', 'position', 'id'])
    await kit.index(db, 'waiting_entry', ['tenant_id', 'student_id'])
    await kit.index(db, 'waiting_entry', ['offer_ends_at', 'id'], sql`offer_ends_at is not null`)
  },
}
