import type { InferOutput } from 'valibot'
import type { Locale } from '#shared/locale.ts'
import { forNoKeyUpdate, refusing } from '#db/dialect.ts'
import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { SystemRoleKey } from '#kernel/rights/permissions.ts'
import { failure, Forbidden, found } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { assignRoles, checkAssignments, type Assignment } from '../memberships/assignments.ts'
import type { Invitation, NewMember } from '../memberships/schemas.ts'
import type { Inviting } from './admit.ts'
import { AlreadyInvited, nameOf, refuseMember, type InvitedUser } from './invitee.ts'
import { hashInvitationToken, newInvitationToken } from './token.ts'

export type InvitedRole = Pick<InferOutput<typeof NewMember>, 'roleId' | 'branchId' | 'branchIds'>

const LIVES_SECONDS = 7 * 24 * 3600

export const NothingToAccept = failure(
  'CONFLICT',
  'invitation_accepted',
  'There is no invitation to send again: it has been accepted.',
)

type Issuing = Pick<Inviting, 'sendMail' | 'linkToGive'>

/** The roles of those who learn, and of their parents. */
const OF_FAMILY: ReadonlySet<string | null> = new Set(['guardian', 'student'] satisfies SystemRoleKey[])

/** Whether somebody is invited as a guardian or a student alone: the mail says what the account is for. */
const isOfFamily = async (db: ScopedDb, membershipId: string): Promise<boolean> => {
  const roles = await db
    .selectFrom('role_assignment')
    .innerJoin('role', 'role.id', 'role_assignment.role_id')
    .select('role.key')
    .where('role_assignment.membership_id', '=', membershipId)
    .execute()
  return roles.length > 0 && roles.every(({ key }) => OF_FAMILY.has(key))
}

/** Makes a new token with its expiry; its mail, which names the inviter, goes out after the commit. */
const issueToken = async (
  tx: Tx,
  { sendMail, linkToGive }: Issuing,
  { user, inviterId, membershipId }: { user: InvitedUser; inviterId: string; membershipId: string },
): Promise<{ tokenHash: string; expiresAt: string; link: string | null }> => {
  const inviter = await nameOf(tx.db, inviterId)
  const token = newInvitationToken()
  const expiresAt = plusSeconds(tx.now, LIVES_SECONDS)
  sendMail(tx, {
    template: 'invitation',
    values: {
      institute: tx.tenant.name,
      ...(inviter && { inviter }),
      isFamily: await isOfFamily(tx.db, membershipId),
    },
    to: user.email,
    locale: user.locale,
    token,
    expiresAt,
    tenantId: tx.tenant.id,
  })
  return { tokenHash: hashInvitationToken(token), expiresAt, link: await linkToGive(tx.tenant.id, token) }
}

/** The role of an invitation: for each of its branches, or for the whole institute. */
export const invitedTo = ({ roleId, branchId, branchIds = [] }: InvitedRole): Assignment[] => {
  const branches = [...new Set([...(branchId === undefined ? [] : [branchId]), ...branchIds])]
  return (branches.length === 0 ? [null] : branches).map((id) => ({ roleId, branchId: id }))
}

/** @throws Forbidden where the caller adds nobody to the staff of one of these branches */
const checkAddsStaff = ({ grants }: Caller, assignments: readonly Assignment[]): void => {
  const reach = grants.reach('staff.write')
  const reaches = (id: string | null) => reach === 'all' || (id !== null && reach?.branchIds.includes(id) === true)
  if (assignments.every(({ branchId }) => reaches(branchId))) return
  throw Forbidden({ reason: 'permission_missing', permissions: ['staff.write'] })
}

/**
 * Invites somebody with one role: adds an invited membership, sends a mail with the link, records member.invited. Who has
 * no account yet gets one in the language `locale`, else in that of the institute, until they accept in another.
 * @throws NotFound for the role or branch, PermissionEscalation, Forbidden when somebody joins a staff
 * that the caller does not write, AlreadyMember, AlreadyInvited, MemberDisabled, VALIDATION_ERROR
 */
