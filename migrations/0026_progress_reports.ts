import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Reports on the progress of students, with the figures as they were when the report was made. */
export const progressReports: Migration = {
  async up(db, kit) {
    const { id, text, instant, date, integer, json, real } = kit
    await kit
      .tenantTable(db, 'progress_report')
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('group_id', id)
      .addColumn('period_start', date, (c) => c.notNull())
      .addColumn('period_end', date, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('present', integer, (c) => c.notNull())
      .addColumn('absent', integer, (c) => c.notNull())
      .addColumn('late', integer, (c) => c.notNull())
      .addColumn('excused', integer, (c) => c.notNull())
      .addColumn('exams', json, (c) => c.notNull())
      .addColumn('average', real)
      .addColumn('comment', text)
      .addColumn('sent_at', instant)
      .addColumn('sent_by_user_id', id, (c) => c.references('user.id'))
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('progress_report_period_check', sql`period_end >= period_start`)
      .addCheckConstraint('progress_report_sent_check', sql`(status = 'sent') = (sent_at is not null)`)
      .$call(kit.oneOf('progress_report', 'status', ['draft', 'sent']))
      .$call(kit.belongsTo('student_id', 'student'))
      .$call(kit.belongsTo('group_id', 'group'))
      .execute()
    await kit.index(db, 'progress_report', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'progress_report', ['tenant_id', 'status', 'created_at', 'id'])
    await kit.index(db, 'progress_report', ['tenant_id', 'student_id', 'created_at', 'id'])
    await kit.index(db, 'progress_report', ['tenant_id', 'group_id', 'created_at', 'id'], sql`group_id is not null`)
  },
}
