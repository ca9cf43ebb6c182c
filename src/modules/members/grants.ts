import { BoundedCache } from '#kernel/bounded-cache.ts'
import { Grants, type Grant, type TaughtGroup } from '#kernel/permissions.ts'
import type { SystemDb } from '#kernel/tables.ts'
import { compiled } from '#db/compiled.ts'

/** Finds the groups of an institute in which a user teaches or substitutes. */
export type TaughtGroups = (db: SystemDb, tenantId: string, userId: string) => Promise<TaughtGroup[]>

const rolesOf = compiled((db, { tenantId, membershipId }: { tenantId: string; membershipId: string }) =>
  db
    .selectFrom('role_assignment')
    .innerJoin('role', (join) =>
      join.onRef('role.id', '=', 'role_assignment.role_id').onRef('role.tenant_id', '=', 'role_assignment.tenant_id'),
    )
    .select(['role.key', 'role.permissions', 'role_assignment.branch_id'])
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

/** What a membership's roles permit, and whether one of them is the owner's. */
export const grantsOf = async (
  db: SystemDb,
  { tenantId, userId, membershipId }: { tenantId: string; userId: string; membershipId: string },
  taughtGroups: TaughtGroups,
): Promise<{ grants: Grants; isOwner: boolean }> => {
  const roles = await rolesOf(db, { tenantId, membershipId })
  const groups = roles.some((role) => role.key === 'teacher') ? await taughtGroups(db, tenantId, userId) : []
  const grants = roles.map((role): Grant => ({
    permissions: role.permissions,
    branchId: role.branch_id,
    ...(role.key === 'teacher' && { groups }),
  }))
  return { grants: cachedGrants(grants), isOwner: roles.some((role) => role.key === 'owner') }
}
