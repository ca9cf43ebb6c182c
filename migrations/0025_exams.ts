import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Exams of groups, and what each student scored. */
export const exams: Migration = {
  rowsOfAValue: { exam_id: 30 },
  async up(db, kit) {
    const { id, text, instant, date, flag, real } = kit
    await kit
      .tenantTable(db, 'exam')
      .addColumn('group_id', id, (c) => c.notNull())
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('max_score', real, (c) => c.notNull())
      .addColumn('weight', real, (c) => c.notNull())
      .addColumn('held_at', date)
      .addColumn('published_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('exam_max_score_check', sql`max_score >= 0`)
      .addCheckConstraint('exam_weight_check', sql`weight >= 0`)
      .$call(kit.oneOf('exam', 'kind', ['quiz', 'exam', 'homework', 'project', 'final']))
      .$call(kit.belongsTo('group_id', 'group', 'cascade'))
      .execute()
    await kit.index(db, 'exam', ['tenant_id', 'group_id', 'created_at', 'id'])

    await kit
      .tenantTable(db, 'exam_result')
      .addColumn('exam_id', id, (c) => c.notNull())
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('score', real)
      .addColumn('is_absent', flag, (c) => c.notNull())
      .addColumn('remarks', text)
      .addColumn('graded_by_user_id', id, (c) => c.references('user.id'))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('exam_result_score_check', sql`score >= 0`)
      .$call(kit.belongsTo('exam_id', 'exam'))
      .$call(kit.belongsTo('student_id', 'student'))
      .execute()
    await kit.unique(db, 'exam_result', ['tenant_id', 'exam_id', 'student_id'])
    await kit.index(db, 'exam_result', ['tenant_id', 'student_id', 'created_at', 'id'])
  },
}
