import { text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {
    attendance: ({ nthId, at }) => ({
      session_id: nthId('session', 'n'),
      student_id: nthId('student', 'n'),
      status: text('present'),
      minutes_late: '0',
      marked_at: at,
    }),
  },
  filters: { 'attendance.summary': { from: '2020-01-10', to: '2020-01-12' } },
}
