import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import { Grants, type Grant, type Permission, type TaughtGroup } from '#kernel/rights/permissions.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { compiled } from '#db/queries/compiled.ts'

/** Finds the groups of an institute in which a user teaches or substitutes. */
export type TaughtGroups = (db: SystemDb, tenantId: string, userId: string) => Promise<TaughtGroup[]>

/** The columns from which grants are made, for queries that join the roles of a membership. */
export const ROLE_COLUMNS = [
  'role.key as role_key',
  'role.permissions as role_permissions',
  'role_assignment.branch_id as role_branch_id',
] as const

/** A role that somebody holds: in the whole institute, or in a branch. */
export interface HeldRole {
  /** null: a role of the institute's own */
  role_key: string | null
  role_permissions: Permission[]
  role_branch_id: string | null
}

const rolesOf = compiled((db, { tenantId, membershipId }: { tenantId: string; membershipId: string }) =>
  db
    .selectFrom('role_assignment')
    .innerJoin('role', (join) =>
      join.onRef('role.id', '=', 'role_assignment.role_id').onRef('role.tenant_id', '=', 'role_assignment.tenant_id'),
    )
    .select(ROLE_COLUMNS)
    .where('role_assignment.tenant_id', '=', tenantId)
    .where('role_assignment.membership_id', '=', membershipId),
)

/** The cache key holds everything that grants are made of, so an entry never becomes stale. */
const made = new BoundedCache<string, Grants>(1000)

/** Caches grants by their content: they are costly to build and hold nothing of their caller. */
export const cachedGrants = (grants: readonly Grant[]): Grants => {
  const key = grants
    .map(({ permissions, branchId, groups }) => {
      const taught = groups?.map((group) => `${group.id}/${group.branchId}`)
      return `${permissions.join()} ${branchId} ${taught?.join()}`
    })
    .join('|')
  return made.get(key, () => new Grants(grants))
}

/** What roles permit to their holder, and whether one of them is the owner's. */
export const grantsOfRoles = async (
  db: SystemDb,
  { tenantId, userId, roles }: { tenantId: string; userId: string; roles: readonly HeldRole[] },
  taughtGroups: TaughtGroups,
): Promise<{ grants: Grants; isOwner: boolean }> => {
  const groups = roles.some((role) => role.role_key === 'teacher') ? await taughtGroups(db, tenantId, userId) : []
  const grants = roles.map((role): Grant => ({
    permissions: role.role_permissions,
    branchId: role.role_branch_id,
    ...(role.role_key === 'teacher' && { groups }),
  }))
  return { grants: cachedGrants(grants), isOwner: roles.some((role) => role.role_key === 'owner') }
}

/** What a membership's roles permit, and whether one of them is the owner's. */
export const grantsOf = async (
  db: SystemDb,
  { tenantId, userId, membershipId }: { tenantId: string; userId: string; membershipId: string },
  taughtGroups: TaughtGroups,
): Promise<{ grants: Grants; isOwner: boolean }> => {
  const roles = await rolesOf(db, { tenantId, membershipId })
  return grantsOfRoles(db, { tenantId, userId, roles }, taughtGroups)
}
