import type { Module } from '#kernel/module.ts'
import type { Inviting } from '#modules/members/index.ts'
import { guardianEndpoints } from './guardians/endpoints.ts'
import { invitationEndpoints } from './invitations/endpoints.ts'
import { linkEndpoints } from './links/endpoints.ts'
import { staffEndpoints } from './staff/endpoints.ts'
import { studentEndpoints } from './students/endpoints.ts'
import { peopleTables } from './tables.ts'

export { linkPerson } from './invitations/service.ts'

export const peopleModule = (inviting: Inviting): Module => ({
  name: 'people',
  events: ['student.created', 'student.updated', 'student.status_changed'],
  tables: peopleTables,
  endpoints: [
    ...studentEndpoints,
    ...linkEndpoints,
    ...guardianEndpoints,
    ...staffEndpoints,
    ...invitationEndpoints(inviting),
  ],
})
