import type { Module } from '#kernel/contract/module.ts'
import type { Inviting } from './invitations/admit.ts'
import { memberEndpoints } from './memberships/endpoints.ts'
import { roleEndpoints } from './roles/endpoints.ts'
import { memberTables } from './tables.ts'
import { INVITATION } from './credentials.ts'

export { INVITATION } from './credentials.ts'
export { PermissionEscalation, refuseEscalation, refuseImpersonation } from './escalation.ts'
export { cachedGrants, grantsOf, grantsOfRoles, ROLE_COLUMNS, type HeldRole, type TaughtGroups } from './grants.ts'
export {
  acceptInvitation,
  findInvitation,
  InvitationInvalid,
  namesOfInvitation,
  type Accepted,
  type OpenInvitation,
  isOpenInvitation,
} from './invitations/accept.ts'
export { admitInviter, countInvitation, type BeforeInviting, type Inviting } from './invitations/admit.ts'
export { invitedTo, inviteMember, type InvitedRole } from './invitations/invite.ts'
export { invitingFails } from './invitations/invitee.ts'
export { HANDED_OVER, INVITING_LIMITS } from './memberships/endpoints.ts'
export {
  checkMember,
  hasOtherManager,
  countActiveMembers,
  countMembersAndInvited,
  memberOf,
  systemRoleId,
} from './memberships/lookups.ts'
export { checkAssignments } from './memberships/assignments.ts'
export { workersCalled } from './memberships/records.ts'
export { holdsMore, rolesOfMembers } from './memberships/outranked.ts'
export { deleteMember } from './memberships/service.ts'
export { activeOwners, isLastOwner, lockOwners } from './memberships/owners.ts'
export { Invitation, NewMember } from './memberships/schemas.ts'
export { allMemberships, asksSecondFactor, MembershipSummary, membershipsOf } from './summaries.ts'
export { addMember, seedSystemRoles } from './system-roles.ts'

export const membersModule = (inviting: Inviting): Module => ({
  name: 'members',
  tags: {
    permissions: 'What roles are made of.',
    roles: 'What members may do.',
    members: 'Who may sign in to the institute, and with which roles.',
  },
  events: ['member.invited'],
  tables: memberTables,
  credentials: [INVITATION],
  reads: { branches: ['branch'], identity: ['user'], tenants: ['tenant'] },
  endpoints: [...roleEndpoints, ...memberEndpoints(inviting)],
})
