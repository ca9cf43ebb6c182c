import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** The records that a file can be attached to, by the columns that name them. */
const OWNER_COLUMNS = [
  'user_id',
  'student_id',
  'guardian_id',
  'staff_id',
  'branch_id',
  'course_id',
  'group_id',
  'invoice_id',
]

/** Files can be attached to progress reports. */
export const reportFiles: Migration = {
  rebuilds: true,
  async up(db, kit) {
    await db.schema.alterTable('file').addColumn('progress_report_id', kit.id).execute()
    await kit.rebuild(db, 'file', {
      rules: [
        kit.belongsTo('progress_report_id', 'progress_report'),
        (table) =>
          table.addCheckConstraint(
            'file_attached_to_one',
            sql`${sql.join(
              [...OWNER_COLUMNS, 'progress_report_id'].map(
                (column) => sql`case when ${sql.id(column)} is null then 0 else 1 end`,
              ),
              sql` + `,
            )} <= 1`,
          ),
      ],
    })
    await kit.index(db, 'file', ['tenant_id', 'progress_report_id'], sql`progress_report_id is not null`)
  },
}
