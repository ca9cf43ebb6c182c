import type { Module } from '#kernel/contract/module.ts'
import { timetableEndpoints } from './endpoints.ts'

/** The sessions of all groups together, with what a timetable shows of each. It keeps no table. */
export const timetableModule: Module = {
  name: 'timetable',
  reads: {
    courses: ['course'],
    groups: ['group'],
    people: ['staff'],
    sessions: ['session', 'session_teacher'],
  },
  endpoints: timetableEndpoints,
}
