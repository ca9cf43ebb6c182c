import { failure, invalid } from '#kernel/errors.ts'
import { locked } from '#db/dialect.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { SystemTx, Tx } from '#kernel/unit-of-work.ts'
import { findTenant } from '#modules/settings/index.ts'
import { readMember } from '../memberships/records.ts'
import '../tables.ts'
import { hashInvitationToken } from './token.ts'

export const InvitationInvalid = failure(
  'INVITATION_INVALID',
  'invitation_invalid',
  'The invitation is unknown, expired or used: ask for a new one.',
)

/** An invitation that can still be accepted. */
export interface OpenInvitation {
  id: string
  tenantId: string
  membershipId: string
  userId: string
  email: string
  /** Whoever was invited has no account yet: a password is needed to accept. */
  needsPassword: boolean
}

/** undefined: unknown, expired, used, or the institute is no more. */
export const findInvitation = (db: SystemDb, token: string, now: string): Promise<OpenInvitation | undefined> =>
  db
    .selectFrom('invitation')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.tenant_id', '=', 'invitation.tenant_id')
        .onRef('membership.id', '=', 'invitation.membership_id'),
    )
    .innerJoin('user', 'user.id', 'membership.user_id')
    .innerJoin('tenant', 'tenant.id', 'invitation.tenant_id')
    .select([
      'invitation.id',
      'invitation.tenant_id as tenantId',
      'invitation.membership_id as membershipId',
      'user.id as userId',
      'user.email',
    ])
    .select((eb) => eb.case().when('user.password_hash', 'is', null).then(1).else(0).end().as('needsPassword'))
    .where('invitation.token_hash', '=', hashInvitationToken(token))
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.expires_at', '>', now)
    .where('tenant.status', '!=', 'archived')
    .executeTakeFirst()
    .then((row) => row && { ...row, needsPassword: row.needsPassword === 1 })

export interface Acceptance {
  token: string
  /** Taken where the account has no password yet. */
  passwordHash: string | null
  /** Taken where the account has no password yet. */
  fullName: string | undefined
}

export interface Accepted {
  invitationId: string
  tenantId: string
  membershipId: string
  userId: string
}

/** Gives an account that only an invitation made its password and its name. Others keep theirs. */
const completeAccount = async (
  { db, now }: SystemTx,
  userId: string,
  { passwordHash, fullName }: Acceptance,
): Promise<void> => {
  const user = await locked(
    db,
    db.selectFrom('user').select(['password_hash', 'full_name']).where('id', '=', userId),
  ).executeTakeFirstOrThrow()
  const isNew = user.password_hash === null
  if (isNew && passwordHash === null) throw invalid(['password'], 'Is required: there is no account yet.')
  if (isNew && user.full_name === '' && fullName === undefined) {
    throw invalid(['fullName'], 'Is required: there is no account yet.')
  }
  await db
    .updateTable('user')
    .set({
      // The token came by mail to this very address.
      email_verified: true,
      updated_at: now,
      ...(isNew && { password_hash: passwordHash, full_name: fullName }),
    })
    .where('id', '=', userId)
    .execute()
}

/**
 * Makes an invited member an active one. The token is used up; of two at once one wins.
 * @param follow does what others do about it, within the institute
 * @throws InvitationInvalid; VALIDATION_ERROR where a new account lacks its password or name
 */
export const acceptInvitation = async (
  tx: SystemTx,
  acceptance: Acceptance,
  follow: (tx: Tx, accepted: Accepted) => Promise<void>,
): Promise<Accepted> => {
  const invitation = await tx.db
    .updateTable('invitation')
    .set({ accepted_at: tx.now, updated_at: tx.now })
    .where('token_hash', '=', hashInvitationToken(acceptance.token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .returning(['id', 'tenant_id', 'membership_id'])
    .executeTakeFirst()
  const tenant = invitation && (await findTenant(tx.db, invitation.tenant_id))
  if (!invitation || tenant?.status === 'archived' || !tenant) throw InvitationInvalid()
  const inTenant = tx.inTenant(tenant)
  const { whole } = inTenant
  const before = await readMember(whole, invitation.membership_id)
  await completeAccount(tx, before.userId, acceptance)
  await whole
    .updateTable('membership')
    .set({ status: 'active', joined_at: tx.now, updated_at: tx.now })
    .where('id', '=', invitation.membership_id)
    .execute()
  const after = await readMember(whole, invitation.membership_id)
  inTenant.audit({ entityType: 'membership', entityId: after.membershipId, before, after })
  const accepted = {
    invitationId: invitation.id,
    tenantId: tenant.id,
    membershipId: after.membershipId,
    userId: after.userId,
  }
  await follow(inTenant, accepted)
  return accepted
}
