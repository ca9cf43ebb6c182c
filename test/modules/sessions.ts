import { inTurn } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {
    schedule_rule: { few: 'a hundred of a group at the most, in one answer' },
    session: ({ nthId, nthInstant, at }) => ({
      group_id: nthId('group', 'n'),
      scheduled_start: at,
      scheduled_end: nthInstant('n + 60'),
      status: inTurn(['scheduled', 'held', 'cancelled']),
      updated_at: at,
    }),
    session_teacher: ({ nthId }) => ({ session_id: nthId('session', 'n'), staff_id: nthId('staff', 'n') }),
  },
  filters: {
    'sessions.list': { from: '2020-01-10T00:00:00Z', to: '2020-01-12T00:00:00Z', status: 'held' },
  },
}
