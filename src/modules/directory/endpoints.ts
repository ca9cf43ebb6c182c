import { read } from '#kernel/contract/endpoint.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { listContacts } from './contacts.ts'
import { listGuardians, listStudents } from './list.ts'
import {
  DirectoryGuardian,
  DirectoryGuardianQuery,
  DirectoryStudent,
  DirectoryStudentQuery,
  GroupContact,
} from './schemas.ts'

export const directoryEndpoints = [
  read({
    id: 'directory.students',
    path: '/directory/students',
    summary: 'List students by name, with groups, whom to call and what is owed',
    description:
      'Without those who were erased, in the order in which an office looks for names: those in Arabic script as they are written, the first name first, since of three or four parts nobody knows which is the family’s; all others by family name, then by first name. Letters are compared as the search does, and words that people also write as one stand together; `sort=newest` turns to the newest first, and a cursor belongs to one order. `q` searches as in GET /students. `contact` and `balances` are null for a student of a branch for which the caller holds no guardians.read or invoices.read.',
    access: 'students.read',
    query: DirectoryStudentQuery,
    reply: pageOf(DirectoryStudent),
    fails: [SumTooLarge],
    handle: listStudents,
  }),
  read({
    id: 'directory.guardians',
    path: '/directory/guardians',
    summary: 'List guardians by name, with their children and what they owe',
    description:
      'Ordered and searched as GET /directory/students, and within the reach of GET /guardians. What a guardian owes is what is still to be paid for the children whose payer of record they are, of the branches for which the caller holds invoices.read. `account` says who comes in already, and who is invited to (POST /guardians/{id}/invite).',
    access: 'guardians.read',
    query: DirectoryGuardianQuery,
    reply: pageOf(DirectoryGuardian),
    fails: [SumTooLarge],
    handle: listGuardians,
  }),
  read({
    id: 'directory.contacts',
    path: '/groups/{id}/contacts',
    summary: 'List whom to call about each student of a group',
    description:
      'The students who are in the group now, by name, with their guardians and phones. Nothing else that is known of them: no notes, no addresses. As a file or a paper (/groups/{id}/contacts/pdf) it is the contact list of a class.',
    access: 'guardians.read',
    query: pageQuery({}),
    reply: pageOf(GroupContact),
    handle: listContacts,
  }),
]
