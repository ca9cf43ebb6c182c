import type { Module } from '#kernel/module.ts'
import type { SendMail } from '#modules/mail/index.ts'
import { memberEndpoints } from './memberships/endpoints.ts'
import { roleEndpoints } from './roles/endpoints.ts'
import { memberTables } from './tables.ts'

export { PermissionEscalation, refuseEscalation, refuseImpersonation } from './escalation.ts'
export { grantsOf, keptGrants, type TaughtGroups } from './grants.ts'
export {
  acceptInvitation,
  findInvitation,
  InvitationInvalid,
  type Accepted,
  type OpenInvitation,
} from './invitations/accept.ts'
export { inviteMember, invitingFails } from './invitations/invite.ts'
export { Invitation } from './memberships/schemas.ts'
export { MembershipSummary, membershipsOf } from './summaries.ts'
export { addMember, seedSystemRoles } from './system-roles.ts'

export interface MembersDeps {
  sendMail: SendMail
}

export const membersModule = ({ sendMail }: MembersDeps): Module => ({
  name: 'members',
  tables: memberTables,
  endpoints: [...roleEndpoints, ...memberEndpoints(sendMail)],
})
