import * as v from 'valibot'
import { change, type Endpoint } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { email } from '#kernel/values/schema.ts'
import {
  HANDED_OVER,
  INVITATION,
  Invitation,
  INVITING_LIMITS,
  invitingFails,
  NewMember,
  PermissionEscalation,
  type Inviting,
} from '#modules/members/index.ts'
import { PersonErased } from '../erased.ts'
import { admitPerson, invitePerson, PersonHasAccount, type Invitable } from './service.ts'

const Invite = named('PersonInvitation', v.object({ email: v.optional(email) }), {
  email: 'Where the invitation goes; the address of the record where it is left out.',
})

const { roleId, branchIds } = NewMember.entries

const InviteStaff = named(
  'StaffInvitation',
  v.object({ email: v.optional(email), roleId: v.optional(roleId), branchIds }),
  {
    email: 'Where the invitation goes; the address of the record where it is left out.',
    roleId: 'What they are to be; left out: a teacher.',
    branchIds: 'The branches for which alone the role holds; left out: the whole institute.',
  },
)

const inviteEndpoint = (inviting: Inviting, kind: Exclude<Invitable, 'staff'>): Endpoint =>
  change({
    id: `${kind}s.invite`,
    method: 'POST',
    path: `/${kind}s/{id}/invite`,
    summary: `Invite a ${kind} to come in with an account of their own`,
    description:
      `As POST /members, with the system role ${kind} for the whole institute, and sent again or taken back like ` +
      `that invitation. It goes to \`email\`, else to the address of the record (422 when there is none); the record ` +
      `keeps its own. Its mail is in the language that the record of a guardian names, else in the institute’s. Accepting it puts the account behind the record as its userId, unless another stands there by then. ` +
      `409 for a record that has one already, and for an address that is a member or invited already. ` +
      HANDED_OVER +
      INVITING_LIMITS,
    access: 'members.manage',
    wholeTenant: true,
    credential: INVITATION,
    body: Invite,
    bodyOptional: true,
    status: 201,
    reply: Invitation,
    fails: [PersonErased, PersonHasAccount, ...invitingFails],
    prepare: ({ params, body, ...context }) =>
      admitPerson(inviting, context, { kind, id: params.id, email: body.email }),
    handle: ({ tx, caller, params, body }) =>
      invitePerson(tx, { caller, inviting }, { kind, id: params.id, email: body.email }),
  })

const inviteStaffEndpoint = (inviting: Inviting): Endpoint =>
  change({
    id: 'staff.invite',
    method: 'POST',
    path: '/staff/{id}/invite',
    summary: 'Invite somebody of the staff to come in with an account of their own',
    description:
      'As POST /members, for somebody who is known by name already: accepting it puts the account behind this record, unless another stands there by then, so that they see the groups that name them at once. It goes to `email`, else to the address of the record (422 when there is none); the record keeps its own. 409 for a record that has an account already, and for an address that is a member or invited already. ' +
      HANDED_OVER +
      INVITING_LIMITS,
    access: 'members.manage',
    wholeTenant: true,
    credential: INVITATION,
    body: InviteStaff,
    bodyOptional: true,
    status: 201,
    reply: Invitation,
    fails: [PersonHasAccount, PermissionEscalation, ...invitingFails],
    prepare: ({ params, body, ...context }) =>
      admitPerson(inviting, context, { kind: 'staff', id: params.id, email: body.email, ...body }),
    handle: ({ tx, caller, params, body }) =>
      invitePerson(tx, { caller, inviting }, { kind: 'staff', id: params.id, email: body.email, ...body }),
  })

export const invitationEndpoints = (inviting: Inviting): readonly Endpoint[] => [
  inviteEndpoint(inviting, 'student'),
  inviteEndpoint(inviting, 'guardian'),
  inviteStaffEndpoint(inviting),
]
