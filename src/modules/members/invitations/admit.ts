import type { Locale } from '#shared/locale.ts'
import { actingUserId, type Actor, type Caller, type TenantInfo } from '#kernel/who/actor.ts'
import { Forbidden } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { MailBudget, SendMail } from '#modules/mail/index.ts'
import { checkAssignments, type Assignment } from '../memberships/assignments.ts'
import { findUser, refuseMember, type InvitedUser } from './invitee.ts'

/** The dependencies of every endpoint that invites. */
export interface Inviting {
  sendMail: SendMail
  /**
   * Finds the account of that address, or creates one without password and name; nobody can sign in with that until
   * they accept the invitation.
   * @param invited the language of an account that is created
   */
  ensureUser(tx: Tx, invited: { email: string; locale: Locale }): Promise<InvitedUser>
  mailBudget: MailBudget
  /** The link of an invitation, for whoever invites to hand over; null: mails go out, and take it. */
  linkToGive(tenantId: string, token: string): Promise<string | null>
}

/** What an endpoint has at hand before its transaction. */
export interface BeforeInviting {
  caller: Caller
  tenant: TenantInfo
  db: ScopedDb
}

/** Only users with a confirmed address may have mails sent in their name. @throws Forbidden */
const refuseUnverified = async (db: ScopedDb, actor: Actor): Promise<void> => {
  const userId = actingUserId(actor)
  const user =
    userId === null
      ? undefined
      : await db.selectFrom('user').select('email_verified').where('id', '=', userId).executeTakeFirst()
  if (!user?.email_verified) throw Forbidden({ reason: 'email_not_verified' })
}

/** Checks who invites, whomever they invite. @throws Forbidden */
export const admitInviter = async ({ db, caller: { actor } }: BeforeInviting): Promise<void> => {
  await refuseUnverified(db, actor)
}

/**
 * Counts the mail of a new invitation, after admitInviter and unless the invitation would be refused anyway. The
 * transaction repeats all checks.
 * @throws NotFound, PermissionEscalation, AlreadyMember, AlreadyInvited, MemberDisabled, VALIDATION_ERROR, RATE_LIMITED
 */
export const countInvitation = async (
  { mailBudget }: Pick<Inviting, 'mailBudget'>,
  { db, caller, tenant }: BeforeInviting,
  { email, assignments }: { email: string; assignments: readonly Assignment[] },
): Promise<void> => {
  await checkAssignments(db, caller, assignments, ['branchId'])
  const user = await findUser(db, email)
  if (user) await refuseMember(db, user.id)
  await mailBudget.countInvitation(tenant.id, email)
}
