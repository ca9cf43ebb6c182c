import { readBounded } from '#db/queries/long-reads.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fullName } from '#modules/people/index.ts'
import type { Row } from '#runtime/records/records.ts'
import { averageOf } from './average.ts'
import type { Cell, Gradebook } from './gradebook-schemas.ts'
import { dayOfExam, rosterOf } from './roster.ts'
import { toExam } from './service.ts'

interface Asked {
  groupId: string
  /** Of the exams made last. */
  count: number
  timezone: string
}

/** By their day; those of one day as they were made. */
const findExams = async (whole: ScopedDb, { groupId, count, timezone }: Asked): Promise<Row<'exam'>[]> => {
  const latest = await whole
    .selectFrom('exam')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
  return latest.toReversed().toSorted((one, other) => compared(dayOfExam(one, timezone), dayOfExam(other, timezone)))
}

/** Whoever is or was in the group, or has a result in one of the exams; by name. */
const findStudents = (whole: ScopedDb, groupId: string, examIds: readonly string[]) => {
  const members = whole.selectFrom('enrollment').select('student_id').where('group_id', '=', groupId)
  const marked = whole.selectFrom('exam_result').select('student_id').where('exam_id', 'in', examIds)
  return readBounded(
    whole
      .selectFrom('student')
      .select(['id', 'student_number', 'first_name', 'last_name'])
      .where('id', 'in', examIds.length === 0 ? members : members.union(marked))
      .orderBy('sort_name')
      .orderBy('id'),
    'student.id',
  )
}

const findMembers = async (whole: ScopedDb, groupId: string): Promise<ReadonlySet<string>> => {
  const rows = await whole
    .selectFrom('enrollment')
    .select('student_id')
    .where('group_id', '=', groupId)
    .where('status', '=', 'active')
    .execute()
  return new Set(rows.map((row) => row.student_id))
}

const findResults = async (whole: ScopedDb, examIds: readonly string[]): Promise<ReadonlyMap<string, Cell>> => {
  if (examIds.length === 0) return new Map()
  const rows = await readBounded(
    whole
      .selectFrom('exam_result')
      .select(['exam_id', 'student_id', 'score', 'is_absent', 'remarks', 'updated_at'])
      .where('exam_id', 'in', examIds),
    'exam_result.id',
  )
  return new Map(
    rows.map((row) => [
      `${row.exam_id} ${row.student_id}`,
      { score: row.score, isAbsent: row.is_absent, remarks: row.remarks, updatedAt: row.updated_at },
    ]),
  )
}

const NOTHING: Cell = { score: null, isAbsent: false, remarks: null, updatedAt: null }

const meanOf = (scores: readonly number[]): number | null =>
  scores.length === 0 ? null : Math.round((10 * scores.reduce((sum, score) => sum + score, 0)) / scores.length) / 10

/**
 * The students of a group beside its exams. A student stands in it who was in the group on the day of one of the exams, has
 * a result in one, or is in the group now.
 */
export const readGradebook = async (whole: ScopedDb, asked: Asked): Promise<Gradebook> => {
  const exams = await findExams(whole, asked)
  const ids = exams.map(({ id }) => id)
  const results = await findResults(whole, ids)
  const rosters: ReadonlySet<string>[] = []
  // oxlint-disable-next-line no-await-in-loop -- one statement that is planned once
  for (const exam of exams) rosters.push(await rosterOf(whole, exam, asked.timezone))
  const members = await findMembers(whole, asked.groupId)
  const shown = (await findStudents(whole, asked.groupId, ids)).filter(
    ({ id }) => members.has(id) || rosters.some((roster) => roster.has(id)),
  )

  const cellOf = (studentId: string, at: number): Cell | null =>
    rosters[at]?.has(studentId) ? (results.get(`${ids[at]} ${studentId}`) ?? NOTHING) : null
  const students = shown.map((student) => {
    const cells = ids.map((_, at) => cellOf(student.id, at))
    const scored = cells.map((cell, at) => {
      const { max_score: maxScore, weight } = exams[at] as Row<'exam'>
      return { score: cell === null || cell.isAbsent ? null : cell.score, maxScore, weight }
    })
    return {
      studentId: student.id,
      studentNumber: student.student_number,
      fullName: fullName(student),
      average: averageOf(scored),
      results: cells,
    }
  })
  return {
    groupId: asked.groupId,
    exams: exams.map((exam, at) => {
      const cells = students.flatMap((student) => student.results[at] ?? [])
      const entered = cells.filter(({ updatedAt }) => updatedAt !== null)
      const scores = entered.flatMap(({ score, isAbsent }) => (isAbsent || score === null ? [] : score))
      return {
        ...toExam(exam),
        entered: entered.length,
        missing: cells.length - entered.length,
        average: meanOf(scores),
      }
    }),
    students,
  }
}
