import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { GuardianPhoneTaken } from '#modules/people/index.ts'
import { acceptProposal, declineProposal, EDITING, listProposals } from './desk.ts'
import { proposeChange, readOwnDetails, withdrawProposal } from './own.ts'
import { ChangedMeanwhile, NotOpen } from './record.ts'
import { Acceptance, NewProposal, OwnDetails, OwnProposal, ProposalQuery, ProposedChange, Refusal } from './schemas.ts'

const access = Object.values(EDITING)

export const proposedChangeEndpoints = [
  read({
    id: 'me.details',
    path: '/me/details',
    summary: 'What the institute keeps of the caller and of their children',
    description:
      'For every member: their own record as a guardian and as a student, and those of the children of whom they see the lessons (`seesLearning` of the link); empty for anybody else, and for an API key. What staff note is not in it. `fields` names what may be proposed to change: by a guardian of themself and of these children, by a student who is 18 or has no guardian of themself. The email of a record with an account is not among them, as one signs in with the account’s own.',
    access: 'tenant',
    reply: OwnDetails,
    handle: readOwnDetails,
  }),
  change({
    id: 'me.propose-change',
    method: 'POST',
    path: '/me/proposed-changes',
    summary: 'Propose to change what the institute keeps',
    description:
      'Nothing of the record changes until somebody accepts it who may change it. There is one open proposal of each record and proposer: another one takes its place. Those who may change the record are told of a new one, not of what takes its place. A record that is not in GET /me/details is 404, a field that is not in its `fields` 422.',
    access: 'tenant',
    limits: [{ per: 'caller', requests: 30, seconds: 3600 }],
    body: NewProposal,
    status: 201,
    reply: OwnProposal,
    fails: [NotFound],
    handle: ({ tx, caller, body }) => proposeChange(tx, caller, body),
  }),
  change({
    id: 'me.withdraw-change',
    method: 'DELETE',
    path: '/me/proposed-changes/{id}',
    summary: 'Take back what one proposed',
    access: 'tenant',
    reply: Ok,
    fails: [NotOpen],
    handle: ({ tx, caller, params }) => withdrawProposal(tx, caller, params.id),
  }),
  read({
    id: 'proposed-changes.list',
    path: '/proposed-changes',
    summary: 'List what families propose to change, oldest first',
    description:
      'Those of students where the caller holds students.write, those of guardians where they hold guardians.write. `stands` is what is kept now, and `changedSince` what of it has changed since it was proposed.',
    access,
    query: ProposalQuery,
    reply: pageOf(ProposedChange),
    handle: listProposals,
  }),
  change({
    id: 'proposed-changes.accept',
    method: 'POST',
    path: '/proposed-changes/{id}/accept',
    summary: 'Take over what a family proposed, all of it or some fields',
    description:
      'The record is changed by the rules by which it is changed by hand, with students.write or guardians.write (404 without). What is not among `fields` stays as it is. 409 `proposal_changed` when the proposal, or what is kept in one of its fields, is not what `seen` names any more: nothing is written, and the list has it as it is now. Whoever proposed it is told.',
    access,
    body: Acceptance,
    reply: ProposedChange,
    fails: [NotOpen, ChangedMeanwhile, GuardianPhoneTaken],
    handle: ({ tx, caller, params, body }) => acceptProposal(tx, caller, params.id, body),
  }),
  change({
    id: 'proposed-changes.decline',
    method: 'POST',
    path: '/proposed-changes/{id}/decline',
    summary: 'Decline what a family proposed',
    description: 'The record stays as it is. Whoever proposed it is told, with the remark.',
    access,
    body: Refusal,
    reply: ProposedChange,
    fails: [NotOpen, ChangedMeanwhile],
    handle: ({ tx, caller, params, body }) => declineProposal(tx, caller, params.id, body),
  }),
]
