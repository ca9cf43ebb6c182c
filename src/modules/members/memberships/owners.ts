import { forNoKeyUpdate } from '#db/dialect.ts'
import { failure } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

export const LastOwner = failure(
  'CONFLICT',
  'last_owner',
  'The institute would be left without an active owner: make somebody else an owner first.',
)

/**
 * Serializes changes that may remove owners, until they commit, so that two of them cannot remove the last two owners.
 * Take this lock before any other.
 */
export const lockOwners = async ({ whole }: Tx): Promise<void> => {
  await forNoKeyUpdate(whole, whole.selectFrom('role').select('id').where('key', '=', 'owner')).execute()
}

/** The active owners of the institute, the oldest member first. */
export const activeOwners = (whole: ScopedDb): Promise<{ membershipId: string; userId: string }[]> =>
  whole
    .selectFrom('role_assignment')
    .innerJoin('role', 'role.id', 'role_assignment.role_id')
    .innerJoin('membership', 'membership.id', 'role_assignment.membership_id')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select(['membership.id as membershipId', 'membership.user_id as userId'])
    .where('role.key', '=', 'owner')
    .where('membership.status', '=', 'active')
    .where('user.status', '=', 'active')
    .orderBy('membership.created_at')
    .orderBy('membership.id')
    .execute()

/** Whether the institute has no active owner but this member; needs lockOwners. */
export const isLastOwner = async ({ whole }: Tx, membershipId: string): Promise<boolean> => {
  const owners = await activeOwners(whole)
  return owners.length === 1 && owners[0]?.membershipId === membershipId
}

/** For a member who loses the owner's role or their access; needs lockOwners. @throws LastOwner */
export const refuseLastOwner = async (tx: Tx, membershipId: string): Promise<void> => {
  if (await isLastOwner(tx, membershipId)) throw LastOwner()
}
