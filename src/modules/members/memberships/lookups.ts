import { found } from '#kernel/values/errors.ts'
import type { SystemRoleKey } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { countRows } from '#modules/tenants/index.ts'

/** What other modules ask about members and roles. */

/** @throws NotFound for a user who is not a member of the institute; a membership of any status counts */
export const checkMember = async ({ whole }: { whole: ScopedDb }, userId: string): Promise<void> => {
  found(await whole.selectFrom('membership').select('id').where('user_id', '=', userId).executeTakeFirst())
}

/** A member with the name and address of their account, and a branch for which they have a role; null: for none alone. */
export const memberOf = async (
  whole: ScopedDb,
  membershipId: string,
): Promise<{ fullName: string; email: string; branchId: string | null }> => {
  const member = await whole
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select(['user.full_name as fullName', 'user.email'])
    .where('membership.id', '=', membershipId)
    .executeTakeFirstOrThrow()
  const roles = await whole
    .selectFrom('role_assignment')
    .select('branch_id')
    .where('membership_id', '=', membershipId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const isForAll = roles.some(({ branch_id: branchId }) => branchId === null)
  return { ...member, branchId: isForAll ? null : (roles[0]?.branch_id ?? null) }
}

/** Whether another active member manages the members of the whole institute. */
export const hasOtherManager = async (whole: ScopedDb, userId: string): Promise<boolean> => {
  const roles = await whole.selectFrom('role').select(['id', 'permissions']).execute()
  const managing = roles.filter(({ permissions }) => permissions.includes('members.manage')).map(({ id }) => id)
  const other = await whole
    .selectFrom('role_assignment')
    .innerJoin('membership', 'membership.id', 'role_assignment.membership_id')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select('membership.id')
    .where('role_assignment.role_id', 'in', managing)
    .where('role_assignment.branch_id', 'is', null)
    .where('membership.status', '=', 'active')
    .where('user.status', '=', 'active')
    .where('membership.user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export const countActiveMembers = (whole: ScopedDb): Promise<number> =>
  countRows(whole.selectFrom('membership').where('status', '=', 'active'))

/** Counts the members who may sign in, and those who were invited. */
export const countMembersAndInvited = (whole: ScopedDb): Promise<number> =>
  countRows(whole.selectFrom('membership').where('status', '!=', 'disabled'))

/** The id of a system role, which the institute may have renamed. */
export const systemRoleId = async (whole: ScopedDb, key: SystemRoleKey): Promise<string> =>
  (await whole.selectFrom('role').select('id').where('key', '=', key).executeTakeFirstOrThrow()).id
