import type { Module } from '#kernel/contract/module.ts'
import { absenceEndpoints } from './endpoints.ts'
import { absenceTables } from './tables.ts'

export { announcedFrom, announcedOf } from './announced.ts'

/** Absences that were announced ahead. */
export const absencesModule: Module = {
  name: 'absences',
  tags: { absences: 'Who said ahead that a student does not come, when and why.' },
  tables: absenceTables,
  persons: [
    { of: 'student', table: 'announced_absence', column: 'student_id' },
    { of: 'guardian', table: 'announced_absence', column: 'by_guardian_id' },
  ],
  reads: { people: ['guardian', 'guardian_link', 'student'] },
  endpoints: absenceEndpoints,
}
