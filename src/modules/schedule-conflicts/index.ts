import type { Module } from '#kernel/contract/module.ts'
import { scheduleConflictEndpoints } from './endpoints.ts'

export { conflictsHeader, conflictsOfGroup, conflictsOfSession } from './count.ts'
export { longUntil } from './planned.ts'

export const scheduleConflictsModule: Module = {
  name: 'schedule-conflicts',
  tags: {
    'schedule-conflicts': 'Teachers, rooms and students who are booked twice.',
  },
  tables: {},
  reads: { groups: ['enrollment', 'group'], sessions: ['session', 'session_teacher'] },
  endpoints: scheduleConflictEndpoints,
}
