import { actingUserId } from '#kernel/who/actor.ts'
import { failure, invalid, type Issue, ISSUES } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { withoutNotesOfErased } from '#modules/people/index.ts'
import { listUnder, newestFirst } from '#runtime/records/lists.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import { rosterOf } from './roster.ts'
import { ExamResult, type ExamResults, type Score } from './schemas.ts'
import { examRecord } from './service.ts'

export const NotInGroup = failure('VALIDATION_ERROR', 'not_in_group', 'The student is not in the group of the exam.', {
  details: {
    schema: ISSUES.schema,
    example: {
      issues: [{ path: ['results', '0', 'studentId'], message: 'The student is not in the group of the exam.' }],
    },
  },
})

const toResult = shows(ExamResult)

/** @throws VALIDATION_ERROR for a score above maxScore or a student named twice, NotInGroup */
export const checkScores = (
  scores: readonly Pick<Score, 'studentId' | 'score'>[],
  { maxScore, roster }: { maxScore: number; roster: ReadonlySet<string> },
  path: readonly string[],
): void => {
  const seen = new Set<string>()
  const strangers: Issue[] = []
  for (const [index, { studentId, score }] of scores.entries()) {
    const at = (field: string) => [...path, String(index), field]
    if (seen.has(studentId)) throw invalid(at('studentId'), 'Must not name a student twice.')
    seen.add(studentId)
    if (score !== null && score > maxScore) throw invalid(at('score'), `Must be at most ${maxScore}.`)
    if (!roster.has(studentId)) strangers.push({ path: at('studentId'), message: NotInGroup.spec.message })
  }
  if (strangers.length > 0) throw NotInGroup({ issues: strangers })
}

type Stored = Pick<Row<'exam_result'>, 'score' | 'is_absent' | 'remarks'>

export const isSame = (score: Omit<Score, 'studentId'>, row: Stored | undefined): boolean =>
  row !== undefined && score.score === row.score && score.isAbsent === row.is_absent && score.remarks === row.remarks

/** Adds these results or changes them in place, in one statement. */
const upsertScores = async (tx: Tx, examId: string, scores: readonly Score[]): Promise<void> => {
  if (scores.length === 0) return
  await tx.whole
    .insertInto('exam_result')
    .values(
      scores.map(({ studentId, score, isAbsent, remarks }) => ({
        id: tx.id(),
        exam_id: examId,
        student_id: studentId,
        score,
        is_absent: isAbsent,
        remarks,
        graded_by_user_id: actingUserId(tx.actor),
        created_at: tx.now,
        updated_at: tx.now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'exam_id', 'student_id']).doUpdateSet((eb) => ({
        score: eb.ref('excluded.score'),
        is_absent: eb.ref('excluded.is_absent'),
        remarks: eb.ref('excluded.remarks'),
        graded_by_user_id: eb.ref('excluded.graded_by_user_id'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute()
}

const takeAway = async (tx: Tx, examId: string, studentIds: readonly string[]): Promise<void> => {
  if (studentIds.length === 0) return
  await tx.whole.deleteFrom('exam_result').where('exam_id', '=', examId).where('student_id', 'in', studentIds).execute()
}

export type Results = ReadonlyMap<string, Row<'exam_result'>>

/** The results of an exam, by student. */
export const resultsOf = async (tx: Tx, examId: string): Promise<Results> => {
  const rows = await tx.whole.selectFrom('exam_result').selectAll().where('exam_id', '=', examId).execute()
  return new Map(rows.map((row) => [row.student_id, row]))
}

/** A result to be entered: nothing at all takes away what there is. */
const isNothing = ({ score, isAbsent, remarks }: Score): boolean => score === null && !isAbsent && remarks === null

/**
 * Writes results of an exam whose row is locked. One that does not differ from the stored one keeps its grader and its time.
 * @param before what is stored
 * @returns the results of the students who are named, in that order; without those that were taken away
 */
export const writeResults = async (
  tx: Tx,
  { examId, before }: { examId: string; before: Results },
  sent: readonly Score[],
): Promise<ExamResult[]> => {
  const scores = await withoutNotesOfErased(tx, 'remarks', sent)
  const shown = (rows: Results): ExamResult[] =>
    scores.flatMap(({ studentId }) => rows.get(studentId) ?? []).map(toResult)
  const changed = scores.filter((score) => !isNothing(score) && !isSame(score, before.get(score.studentId)))
  const taken = scores.filter((score) => isNothing(score) && before.has(score.studentId))
  await upsertScores(tx, examId, changed)
  await takeAway(
    tx,
    examId,
    taken.map(({ studentId }) => studentId),
  )
  const isAsBefore = changed.length === 0 && taken.length === 0
  const reply = shown(isAsBefore ? before : await resultsOf(tx, examId))
  tx.audit({ entityType: 'exam', entityId: examId, before: { data: shown(before) }, after: { data: reply } })
  return reply
}

/**
 * Enters results of an exam. A result that does not differ from the stored one keeps its grader and its time.
 * @returns the results of the students who are named, in that order
 * @throws NotFound, NotInGroup, VALIDATION_ERROR
 */
export const enterResults = async (tx: Tx, examId: string, scores: readonly Score[]): Promise<ExamResults> => {
  const exam = await lockRow(tx, examRecord, examId)
  const roster = await rosterOf(tx.whole, exam, tx.tenant.timezone)
  checkScores(scores, { maxScore: exam.max_score, roster }, ['results'])
  return { data: await writeResults(tx, { examId, before: await resultsOf(tx, examId) }, scores) }
}

/** The results of a student with their exams, newest first. */
export const listStudentResults = listUnder(
  { table: 'student', column: 'exam_result.student_id' },
  {
    from: (db) =>
      db
        .selectFrom('exam_result')
        .innerJoin('exam', 'exam.id', 'exam_result.exam_id')
        .innerJoin('group', 'group.id', 'exam.group_id')
        .selectAll('exam_result')
        .select('group.name as group_name')
        .select(['exam.group_id', 'exam.title', 'exam.kind', 'exam.max_score', 'exam.weight'])
        .select(['exam.held_at', 'exam.published_at']),
    order: newestFirst('exam_result'),
    show: (row) => ({
      ...toResult(row),
      groupName: row.group_name,
      exam: {
        id: row.exam_id,
        groupId: row.group_id,
        title: row.title,
        kind: row.kind,
        maxScore: row.max_score,
        weight: row.weight,
        heldAt: row.held_at,
        publishedAt: row.published_at,
      },
    }),
  },
)
