import type { Module } from '#kernel/contract/module.ts'
import { directoryEndpoints } from './endpoints.ts'

export { readContactsOf } from './contacts.ts'
export { branchesOf, readContacts } from './details.ts'

/** People as an office looks them up: by name, with their groups, phones and debts. It keeps no table. */
export const directoryModule: Module = {
  name: 'directory',
  tags: { directory: 'People by name, with what an office looks up beside them.' },
  reads: {
    billing: ['invoice'],
    groups: ['enrollment'],
    people: ['guardian', 'guardian_link', 'person_invitation', 'student', 'student_tag'],
  },
  endpoints: directoryEndpoints,
}
