import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Enquiries and registrations. */
export const leads: Migration = {
  rowsOfAValue: { assigned_to_user_id: 20_000 },
  async up(db, kit) {
    const { id, text, instant, json } = kit
    await kit
      .tenantTable(db, 'lead')
      .addColumn('source', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('first_name', text, (c) => c.notNull())
      .addColumn('last_name', text, (c) => c.notNull())
      .addColumn('phone', text)
      .addColumn('email', text)
      .addColumn('guardian', json)
      .addColumn('student_id', id)
      .addColumn('guardian_id', id)
      .addColumn('course_id', id)
      .addColumn('group_id', id)
      .addColumn('course_interest', text)
      .addColumn('message', text)
      .addColumn('locale', text, (c) => c.notNull())
      .addColumn('assigned_to_user_id', id, (c) => c.references('user.id'))
      .addColumn('note', text)
      .addColumn('unlinked_branch_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addColumn('search_text', text, (c) => c.notNull())
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .$call(kit.belongsTo('guardian_id', 'guardian'))
      .$call(kit.belongsTo('course_id', 'course'))
      .$call(kit.belongsTo('group_id', 'group'))
      .$call(kit.belongsTo('unlinked_branch_id', 'branch'))
      .$call(kit.oneOf('lead', 'source', ['widget', 'manual', 'import', 'api']))
      .$call(kit.oneOf('lead', 'status', ['new', 'contacted', 'converted', 'lost']))
      .$call(kit.oneOf('lead', 'locale', ['ar', 'en', 'he']))
      // A lead belongs to exactly one branch: through its student, or by its own column.
      .addCheckConstraint('lead_of_one_branch', sql`(student_id is null) <> (unlinked_branch_id is null)`)
      .execute()
    await kit.unique(db, 'lead', ['tenant_id', 'student_id'], sql`student_id is not null`)
    await kit.index(db, 'lead', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'lead', ['tenant_id', 'status', 'created_at', 'id'])
    for (const column of ['course_id', 'group_id', 'assigned_to_user_id', 'unlinked_branch_id']) {
      await kit.index(db, 'lead', ['tenant_id', column, 'created_at', 'id'], sql`${sql.ref(column)} is not null`)
    }
    await kit.index(db, 'lead', ['tenant_id', 'guardian_id'], sql`guardian_id is not null`)
    await kit.searchIndex(db, 'lead')
  },
}
