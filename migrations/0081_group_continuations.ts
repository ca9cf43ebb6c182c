import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Which group goes on from which other one in a new year, and what is still to be done for it. */
export const groupContinuations: Migration = {
  async up(db, kit) {
    const { id, instant, json } = kit
    await kit
      .tenantTable(db, 'group_continuation')
      .addColumn('rollover_id', id, (c) => c.notNull())
      .addColumn('from_group_id', id, (c) => c.notNull())
      .addColumn('to_group_id', id, (c) => c.notNull())
      .addColumn('student_ids', json, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('filled_at', instant)
      .addColumn('ended_at', instant)
      .$call(kit.belongsTo('from_group_id', 'group', 'cascade'))
      .$call(kit.belongsTo('to_group_id', 'group', 'cascade'))
      .execute()
    await kit.index(db, 'group_continuation', ['tenant_id', 'from_group_id'])
    await kit.unique(db, 'group_continuation', ['tenant_id', 'to_group_id'])
    await kit.index(db, 'group_continuation', ['tenant_id', 'rollover_id', 'id'])
    await kit.index(db, 'group_continuation', ['id'], sql`ended_at is null`)
  },
}
