import * as v from 'valibot'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { named } from '#kernel/values/named.ts'
import { count, id, ts } from '#kernel/values/schema.ts'
import { rosterOf } from './roster.ts'
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
    fileCount: count,
  }),
  {
    ...resultWords,
    examId: 'The exam.',
    groupName: 'What the group is called.',
    publishedAt: 'When the results were told to the families.',
    score: 'Points; null: the student was absent.',
    remarks: 'What the teacher wrote about it; null: nothing.',
    fileCount: 'How many files are attached to the exam: GET /files/of/exam/{id} lists them.',
  },
)
export type OwnResult = v.InferOutput<typeof OwnResult>

/** Whether one of these students is on the roster of an exam that was published: only then do families know of it. */
export const isAnyInPublished = async (
  whole: ScopedDb,
  { examId, timezone }: { examId: string; timezone: string },
  studentIds: readonly string[],
): Promise<boolean> => {
  if (studentIds.length === 0) return false
  const exam = await whole
    .selectFrom('exam')
    .selectAll()
    .where('id', '=', examId)
    .where('published_at', 'is not', null)
    .executeTakeFirst()
  if (!exam) return false
  const roster = await rosterOf(whole, exam, timezone)
  return studentIds.some((studentId) => roster.has(studentId))
}

/** The latest results of a student that the families may know, latest first. */
export const publishedResults = async (whole: ScopedDb, studentId: string, most: number): Promise<OwnResult[]> => {
  const rows = await whole
    .selectFrom('exam_result')
    .innerJoin('exam', 'exam.id', 'exam_result.exam_id')
    .innerJoin('group', 'group.id', 'exam.group_id')
    .select(['exam.id as examId', 'exam.group_id as groupId', 'group.name as groupName', 'exam.title', 'exam.kind'])
    .select(['exam.held_at as heldAt', 'exam.published_at as publishedAt', 'exam.max_score as maxScore'])
    .select(['exam_result.score', 'exam_result.is_absent as isAbsent', 'exam_result.remarks'])
    .select((eb) =>
      eb
        .selectFrom('file')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('file.exam_id', '=', 'exam.id')
        .as('fileCount'),
    )
    .$narrowType<{ fileCount: number }>()
    .where('exam_result.student_id', '=', studentId)
    .where('exam.published_at', 'is not', null)
    .orderBy('exam.published_at', 'desc')
    .orderBy('exam.id', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({ ...row, publishedAt: row.publishedAt as string }))
}
