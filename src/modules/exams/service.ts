import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { explained } from '#kernel/values/named.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { listUnder, newestFirst } from '#runtime/records/lists.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  lockReferenced,
  lockRow,
  lockToDelete,
  recordOf,
} from '#runtime/records/records.ts'
import { Exam, type ExamChanges, type NewExam } from './schemas.ts'

export const AlreadyPublished = failure('CONFLICT', 'already_published', 'The exam is published already.')
export const ExamInUse = failure('CONFLICT', 'exam_in_use', 'An exam that has results or files stays.')
export const ScoresAbove = failure(
  'CONFLICT',
  'scores_above_max',
  'A result of this exam has a higher score than the new maxScore.',
  {
    details: {
      schema: explained(v.object({ maxScore: v.number(), highest: v.number() }), {
        maxScore: 'What was asked for.',
        highest: 'The highest score of a result.',
      }),
      example: { maxScore: 50, highest: 87.5 },
    },
  },
)

export const toExam = shows(Exam)

export const examRecord = recordOf('exam', { show: toExam, inUse: ExamInUse })

/** The exams of a group, newest first. */
export const listExams = listUnder(
  { table: 'group', column: 'exam.group_id' },
  { from: (db) => db.selectFrom('exam').selectAll(), order: newestFirst('exam'), show: toExam },
)

/** @throws NotFound for the group */
export const createExam = async (tx: Tx, groupId: string, body: NewExam): Promise<Exam> => {
  await lockReferenced(tx, 'group', groupId)
  return createRecord(tx, examRecord, { ...body, groupId })
}

/** @throws NotFound, ScoresAbove with {maxScore, highest} */
export const changeExam = async (tx: Tx, id: string, body: ExamChanges): Promise<Exam> => {
  // Results are entered under the same lock, so no higher score arrives meanwhile.
  const row = await lockRow(tx, examRecord, id)
  const { maxScore = row.max_score } = body
  if (maxScore < row.max_score) {
    const { highest } = await tx.whole
      .selectFrom('exam_result')
      .select(({ fn }) => fn.max('score').as('highest'))
      .where('exam_id', '=', id)
      .executeTakeFirstOrThrow()
    if (highest !== null && highest > maxScore) throw ScoresAbove({ maxScore, highest })
  }
  return changeRecord(tx, examRecord, row, body)
}

/** @throws NotFound, ExamInUse */
export const deleteExam = async (tx: Tx, id: string) =>
  deleteRecord(tx, examRecord, await lockToDelete(tx, examRecord, id))

/** Publishes an exam, once. Records exam.published. @throws NotFound, AlreadyPublished */
export const publishExam = async (tx: Tx, id: string): Promise<Exam> => {
  const row = await lockRow(tx, examRecord, id)
  if (row.published_at !== null) throw AlreadyPublished()
  const { group_id: groupId, title } = row
  tx.emit('exam.published', { examId: id, groupId, title, publishedAt: tx.now })
  return changeRecord(tx, examRecord, row, { publishedAt: tx.now })
}
