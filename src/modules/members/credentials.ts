import type { Credential } from '#kernel/contract/credential.ts'

export const INVITATION: Credential = {
  name: 'invitation',
  of: 'member',
  opens: 'Makes whoever has the link, mailed or handed over, a member, once, for a week.',
  lasting: true,
  columns: ['invitation.token_hash'],
  ends: ['user_disabled', 'membership_deleted', 'tenant_archived'],
  why: 'Nobody has come in by it yet: there is no session, no password and no role in force that could end. In a locked institute it makes a member who is as locked out as the others.',
}
