import { idAt, inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newReport } from '../api/examples/progress-reports.ts'

export const owed: Owed = {
  tables: {
    progress_report: ({ nthId, at }) => ({
      student_id: nthId('student', 'n'),
      group_id: nthId('group', 'n'),
      period_start: text('2020-01-01'),
      period_end: text('2020-03-31'),
      status: inTurn(['draft', 'sent']),
      present: '20',
      absent: '1',
      late: '2',
      excused: '1',
      exams: text('[]'),
      sent_at: `case when n % 2 = 1 then ${at} end`,
      updated_at: at,
    }),
  },
  records: {
    reportId: async (world, record) => {
      const [groupId, studentId] = [await record('groupId'), await record('studentId')]
      return newReport(world, { groupId, studentId })
    },
  },
  filters: {
    'progress-reports.list': { studentId: idAt('student', 77), groupId: idAt('group', 77), status: 'sent' },
  },
  kept: ({ first, nth, at }) => {
    const { tenant_id, group_id, student_id } = first('enrollment')
    const counted = { present: 20, absent: 1, late: 2, excused: 1, average: 87.5 }
    return {
      progress_report: [
        {
          id: nth(26),
          tenant_id,
          student_id,
          group_id,
          period_start: '2026-01-01',
          period_end: '2026-03-31',
          status: 'sent',
          ...counted,
          exams: [{ examId: nth(20), title: 'Unit 1', kind: 'quiz', score: 17.5, maxScore: 20, weight: 1 }],
          comment: 'התקדמות יפה',
          sent_at: at,
          created_at: at,
          updated_at: at,
        },
      ],
    }
  },
}
