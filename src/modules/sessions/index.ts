import { jobKind, type Module } from '#kernel/contract/module.ts'
import { alignGroupJob, alignGroupOn } from './changed-group.ts'
import { sessionEndpoints } from './endpoints.ts'
import { followNewRules, followZoneJob, followZoneOn } from './follow-zone.ts'
import { sweepAhead, sweepAheadJob } from './sweep-ahead.ts'
import { sessionTables } from './tables.ts'

export { alignGroup } from './align.ts'
export { alignChangedGroup } from './changed-group.ts'
export { giveTimes } from './give-times.ts'
export { chargedLessons, type ChargedLesson } from './charged-lessons.ts'
export { groupNoticeJob, sessionNoticeJob, type GroupNotice, type SessionNotice } from './notices.ts'
export { coverSessions, uncoverSessions } from './covered.ts'
export { horizonOf } from './horizon.ts'
export { followZone } from './follow-zone.ts'
export { GROUP_REASON_TEXTS } from './reasons.ts'
export { SESSION_STATUSES } from './tables.ts'
export { markHeld, markScheduled, sessionRecord, toSession } from './service.ts'
export { cancelledWords, homework, lessonWords, Session, statusFilter } from './schemas.ts'
export { mayWriteOn } from './writers.ts'
export { keepSessionsBeside } from './with-files.ts'
export { taughtSessionIds, type SessionRow } from './teachers.ts'

export const sessionsModule: Module = {
  name: 'sessions',
  tags: {
    schedules: 'The weekly times of a group.',
    sessions: 'The lessons of a group, one by one.',
  },
  events: ['session.cancelled'],
  tables: sessionTables,
  reads: {
    closures: ['closure'],
    covers: ['cover'],
    curriculum: ['lesson'],
    files: ['file'],
    groups: ['group'],
    people: ['staff'],
    tenants: ['tenant'],
  },
  endpoints: sessionEndpoints,
  jobs: [
    jobKind(followZoneJob, { handle: followZoneOn }),
    // One after the other, so that others get their turn also when many groups are changed at once.
    jobKind(alignGroupJob, { handle: alignGroupOn, atOnce: 1 }),
    jobKind(sweepAheadJob, { handle: sweepAhead }),
  ],
  cronJobs: [{ cron: '13 1 * * *', job: sweepAheadJob, atStart: true }],
  beforeRequests: followNewRules,
}
