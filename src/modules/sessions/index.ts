import type { Module } from '#kernel/contract/module.ts'
import { sessionEndpoints } from './endpoints.ts'
import { sessionTables } from './tables.ts'

export { sessionNoticeJob, type SessionNotice } from './notices.ts'
export { SESSION_STATUSES } from './tables.ts'
export { markHeld, sessionRecord, toSession } from './service.ts'
export { Session, statusFilter } from './schemas.ts'
export { taughtSessionIds, type SessionRow } from './teachers.ts'

export const sessionsModule: Module = {
  name: 'sessions',
  tags: {
    schedules: 'The weekly times of a group.',
    sessions: 'The lessons of a group, one by one.',
  },
  events: ['session.cancelled'],
  tables: sessionTables,
  reads: { curriculum: ['lesson'], groups: ['group'], people: ['staff'] },
  endpoints: sessionEndpoints,
}
