import type { Module } from '#kernel/module.ts'
import { enrollmentEndpoints, groupEndpoints } from './endpoints.ts'
import { dropEnrollments } from './enrollments.ts'
import { groupTables } from './tables.ts'

export { groupRecord, taughtGroups } from './groups.ts'

export const groupsModule: Module = {
  name: 'groups',
  events: ['enrollment.created', 'enrollment.dropped'],
  tables: groupTables,
  endpoints: [...groupEndpoints, ...enrollmentEndpoints],
  eventSubscribers: [dropEnrollments],
}
