import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockDefaultBranch } from '#modules/branches/index.ts'
import { memberOf } from '#modules/members/index.ts'
import { lockQuota } from '#modules/tenants/index.ts'
import { createRecord, lockReferenced } from '#runtime/records/records.ts'
import { acceptedAccount } from '../account.ts'
import { countActive, lockNewStaff, staffRecord } from './service.ts'

/** The last word is the last name; who has one word alone has no last name. */
const namesOf = (fullName: string): { firstName: string; lastName: string } => {
  const words = fullName.split(/\s+/)
  return { firstName: words.slice(0, Math.max(1, words.length - 1)).join(' '), lastName: words.slice(1).at(-1) ?? '' }
}

/**
 * Adds somebody who accepted an invitation to the staff, in the branch of their role, with their account behind the
 * record. It is new, so that it gives the account no reach. Where it stands behind a staff record already, or the plan has
 * no room for another, nothing changes: they come in all the same.
 */
export const addAccepted = async (
  tx: Tx,
  { membershipId, userId }: { membershipId: string; userId: string },
): Promise<void> => {
  const known = await tx.whole.selectFrom('staff').select('id').where('user_id', '=', userId).executeTakeFirst()
  if (known) return
  const { fullName, email, branchId } = await memberOf(tx.whole, membershipId)
  const branch = branchId ?? (await lockDefaultBranch(tx))
  if (branchId !== null) await lockReferenced(tx, 'branch', branchId)
  const limit = await lockQuota(tx, 'maxStaff')
  if (limit !== null && (await countActive(tx.whole, tx.now)) >= limit) return
  await lockNewStaff(tx)
  const fields = { branchId: branch, ...namesOf(fullName), email, userId: acceptedAccount(userId), isActive: true }
  await createRecord(tx, staffRecord, fields)
}
