import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** What families propose to change in what is kept of them. */
export const proposedChanges: Migration = {
  rowsOfAValue: { by_user_id: 4 },
  async up(db, kit) {
    const { id, text, integer, json, instant } = kit
    await kit
      .tenantTable(db, 'proposed_change')
      .addColumn('student_id', id)
      .addColumn('guardian_id', id)
      .addColumn('by_user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('proposed', json, (c) => c.notNull())
      .addColumn('was', json, (c) => c.notNull())
      .addColumn('note', text)
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('accepted_fields', json, (c) => c.notNull())
      .addColumn('remark', text)
      .addColumn('decided_by_user_id', id, (c) => c.references('user.id'))
      .addColumn('decided_at', instant)
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('proposed_change', 'status', ['open', 'accepted', 'declined', 'withdrawn']))
      .addCheckConstraint('proposed_change_holder_check', sql`(student_id is null) <> (guardian_id is null)`)
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .$call(kit.belongsTo('guardian_id', 'guardian', 'cascade'))
      .execute()
    await kit.index(db, 'proposed_change', ['tenant_id', 'status', 'created_at', 'id'])
    for (const column of ['student_id', 'guardian_id']) {
      const columns = ['tenant_id', column, 'by_user_id']
      await kit.index(db, 'proposed_change', [...columns, 'created_at'], sql`${sql.ref(column)} is not null`)
      // Somebody proposes one thing at a time of a record: what they propose next takes its place.
      await kit.unique(db, 'proposed_change', columns, sql`status = 'open' and ${sql.ref(column)} is not null`)
    }
    await kit.index(db, 'proposed_change', ['by_user_id'])
    await kit.index(db, 'proposed_change', ['decided_by_user_id'], sql`decided_by_user_id is not null`)
  },
}