export const inviteMember = async (
  tx: Tx,
  { caller, inviting }: { caller: Caller; inviting: Issuing & Pick<Inviting, 'ensureUser'> },
  {
    email,
    locale = tx.tenant.defaultLocale,
    joinsStaff = false,
    ...role
  }: InvitedRole & { email: string; locale?: Locale | undefined; joinsStaff?: boolean },
): Promise<{ membershipId: string; invitation: Invitation }> => {
  const assignments = invitedTo(role)
  const { roleId } = role
  await checkAssignments(tx.db, caller, assignments, ['branchId'])
  if (joinsStaff) checkAddsStaff(caller, assignments)
  const user = await inviting.ensureUser(tx, { email, locale })
  await refuseMember(tx.db, user.id)
  const membershipId = tx.id()
  await tx.db
    .insertInto('membership')
    .values({
      id: membershipId,
      user_id: user.id,
      status: 'invited',
      joined_at: null,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing({ unique: { 'membership(user_id)': AlreadyInvited } }))
  await assignRoles(tx, membershipId, assignments)

  const invitedByUserId = actingUserId(tx.actor)
  if (invitedByUserId === null) throw new Error('an invitation needs somebody who invites')
  const id = tx.id()
  const { tokenHash, expiresAt, link } = await issueToken(tx, inviting, {
    user,
    inviterId: invitedByUserId,
    membershipId,
  })
  await tx.db
    .insertInto('invitation')
    .values({
      id,
      membership_id: membershipId,
      token_hash: tokenHash,
      invited_by_user_id: invitedByUserId,
      expires_at: expiresAt,
      accepted_at: null,
      joins_staff: joinsStaff,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
  tx.emit('member.invited', { invitationId: id, email: user.email, roleId, invitedByUserId })
  const invitation = { id, email: user.email, expiresAt }
  tx.audit({
    entityType: 'invitation',
    entityId: id,
    after: {
      ...invitation,
      membershipId,
      roleId,
      branchIds: assignments.flatMap(({ branchId }) => branchId ?? []),
      joinsStaff,
      invitedByUserId,
    },
    ...(link !== null && { metadata: { linkGiven: true } }),
  })
  return { membershipId, invitation: { ...invitation, link } }
}

/** Finds the user to whom an open invitation can be sent again. @throws NotFound, NothingToAccept */
export const findInvitee = async (db: ScopedDb, membershipId: string): Promise<InvitedUser> => {
  const member = found(
    await db
      .selectFrom('membership')
      .innerJoin('user', 'user.id', 'membership.user_id')
      .select(['user.id', 'user.email', 'user.locale'])
      .where('membership.id', '=', membershipId)
      .executeTakeFirst(),
  )
  const open = await db
    .selectFrom('invitation')
    .select('id')
    .where('membership_id', '=', membershipId)
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  if (!open) throw NothingToAccept()
  return member
}

/**
 * Sends an invitation again, with a new token that is valid for seven days; the old token stops working.
 * @throws NotFound, NothingToAccept
 */
export const resendInvitation = async (tx: Tx, inviting: Issuing, membershipId: string): Promise<Invitation> => {
  await forNoKeyUpdate(tx.db, tx.db.selectFrom('membership').select('id').where('id', '=', membershipId)).execute()
  const member = await findInvitee(tx.db, membershipId)
  const before = await tx.db
    .selectFrom('invitation')
    .select(['id', 'expires_at', 'invited_by_user_id'])
    .where('membership_id', '=', membershipId)
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  if (!before) throw NothingToAccept()
  const { tokenHash, expiresAt, link } = await issueToken(tx, inviting, {
    user: member,
    inviterId: before.invited_by_user_id,
    membershipId,
  })
  await tx.db
    .updateTable('invitation')
    .set({ token_hash: tokenHash, expires_at: expiresAt, updated_at: tx.now })
    .where('id', '=', before.id)
    .execute()
  const shown = { id: before.id, email: member.email, membershipId }
  tx.audit({
    entityType: 'invitation',
    entityId: before.id,
    before: { ...shown, expiresAt: before.expires_at },
    after: { ...shown, expiresAt },
    ...(link !== null && { metadata: { linkGiven: true } }),
  })
  return { id: before.id, email: member.email, expiresAt, link }
}
