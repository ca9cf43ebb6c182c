import { change, read } from '#kernel/contract/endpoint.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { OwnAccountLink } from '../account.ts'
import { PersonErased } from '../erased.ts'
import { GuardianLink, GuardianLinkChanges, LinkedGuardian, LinkQuery, NewGuardianLink } from './schemas.ts'
import { Merged, orMerged } from '../merge/merged.ts'
import { AlreadyLinked, changeLink, PayerSeesMoney, linkGuardians, listGuardiansOf, unlinkGuardian } from './service.ts'

export const linkEndpoints = [
  read({
    id: 'guardian-links.list',
    path: '/students/{id}/guardians',
    summary: 'List the guardians of a student',
    description: 'The newest link first.',
    access: 'guardians.read',
    query: LinkQuery,
    reply: pageOf(LinkedGuardian),
    fails: [Merged],
    handle: (context) => orMerged(context, listGuardiansOf),
  }),
  change({
    id: 'guardian-links.create',
    method: 'POST',
    path: '/students/{id}/guardians',
    summary: 'Link a guardian to a student',
    description:
      'The reply has no body. A student has at most one primary contact and one payer of record: a new one takes the mark from the one before. A guardian sees the student’s lessons and money, and hears of them, unless `seesLearning` or `seesMoney` is false; of a payer the second is never. The caller must reach both the student and the guardian (404). Nobody without members.manage for the whole institute links a guardian behind whom their own account stands (403 PERMISSION_ESCALATION).',
    access: 'guardians.write',
    body: NewGuardianLink,
    status: 201,
    reply: null,
    fails: [PersonErased, AlreadyLinked, OwnAccountLink, PayerSeesMoney],
    handle: ({ tx, caller, params, body }) => linkGuardians(tx, [{ studentId: params.id, body }], { caller }),
  }),
  change({
    id: 'guardian-links.update',
    method: 'PATCH',
    path: '/students/{id}/guardians/{guardianId}',
    summary: 'Change how a guardian stands to a student',
    description:
      'A mark that is set is taken from whoever had it. Parents who live apart: with `seesLearning` false the guardian neither sees nor hears of the student’s lessons, attendance, marks, reports and files any more, with `seesMoney` false of what is to be paid; who becomes the payer sees it again.',
    access: 'guardians.write',
    body: GuardianLinkChanges,
    reply: GuardianLink,
    fails: [PersonErased, PayerSeesMoney],
    handle: ({ tx, params, body }) => changeLink(tx, { studentId: params.id, guardianId: params.guardianId }, body),
  }),
  change({
    id: 'guardian-links.delete',
    method: 'DELETE',
    path: '/students/{id}/guardians/{guardianId}',
    summary: 'End the link between a guardian and a student',
    description: 'The guardian stays; nobody becomes primary contact or payer in their place.',
    access: 'guardians.write',
    reply: Ok,
    fails: [PersonErased],
    handle: ({ tx, params }) => unlinkGuardian(tx, params.id, params.guardianId),
  }),
]
