import * as v from 'valibot'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { named } from '#kernel/values/named.ts'
import { id, ts } from '#kernel/values/schema.ts'
import { Exam, ExamResult, resultWords } from './schemas.ts'

const { groupId, title, kind, maxScore, heldAt } = Exam.entries
const { score, isAbsent, remarks } = ExamResult.entries

export const OwnResult = named(
  'OwnResult',
  v.object({
    examId: id,
    groupId,
    groupName: v.string(),
    title,
    kind,
    heldAt,
    publishedAt: ts,
    score,
    maxScore,
    isAbsent,
    remarks: remarks,
  }),
  {
    ...resultWords,
    examId: 'The exam.',
    groupName: 'What the group is called.',
    publishedAt: 'When the results were told to the families.',
    score: 'Points; null: the student was absent.',
    remarks: 'What the teacher wrote about it; null: nothing.',
  },
)
export type OwnResult = v.InferOutput<typeof OwnResult>

/** The latest results of a student that the families may know, latest first. */
export const publishedResults = async (whole: ScopedDb, studentId: string, most: number): Promise<OwnResult[]> => {
  const rows = await whole
    .selectFrom('exam_result')
    .innerJoin('exam', 'exam.id', 'exam_result.exam_id')
    .innerJoin('group', 'group.id', 'exam.group_id')
    .select(['exam.id as examId', 'exam.group_id as groupId', 'group.name as groupName', 'exam.title', 'exam.kind'])
    .select(['exam.held_at as heldAt', 'exam.published_at as publishedAt', 'exam.max_score as maxScore'])
    .select(['exam_result.score', 'exam_result.is_absent as isAbsent', 'exam_result.remarks'])
    .where('exam_result.student_id', '=', studentId)
    .where('exam.published_at', 'is not', null)
    .orderBy('exam.published_at', 'desc')
    .orderBy('exam.id', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({ ...row, publishedAt: row.publishedAt as string }))
}
