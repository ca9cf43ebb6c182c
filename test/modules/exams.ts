import { inTurn } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newExam } from '../api/examples/exams.ts'

export const owed: Owed = {
  tables: {
    exam: ({ nthId, at }) => ({
      group_id: nthId('group', 'n'),
      title: `'Unit ' || n`,
      kind: inTurn(['quiz', 'exam', 'homework', 'project', 'final']),
      max_score: '20',
      weight: '1',
      updated_at: at,
    }),
    exam_result: ({ nthId, at, user, flag }) => ({
      exam_id: nthId('exam', 'n'),
      student_id: nthId('student', 'n'),
      score: '17.5',
      is_absent: flag(false),
      graded_by_user_id: user,
      updated_at: at,
    }),
  },
  records: { examId: (world) => newExam(world) },
  kept: ({ first, nth, at }) => {
    const { tenant_id, group_id, student_id } = first('enrollment')
    const said = { tenant_id, created_at: at, updated_at: at }
    const exam = { title: 'Unit 1', kind: 'final', max_score: 20, weight: 1, published_at: at }
    return {
      exam: [{ ...said, ...exam, id: nth(20), group_id }],
      exam_result: [{ ...said, id: nth(21), exam_id: nth(20), student_id, score: 17.5, is_absent: false }],
    }
  },
}
