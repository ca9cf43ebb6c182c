import type { Permission, SystemRoleKey } from '#kernel/rights/permissions.ts'
import type { Caller } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/** A role that a member has, as far as it says what they may do. */
export interface RoleOfMember {
  key: SystemRoleKey | null
  permissions: Permission[]
  branchId: string | null
}

/** The roles of these members, by their memberships. Whoever has none is missing. */
export const rolesOfMembers = async (
  whole: ScopedDb,
  membershipIds: readonly string[],
): Promise<ReadonlyMap<string, RoleOfMember[]>> => {
  if (membershipIds.length === 0) return new Map()
  const rows = await whole
    .selectFrom('role_assignment')
    .innerJoin('role', 'role.id', 'role_assignment.role_id')
    .select([
      'role_assignment.membership_id as membershipId',
      'role.key',
      'role.permissions',
      'role_assignment.branch_id as branchId',
    ])
    .where('role_assignment.membership_id', 'in', membershipIds)
    .execute()
  return Map.groupBy(rows, ({ membershipId }) => membershipId)
}

/** Whether somebody with these roles may do anything that the caller may not. An owner may do more than the list says. */
export const holdsMore = (
  { grants, isOwner }: Pick<Caller, 'grants' | 'isOwner'>,
  roles: readonly RoleOfMember[],
): boolean =>
  !isOwner &&
  roles.some(({ key, permissions, branchId }) => key === 'owner' || grants.missing(permissions, branchId).length > 0)
