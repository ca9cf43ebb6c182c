import { change } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { ClassListNotReady, makeClassList, tryClassList } from './add.ts'
import { ClassList, ClassListOutcome } from './schemas.ts'

export const classListEndpoint = change({
  id: 'groups.class-list',
  method: 'POST',
  path: '/groups/{id}/class-list',
  summary: 'Add and enroll those whom a pasted list names',
  description:
    'Each line is a student, read as POST /imports reads a row of students: with heads in English, Arabic or Hebrew in the first line, guardians among them, or without, by how the cells look (student number, identity number, phone, name). Who is here already is found by number, identity number, or name with a phone or date of birth; by the name alone only where the line says nothing else and one student has it. Whoever nobody is like is new, in the branch of the group, and active. ' +
    'All of them are added and enrolled, from now on or since the session began that is running, or nobody: 409 class_list_not_ready while a line is to be chosen (`choices`) or refused. With `dryRun` nothing is kept (200), and the reply says what would become of each line. Who is in the group already stays. It needs students.write where somebody is new, and guardians.write where guardians are; it names those whom a line may mean to whoever holds students.read.',
  access: 'enrollments.write',
  body: ClassList,
  status: 201,
  otherStatuses: [200],
  reply: ClassListOutcome,
  fails: [NotFound, ClassListNotReady],
  prepare: async ({ begin, tenant, caller, params, body }) =>
    body.dryRun ? tryClassList({ begin, tenant, caller, groupId: params.id, body }) : null,
  handle: async ({ tx, caller, params, body, prepared }) =>
    prepared ? new Rehearsed(prepared) : makeClassList({ tx, caller, groupId: params.id, body }),
})
