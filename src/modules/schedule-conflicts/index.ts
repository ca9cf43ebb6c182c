import type { Module } from '#kernel/module.ts'
import { scheduleConflictEndpoints } from './endpoints.ts'

export { conflictsHeader, conflictsOfGroup, conflictsOfSession } from './count.ts'
export { longUntil } from './planned.ts'

export const scheduleConflictsModule: Module = {
  name: 'schedule-conflicts',
  tables: {},
  endpoints: scheduleConflictEndpoints,
}
