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
  'progress_report_id',
]

const ADDED = [
  ['session_id', 'session'],
  ['exam_id', 'exam'],
] as const

/** Files can be attached to sessions and to exams; of a progress report it is kept who handed it in, and of a message by hand who sent it. */
export const teachingAtHome: Migration = {
  rebuilds: true,
  // The version before takes a file of a session for one of nobody, which others then read.
  alone: true,
  async up(db, kit) {
    // null: nobody did, or a version did that did not keep it.
    await db.schema
      .alterTable('progress_report')
      .addColumn('submitted_by_user_id', kit.id, (c) => c.references('user.id'))
      .execute()
    await db.schema
      .alterTable('notification')
      .addColumn('sent_by_user_id', kit.id, (c) => c.references('user.id'))
      .execute()
    await kit.index(
      db,
      'notification',
      ['tenant_id', 'sent_by_user_id', 'created_at', 'id'],
      sql`sent_by_user_id is not null`,
    )
    for (const [column] of ADDED) await db.schema.alterTable('file').addColumn(column, kit.id).execute()
    await kit.rebuild(db, 'file', {
      rules: [
        ...ADDED.map(([column, table]) => kit.belongsTo(column, table)),
        (table) =>
          table.addCheckConstraint(
            'file_attached_to_one',
            sql`${sql.join(
              [...OWNER_COLUMNS, ...ADDED.map(([column]) => column)].map(
                (column) => sql`case when ${sql.id(column)} is null then 0 else 1 end`,
              ),
              sql` + `,
            )} <= 1`,
          ),
      ],
    })
    for (const [column] of ADDED) {
      await kit.index(db, 'file', ['tenant_id', column], sql`${sql.id(column)} is not null`)
    }
  },
}
