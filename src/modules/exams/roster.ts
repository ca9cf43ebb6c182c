import type { ExpressionBuilder } from 'kysely'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Row } from '#runtime/records/records.ts'
import { listOf, newestFirst, usedByFrom } from '#runtime/records/lists.ts'

interface OfExam {
  examId: string
  groupId: string
  /** The day of the exam, and its first instant and that of the next day. */
  day: string
  dayFrom: string
  dayTo: string
}

type DatedExam = Pick<Row<'exam'>, 'id' | 'group_id' | 'held_at' | 'created_at'>

/** An exam without a date is of the day on which it was made. */
export const dayOfExam = (exam: Pick<DatedExam, 'held_at' | 'created_at'>, timezone: string): string =>
  exam.held_at ?? localDate(exam.created_at, timezone)

const ofExam = (exam: DatedExam, timezone: string): OfExam => {
  const day = dayOfExam(exam, timezone)
  return {
    examId: exam.id,
    groupId: exam.group_id,
    day,
    dayFrom: startOfLocalDay(day, timezone),
    dayTo: startOfLocalDay(addDays(day, 1), timezone),
  }
}

const ENDS = ['enrollment.dropped_at', 'enrollment.completed_at', 'enrollment.ended_at'] as const

/** Whether the student was in the group on the day, the first and the last day included. */
const wasInGroup = (eb: ExpressionBuilder<Tables, 'enrollment'>, { dayFrom, dayTo }: OfExam) =>
  eb.and([
    eb('enrollment.enrolled_at', '<', dayTo),
    ...ENDS.map((end) => eb.or([eb(end, 'is', null), eb(end, '>=', dayFrom)])),
  ])

const paused = (eb: ExpressionBuilder<Tables, 'enrollment'>, { day }: OfExam) =>
  eb.exists(
    eb
      .selectFrom('student_pause')
      .select('student_pause.id')
      .whereRef('student_pause.student_id', '=', 'enrollment.student_id')
      .where('student_pause.paused_from', '<=', day)
      .where((pause) =>
        pause.or([pause('student_pause.paused_to', 'is', null), pause('student_pause.paused_to', '>=', day)]),
      ),
  )

/**
 * The students who may have a result in an exam: those who were in its group on its day and did not pause then, and those
 * who already have a result, so that it can be corrected.
 */
const studentsOf = (whole: ScopedDb, exam: OfExam) =>
  whole
    .selectFrom('enrollment')
    .select('enrollment.student_id')
    .where('enrollment.group_id', '=', exam.groupId)
    .where((eb) => eb.and([wasInGroup(eb, exam), eb.not(paused(eb, exam))]))
    .union(
      whole.selectFrom('exam_result').select('exam_result.student_id').where('exam_result.exam_id', '=', exam.examId),
    )

const idsOnRoster = compiledInTenant((whole, values: OfExam) => studentsOf(whole, values))

/** The ids of the students who may have a result in the exam. */
export const rosterOf = async (whole: ScopedDb, exam: Row<'exam'>, timezone: string): Promise<ReadonlySet<string>> =>
  new Set((await idsOnRoster(whole, ofExam(exam, timezone))).map((row) => row.student_id))

const listed = listOf({
  filters: { examId: usedByFrom, groupId: usedByFrom, day: usedByFrom, dayFrom: usedByFrom, dayTo: usedByFrom },
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
