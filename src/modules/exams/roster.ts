import type { ExpressionBuilder } from 'kysely'
import { compiledInTenant } from '#db/compiled.ts'
import { startOfLocalDay } from '#kernel/time/zone.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Row } from '#runtime/records/records.ts'
import { listOf, newestFirst, usedByFrom } from '#runtime/records/lists.ts'

/** Later than every stored instant. For an exam without a date it leaves out every student who dropped the group. */
const NEVER = '9999-12-31T23:59:59.999Z'

interface OfExam {
  examId: string
  groupId: string
  /** A student who dropped the group at this instant or later was still in it when the exam was held. */
  droppedFrom: string
}

const ofExam = (exam: Pick<Row<'exam'>, 'id' | 'group_id' | 'held_at'>, timezone: string): OfExam => ({
  examId: exam.id,
  groupId: exam.group_id,
  droppedFrom: exam.held_at === null ? NEVER : startOfLocalDay(exam.held_at, timezone),
})

const wasInGroup = (eb: ExpressionBuilder<Tables, 'enrollment'>, droppedFrom: string) =>
  eb.or([eb('enrollment.status', '!=', 'dropped'), eb('enrollment.dropped_at', '>=', droppedFrom)])

/**
 * The students who may have a result in an exam: those in its group, those who completed the group, those who dropped it on the
 * day of the exam or later, and those who already have a result, so that it can be corrected.
 */
const studentsOf = (whole: ScopedDb, { examId, groupId, droppedFrom }: OfExam) =>
  whole
    .selectFrom('enrollment')
    .select('enrollment.student_id')
    .where('enrollment.group_id', '=', groupId)
    .where((eb) => wasInGroup(eb, droppedFrom))
    .union(whole.selectFrom('exam_result').select('exam_result.student_id').where('exam_result.exam_id', '=', examId))

const idsOnRoster = compiledInTenant((whole, values: OfExam) => studentsOf(whole, values))

/** The ids of the students who may have a result in the exam. */
export const rosterOf = async (whole: ScopedDb, exam: Row<'exam'>, timezone: string): Promise<ReadonlySet<string>> =>
  new Set((await idsOnRoster(whole, ofExam(exam, timezone))).map((row) => row.student_id))

const listed = listOf({
  filters: { examId: usedByFrom, groupId: usedByFrom, droppedFrom: usedByFrom },
  from: (whole, given) =>
    whole
      .selectFrom('student')
      .leftJoin('exam_result', (join) =>
        join.onRef('exam_result.student_id', '=', 'student.id').on('exam_result.exam_id', '=', given.examId as string),
      )
      .where('student.id', 'in', studentsOf(whole, given as OfExam))
      .select(['student.id as student_id', 'student.student_number', 'student.first_name', 'student.last_name'])
      .select(['student.id', 'student.created_at'])
      .select(['exam_result.id as result_id', 'exam_result.score', 'exam_result.is_absent', 'exam_result.remarks'])
      .select(['exam_result.graded_by_user_id', 'exam_result.updated_at'])
      .select('exam_result.created_at as graded_at'),
  order: newestFirst('student'),
  show: (row, { exam }: { exam: Pick<Row<'exam'>, 'id'> }) => ({
    id: row.result_id,
    examId: exam.id,
    studentId: row.student_id,
    studentNumber: row.student_number,
    firstName: row.first_name,
    lastName: row.last_name,
    score: row.score,
    isAbsent: row.is_absent ?? false,
    remarks: row.remarks,
    gradedByUserId: row.graded_by_user_id,
    createdAt: row.graded_at,
    updatedAt: row.updated_at,
  }),
})

type Asked = Pick<Parameters<typeof listed>[0], 'cursors'> & {
  whole: ScopedDb
  query: { cursor?: string | undefined; limit: number }
  tenant: { timezone: string }
}

/** The students of the roster, each with the result where there is one. */
export const listRoster = ({ whole, query, tenant, ...context }: Asked, exam: Row<'exam'>) =>
  listed({ ...context, exam, db: whole, query: { ...query, ...ofExam(exam, tenant.timezone) } })
