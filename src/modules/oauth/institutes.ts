import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { OutsideDb, SystemDb } from '#kernel/contract/tables.ts'
import { grantsOf, membershipsOf, type TaughtGroups } from '#modules/members/index.ts'
import { findTenants } from '#modules/tenants/index.ts'

/** An institute in which a user is an active member. */
export interface UsersInstitute {
  tenant: TenantInfo
  membershipId: string
  /** Whether they may let an assistant in: they hold mcp.access, and the feature mcp is on. */
  allowed: boolean
  permissions: Permission[]
}

/** The institutes of a user, oldest membership first, without archived ones. */
export const institutesOf = async (
  { db, everywhere }: { db: OutsideDb; everywhere: SystemDb },
  userId: string,
  taughtGroups: TaughtGroups,
): Promise<UsersInstitute[]> => {
  const memberships = (await membershipsOf(everywhere, userId)).filter(({ status }) => status === 'active')
  if (memberships.length === 0) return []
  const tenants = await findTenants(
    db,
    memberships.map(({ tenantId }) => tenantId),
  )
  const found = memberships.map(async ({ tenantId, membershipId }): Promise<UsersInstitute[]> => {
    const tenant = tenants.get(tenantId)
    if (!tenant) return []
    const { grants } = await grantsOf(everywhere, { tenantId, userId, membershipId }, taughtGroups)
    const allowed = grants.reach('mcp.access') !== undefined && tenant.features.mcp
    return [{ tenant, membershipId, allowed, permissions: grants.list() }]
  })
  return (await Promise.all(found)).flat()
}
