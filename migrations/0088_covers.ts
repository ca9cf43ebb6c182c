import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Teachers who stand in for another from day to day, and which sessions they got by it from whom. */
export const covers: Migration = {
  async up(db, kit) {
    const { text, id, date, instant, json } = kit
    await kit
      .tenantTable(db, 'cover')
      .addColumn('staff_id', id, (c) => c.notNull())
      .addColumn('substitute_staff_id', id, (c) => c.notNull())
      .addColumn('from_date', date, (c) => c.notNull())
      .addColumn('to_date', date, (c) => c.notNull())
      // null: all groups of the teacher.
      .addColumn('group_ids', json)
      .addColumn('reason', text)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addCheckConstraint('cover_dates_check', sql`to_date >= from_date`)
      .addCheckConstraint('cover_of_another_check', sql`staff_id <> substitute_staff_id`)
      .$call(kit.belongsTo('staff_id', 'staff'))
      .$call(kit.belongsTo('substitute_staff_id', 'staff'))
      .execute()
    await kit.index(db, 'cover', ['tenant_id', 'from_date', 'id'])
    await kit.index(db, 'cover', ['tenant_id', 'staff_id', 'from_date', 'id'])
    await kit.index(db, 'cover', ['tenant_id', 'substitute_staff_id', 'from_date', 'id'])

    await kit
      .tenantTable(db, 'covered_session')
      .addColumn('cover_id', id, (c) => c.notNull())
      .addColumn('session_id', id, (c) => c.notNull())
      // Who was the substitute before; null: the group's own teacher gave it.
      .addColumn('former_staff_id', id)
      .$call(kit.belongsTo('cover_id', 'cover', 'cascade'))
      .$call(kit.belongsTo('session_id', 'session', 'cascade'))
      .$call(kit.belongsTo('former_staff_id', 'staff'))
      .execute()
    await kit.unique(db, 'covered_session', ['tenant_id', 'cover_id', 'session_id'])
    await kit.index(db, 'covered_session', ['tenant_id', 'session_id'])
    await kit.index(db, 'covered_session', ['tenant_id', 'former_staff_id'], sql`former_staff_id is not null`)
  },
}
