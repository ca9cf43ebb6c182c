import type { Module } from '#kernel/contract/module.ts'
import { calendarEndpoints, type CalendarDeps } from './endpoints.ts'
import { calendarTables } from './tables.ts'
import { CALENDAR_ADDRESS } from './credentials.ts'

/** Private addresses at which calendar programs find the sessions of a member. */
export const calendarsModule = (deps: CalendarDeps): Module => ({
  name: 'calendars',
  tags: { calendars: 'The sessions of a member in their own calendar program.' },
  tables: calendarTables,
  credentials: [CALENDAR_ADDRESS],
  reads: {
    branches: ['branch'],
    groups: ['group'],
    identity: ['user'],
    members: ['membership'],
    people: ['student'],
    sessions: ['session'],
  },
  endpoints: calendarEndpoints(deps),
})
