import { failure } from '#kernel/values/errors.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import type { ScopedDb, SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { changeRecord, lockRow } from '#runtime/records/records.ts'
import { memberRecord } from '../memberships/records.ts'
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
}

/** @returns undefined for a token that is unknown, expired or used, or of an archived institute */
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
    .where('invitation.token_hash', '=', hashInvitationToken(token))
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.expires_at', '>', now)
    .where('tenant.status', '!=', 'archived')
    .executeTakeFirst()

/** Whether the link of an invitation's mail still works: it may have been used, taken back, or sent again with another. */
export const isOpenInvitation = async (whole: ScopedDb, token: string, now: string): Promise<boolean> => {
  const open = await whole
    .selectFrom('invitation')
    .select('id')
    .where('token_hash', '=', hashInvitationToken(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return open !== undefined
}

/** The names that an invitation shows: of its institute, and of the person who invited. */
export const namesOfInvitation = (
  db: SystemDb,
  { id }: Pick<OpenInvitation, 'id'>,
): Promise<{ institute: string; inviter: string }> =>
  db
    .selectFrom('invitation')
    .innerJoin('tenant', 'tenant.id', 'invitation.tenant_id')
    .innerJoin('user', 'user.id', 'invitation.invited_by_user_id')
    .select(['tenant.name as institute', 'user.full_name as inviter'])
    .where('invitation.id', '=', id)
    .executeTakeFirstOrThrow()

export interface Accepted {
  invitationId: string
  tenantId: string
  membershipId: string
  userId: string
  /** Whether the invitation was to the staff, too. */
  joinsStaff: boolean
}

/**
 * Locks the membership before its invitation: every transaction that changes an invitation locks in this order, because
 * deleting a membership deletes its invitation too.
 */
const lockMembershipOf = async ({ everywhere: db }: SystemTx, tokenHash: string): Promise<void> => {
  const invited = db.selectFrom('invitation').select(['tenant_id', 'membership_id']).where('token_hash', '=', tokenHash)
  const membership = db
    .selectFrom('membership')
    .select('id')
    .where(({ eb, refTuple }) => eb(refTuple('tenant_id', 'id'), 'in', invited.$asTuple('tenant_id', 'membership_id')))
  await forNoKeyUpdate(db, membership).execute()
}

/**
 * Activates an invited member and uses up the token; of two concurrent calls one wins. Whatever the account needs for
 * it (a name, a password) the caller does first.
 * @param follow what other modules do about it, inside the institute and the same transaction
 * @throws InvitationInvalid
 */
export const acceptInvitation = async (
  tx: SystemTx,
  token: string,
  follow: (tx: Tx, accepted: Accepted) => Promise<void>,
): Promise<Accepted> => {
  const tokenHash = hashInvitationToken(token)
  await lockMembershipOf(tx, tokenHash)
  const invitation = await tx.everywhere
    .updateTable('invitation')
    .set({ accepted_at: tx.now, updated_at: tx.now })
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .returning(['id', 'tenant_id', 'membership_id', 'joins_staff'])
    .executeTakeFirst()
  const tenant = invitation && (await findTenant(tx.db, invitation.tenant_id))
  if (!invitation || tenant?.status === 'archived' || !tenant) throw InvitationInvalid()
  const inTenant = tx.inTenant(tenant)
  const row = await lockRow(inTenant, memberRecord, invitation.membership_id)
  const { membershipId, userId } = await changeRecord(inTenant, memberRecord, row, {
    status: 'active',
    joinedAt: tx.now,
  })
  const { id: invitationId, joins_staff: joinsStaff } = invitation
  const accepted = { invitationId, tenantId: tenant.id, membershipId, userId, joinsStaff }
  await follow(inTenant, accepted)
  return accepted
}
