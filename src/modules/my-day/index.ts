import type { Module } from '#kernel/contract/module.ts'
import { myDayEndpoints } from './endpoints.ts'

export { sessionsOf } from './schedule.ts'
export { ScheduledSession, UnmarkedSession } from './schemas.ts'

/** What people see of their own lessons, whatever permissions they hold. It keeps no table. */
export const myDayModule: Module = {
  name: 'my-day',
  reads: {
    attendance: ['attendance'],
    courses: ['course'],
    files: ['file'],
    groups: ['enrollment', 'group'],
    sessions: ['session'],
  },
  endpoints: myDayEndpoints,
}
