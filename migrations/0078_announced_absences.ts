import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Absences of students that were announced ahead, by the office or by the family. */
export const announcedAbsences: Migration = {
  async up(db, kit) {
    const { text, id, date, instant } = kit
    await kit
      .tenantTable(db, 'announced_absence')
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('from_date', date, (c) => c.notNull())
      .addColumn('to_date', date, (c) => c.notNull())
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('announced_by_user_id', id, (c) => c.references('user.id'))
      .addColumn('by_guardian_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addCheckConstraint('announced_absence_dates_check', sql`to_date >= from_date`)
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .$call(kit.belongsTo('by_guardian_id', 'guardian'))
      .execute()
    await kit.index(db, 'announced_absence', ['tenant_id', 'student_id', 'from_date', 'id'])
    await kit.index(db, 'announced_absence', ['tenant_id', 'from_date', 'id'])
    await kit.index(db, 'announced_absence', ['tenant_id', 'by_guardian_id'], sql`by_guardian_id is not null`)
    await kit.index(db, 'announced_absence', ['announced_by_user_id'], sql`announced_by_user_id is not null`)
  },
}
