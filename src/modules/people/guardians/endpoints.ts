import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { readRecord } from '#runtime/records/records.ts'
import { PersonErased } from '../erased.ts'
import { Merged, orMerged } from '../merge/merged.ts'
import { accountFails, ACCOUNT_RULE } from '../account.ts'
import { Guardian, GuardianChanges, GuardianQuery, NewGuardian } from './schemas.ts'
import {
  changeGuardian,
  createGuardian,
  deleteGuardian,
  GuardianInUse,
  GuardianPhoneTaken,
  guardianRecord,
  listGuardians,
} from './service.ts'

export const guardianEndpoints = [
  read({
    id: 'guardians.list',
    path: '/guardians',
    summary: 'List guardians',
    description:
      'Newest first. `q` searches name and phone, and the email too, by the same rules as the list of students. A caller whose permission reaches some branches only sees the guardians of those branches’ students; a guardian of no student yet is seen from the branch where they were added, and one whose last student was taken away from that student’s branch.',
    access: 'guardians.read',
    tool: {
      name: 'guardians_find',
      title: 'Find guardians',
      description:
        'Lists the parents and other guardians of students, newest first, ten at a time. Narrow it with q (words of the name, phone or email). Gives the guardianId for family_read.',
    },
    query: GuardianQuery,
    reply: pageOf(Guardian),
    handle: listGuardians,
  }),
  change({
    id: 'guardians.create',
    method: 'POST',
    path: '/guardians',
    summary: 'Add a guardian',
    description: `The phone is unique in the institute: 409 also when its holder belongs to a branch that the caller does not reach. Palestinian mobiles (059 and 056) are dialled under +970 and +972: both are the same phone, and the number stays as it was sent. A national phone takes the country of the institute’s timezone. ${ACCOUNT_RULE} An account stands behind one guardian at most (409). Who adds a guardian for some branches only keeps reaching them until a student leads elsewhere.`,
    access: 'guardians.write',
    body: NewGuardian,
    status: 201,
    reply: Guardian,
    fails: [NotFound, GuardianPhoneTaken, ...accountFails],
    handle: ({ tx, body, caller }) => createGuardian(tx, caller, body),
  }),
  read({
    id: 'guardians.read',
    path: '/guardians/{id}',
    summary: 'Read a guardian',
    access: 'guardians.read',
    reply: Guardian,
    fails: [Merged],
    handle: (context) => orMerged(context, ({ db, params }) => readRecord(db, guardianRecord, params.id)),
  }),
  change({
    id: 'guardians.update',
    method: 'PATCH',
    path: '/guardians/{id}',
    summary: 'Change a guardian',
    description: `A field that is left out stays; null clears userId, email, nationalId and address. ${ACCOUNT_RULE}`,
    access: 'guardians.write',
    body: GuardianChanges,
    reply: Guardian,
    fails: [Merged, PersonErased, GuardianPhoneTaken, ...accountFails],
    handle: (context) =>
      orMerged(context, ({ tx, caller, params, body }) => changeGuardian(tx, caller, { ...body, id: params.id })),
  }),
  change({
    id: 'guardians.delete',
    method: 'DELETE',
    path: '/guardians/{id}',
    summary: 'Delete a guardian who is linked to no student',
    access: 'guardians.write',
    reply: Ok,
    fails: [Merged, PersonErased, GuardianInUse],
    handle: (context) => orMerged(context, ({ tx, params }) => deleteGuardian(tx, params.id)),
  }),
]
