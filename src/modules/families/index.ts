import type { Module } from '#kernel/contract/module.ts'
import { familyEndpoints } from './endpoints.ts'

export { FamilyGroup } from './schemas.ts'
export { readGroups } from './students.ts'

export const familiesModule: Module = {
  name: 'families',
  reads: {
    attendance: ['attendance'],
    billing: ['invoice'],
    courses: ['course'],
    groups: ['enrollment', 'group'],
    people: ['guardian', 'guardian_link', 'student'],
    sessions: ['session'],
  },
  endpoints: familyEndpoints,
}
