import * as v from 'valibot'
import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { INVITATION } from '../credentials.ts'
import { PermissionEscalation } from '../escalation.ts'
import { admitInviter, countInvitation, type Inviting } from '../invitations/admit.ts'
import { invitedTo, inviteMember, NothingToAccept, findInvitee, resendInvitation } from '../invitations/invite.ts'
import { invitingFails } from '../invitations/invitee.ts'
import { LastOwner } from './owners.ts'
import { listMembers } from './records.ts'
import { Invitation, Member, MemberChanges, MemberRoles, NewMember } from './schemas.ts'
import { AccountBarred, changeMember, deleteMember, NotYetAccepted, OwnMembership, replaceRoles } from './service.ts'

/** What every inviting endpoint's description says about its limits. */
export const INVITING_LIMITS =
  'Needs a caller, for an API key a creator, whose own email address is confirmed (403 FORBIDDEN, details.reason email_not_verified). By default an address is sent 10 invitations an hour, those of all institutes and of every kind together, and an institute sends 200 an hour and 1000 a day: beyond that 429 with Retry-After. In the mail the institute’s name is never a link.'

/** What they say of servers that send nothing. */
export const HANDED_OVER =
  'On a server of the institute’s own without a mailbox nothing is sent: the reply has the link, this once, for whoever invites to hand over. '

export const memberEndpoints = (inviting: Inviting) => [
  read({
    id: 'members.list',
    path: '/members',
    summary: 'List who may sign in',
    description:
      'Newest first, the invited and the disabled included. Somebody whose account the operator of the server disabled is shown as disabled too, in every institute. fullName is empty while somebody is only invited. A role with a branchId holds for that branch alone.',
    access: 'members.read',
    query: explained(pageQuery({ isFamily: v.optional(v.boolean()) }), {
      isFamily:
        'true: those who are here as students or guardians alone. false: whoever has another role, too: those who work here.',
    }),
    reply: pageOf(Member),
    handle: listMembers,
  }),
  change({
    id: 'members.invite',
    method: 'POST',
    path: '/members',
    summary: 'Invite somebody',
    description:
      'Sends a mail with a link that works once, within 7 days. ' +
      HANDED_OVER +
      'Answers the invitation; the membership is in GET /members from now on, as invited. Somebody without an account gets one with the password they choose when they accept; others keep theirs. The role must not hold more than the caller holds, for the whole institute or, with branchId or branchIds, at least for those branches (403 PERMISSION_ESCALATION); only owners invite owners, and for the whole institute. 409 for an address that is a member, a disabled member or invited already: details.membershipId names the membership to change, to activate or to send the invitation to again. ' +
      INVITING_LIMITS,
    access: 'members.manage',
    wholeTenant: true,
    credential: INVITATION,
    body: NewMember,
    status: 201,
    reply: Invitation,
    fails: [NotFound, PermissionEscalation, ...invitingFails],
    prepare: async ({ body, ...context }) => {
      await admitInviter(context)
      await countInvitation(inviting, context, { email: body.email, assignments: invitedTo(body) })
    },
    handle: async ({ tx, caller, body }) => (await inviteMember(tx, { caller, inviting }, body)).invitation,
  }),
  change({
    id: 'members.update',
    method: 'PATCH',
    path: '/members/{id}',
    summary: 'Disable a member or activate them again',
    description:
      'A disabled member is refused from their next request on. 409 for oneself, for the last active owner, for somebody who has not accepted their invitation yet, and for activating somebody whose account the operator of the server disabled: only they can enable it again. An impersonated session activates nobody (403).',
    access: 'members.manage',
    wholeTenant: true,
    body: MemberChanges,
    reply: Member,
    fails: [NotYetAccepted, AccountBarred, OwnMembership, LastOwner],
    handle: ({ tx, params, body }) => changeMember(tx, params.id, body),
  }),
  change({
    id: 'members.delete',
    method: 'DELETE',
    path: '/members/{id}',
    summary: 'Remove a member or take an invitation back',
    description:
      'Ends their access to this institute at once, or makes the link of their invitation useless. Their account stays, and so does what they did here; they can be invited again. 409 for oneself and for the last active owner.',
    access: 'members.manage',
    wholeTenant: true,
    reply: Ok,
    fails: [OwnMembership, LastOwner],
    handle: ({ tx, params }) => deleteMember(tx, params.id),
  }),
  change({
    id: 'members.replace-roles',
    method: 'PUT',
    path: '/members/{id}/roles',
    summary: 'Replace a member’s roles',
    description:
      'Holds from their next request on; for somebody invited, once they accept. A role may be given for several branches; naming the same one twice counts once. The roles that are added must not hold more than the caller holds, for the whole institute or for their branch; only owners make owners, and for the whole institute. 409 when the last active owner would lose the owner’s role. An impersonated session adds no role (403).',
    access: 'members.manage',
    wholeTenant: true,
    body: MemberRoles,
    reply: Member,
    fails: [PermissionEscalation, LastOwner],
    handle: ({ tx, caller, params, body }) => replaceRoles(tx, caller, { ...body, id: params.id }),
  }),
  change({
    id: 'members.resend-invitation',
    method: 'POST',
    path: '/members/{id}/resend-invitation',
    summary: 'Send an invitation again',
    description:
      'With a new link and another 7 days, also when the invitation had expired; the old link dies. 409 once it was accepted. ' +
      HANDED_OVER +
      INVITING_LIMITS,
    access: 'members.manage',
    wholeTenant: true,
    credential: INVITATION,
    reply: Invitation,
    fails: [NothingToAccept],
    prepare: async ({ params, ...context }) => {
      await admitInviter(context)
      const { email } = await findInvitee(context.db, params.id)
      await inviting.mailBudget.countInvitation(context.tenant.id, email)
    },
    handle: ({ tx, params }) => resendInvitation(tx, inviting, params.id),
  }),
]
