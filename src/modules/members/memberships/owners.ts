import { forNoKeyUpdate } from '#db/dialect.ts'
import { failure } from '#kernel/errors.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import '../tables.ts'

export const LastOwner = failure(
  'CONFLICT',
  'last_owner',
  'The institute would be left without an active owner: make somebody else an owner first.',
)

/**
 * Makes changes that may take owners away stand in line until they end, so that two of them cannot take the last two.
 * To be called before anything else is locked.
 */
export const lockOwners = async ({ whole }: Tx): Promise<void> => {
  await forNoKeyUpdate(whole, whole.selectFrom('role').select('id').where('key', '=', 'owner')).execute()
}

/** For a member who is about to lose the owner's role or their access; under lockOwners. @throws LastOwner */
export const refuseLastOwner = async ({ whole }: Tx, membershipId: string): Promise<void> => {
  const owners = await whole
    .selectFrom('role_assignment')
    .innerJoin('role', 'role.id', 'role_assignment.role_id')
    .innerJoin('membership', 'membership.id', 'role_assignment.membership_id')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select('membership.id')
    .where('role.key', '=', 'owner')
    .where('membership.status', '=', 'active')
    .where('user.status', '=', 'active')
    .execute()
  if (owners.length === 1 && owners[0]?.id === membershipId) throw LastOwner()
}
