import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * Stores who gave a session that was held, so that a later change of the group's teacher does not affect it. For
 * earlier sessions the substitute, or else the group's current teacher, is the best guess.
 */
export const sessionTeachers: Migration = {
  async up(db, kit) {
    const { id } = kit
    await db.schema
      .createTable('session_teacher')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('session_id', id, (c) => c.notNull())
      .addColumn('staff_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('session_teacher_pkey', ['tenant_id', 'session_id'])
      .$call(kit.belongsTo('session_id', 'session', 'cascade'))
      .$call(kit.belongsTo('staff_id', 'staff'))
      .execute()
    await kit.index(db, 'session_teacher', ['tenant_id', 'staff_id'])
    await sql`
      insert into session_teacher (tenant_id, session_id, staff_id)
      select s.tenant_id, s.id, coalesce(s.teacher_staff_id, g.teacher_staff_id)
      from session s join "group" g on g.tenant_id = s.tenant_id and g.id = s.group_id
      where s.status = 'held' and coalesce(s.teacher_staff_id, g.teacher_staff_id) is not null
    `.execute(db)
  },
}
