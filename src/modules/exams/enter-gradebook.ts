import * as v from 'valibot'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { failure, invalid } from '#kernel/values/errors.ts'
import { explained, named } from '#kernel/values/named.ts'
import { id, list } from '#kernel/values/schema.ts'
import { checkReached, lockRow, type Row } from '#runtime/records/records.ts'
import { Cell, type GradebookEntries, type NewCell } from './gradebook-schemas.ts'
import { checkScores, isSame, resultsOf, writeResults, type Results } from './results.ts'
import { rosterOf } from './roster.ts'
import { resultWords, type ExamResult, type ExamResults } from './schemas.ts'
import { examRecord } from './service.ts'

const Changed = named('ChangedResult', v.object({ examId: id, studentId: id, ...Cell.entries }), {
  ...resultWords,
  updatedAt: 'When it was entered or changed last; null: it was taken away.',
})

export const ResultsChanged = failure(
  'VERSION_CONFLICT',
  'results_changed',
  'Somebody else entered other results meanwhile: look at those that differ, and send again what is to stand.',
  {
    details: {
      schema: explained(v.object({ results: list(Changed) }), {
        results:
          'Those that were changed since they were seen, and are not as the request has them, as they stand now.',
      }),
      example: {
        results: [
          {
            examId: '01890a5d-ac96-774b-bcce-b302099a8057',
            studentId: '01890a5d-ac96-774b-bcce-b302099a8058',
            score: 17.5,
            isAbsent: false,
            remarks: null,
            updatedAt: '2026-03-02T14:06:00.000Z',
          },
        ],
      },
    },
  },
)

type Changed = v.InferOutput<typeof Changed>

const isUnseen = ({ seenAt, ...cell }: NewCell, row: Row<'exam_result'> | undefined): boolean => {
  if (seenAt === undefined || seenAt === (row?.updated_at ?? null)) return false
  const isGone = row === undefined && cell.score === null && !cell.isAbsent
  return !isGone && !isSame(cell, row)
}

const changedOf = (examId: string, cells: readonly NewCell[], stored: Results): Changed[] =>
  cells.flatMap((cell) => {
    const { studentId } = cell
    const row = stored.get(studentId)
    if (!isUnseen(cell, row)) return []
    const { score = null, is_absent: isAbsent = false, remarks = null, updated_at: updatedAt = null } = row ?? {}
    return [{ examId, studentId, score, isAbsent, remarks, updatedAt }]
  })

/** Locks an exam of the group. @throws VALIDATION_ERROR, at the same place for one that there is not and one of another group */
const lockExam = async (tx: Tx, { groupId, examId }: { groupId: string; examId: string }, at: number) => {
  const known = await tx.whole
    .selectFrom('exam')
    .select('id')
    .where('id', '=', examId)
    .where('group_id', '=', groupId)
    .executeTakeFirst()
  if (!known) throw invalid(['exams', String(at), 'examId'], 'Must be an exam of the group.')
  return lockRow(tx, examRecord, examId)
}

/**
 * Enters results of several exams of a group, all or none.
 * @returns the results of the students who are named, exam by exam
 * @throws NotFound for the group, ResultsChanged, NotInGroup, VALIDATION_ERROR
 */
export const enterGradebook = async (tx: Tx, groupId: string, { exams }: GradebookEntries): Promise<ExamResults> => {
  await checkReached(tx.db, 'group', groupId)
  const places = new Map(exams.map(({ examId }, index) => [examId, index]))
  if (places.size < exams.length) throw invalid(['exams'], 'Must name each exam once.')
  const stored = new Map<string, Results>()
  const changed: Changed[] = []
  // Whoever enters some of these exams at once locks them in this order too.
  for (const [examId, at] of [...places].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in this order
    const exam = await lockExam(tx, { groupId, examId }, at)
    const { results } = exams[at] as GradebookEntries['exams'][number]
    // oxlint-disable-next-line no-await-in-loop
    const roster = await rosterOf(tx.whole, exam, tx.tenant.timezone)
    checkScores(results, { maxScore: exam.max_score, roster }, ['exams', String(at), 'results'])
    // oxlint-disable-next-line no-await-in-loop
    const before = await resultsOf(tx, examId)
    stored.set(examId, before)
    changed.push(...changedOf(examId, results, before))
  }
  if (changed.length > 0) throw ResultsChanged({ results: changed })
  const data: ExamResult[] = []
  for (const { examId, results } of exams) {
    // oxlint-disable-next-line no-await-in-loop
    data.push(...(await writeResults(tx, { examId, before: stored.get(examId) as Results }, results)))
  }
  return { data }
}
