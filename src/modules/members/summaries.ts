import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { id, list, orNull } from '#kernel/values/schema.ts'

export const MembershipSummary = named(
  'MembershipSummary',
  v.object({
    membershipId: id,
    tenantId: id,
    tenantSlug: v.string(),
    tenantName: v.string(),
    status: v.picklist(['invited', 'active', 'disabled']),
    roles: list(named('RoleSummary', v.object({ roleId: id, roleName: v.string(), roleKey: orNull(v.string()) }))),
  }),
  {
    tenantId: 'The institute.',
    status: 'invited: the invitation is not accepted yet. disabled: the member cannot come in.',
    roles: 'The roles that were given, each once.',
  },
)
export type MembershipSummary = v.InferOutput<typeof MembershipSummary>

const memberships = (db: SystemDb) =>
  db
    .selectFrom('membership')
    .innerJoin('tenant', 'tenant.id', 'membership.tenant_id')
    .leftJoin('role_assignment', (join) =>
      join
        .onRef('role_assignment.tenant_id', '=', 'membership.tenant_id')
        .onRef('role_assignment.membership_id', '=', 'membership.id'),
    )
    .leftJoin('role', (join) =>
      join.onRef('role.tenant_id', '=', 'role_assignment.tenant_id').onRef('role.id', '=', 'role_assignment.role_id'),
    )
    .select([
      'membership.user_id as userId',
      'membership.id as membershipId',
      'membership.tenant_id as tenantId',
      'membership.status',
      'tenant.slug as tenantSlug',
      'tenant.name as tenantName',
      'role.id as roleId',
      'role.name as roleName',
      'role.key as roleKey',
    ])
    .where('tenant.status', '!=', 'archived')
    .orderBy('membership.created_at')
    .orderBy('membership.id')
    .orderBy('role_assignment.created_at')

type Row = Awaited<ReturnType<ReturnType<typeof memberships>['execute']>>[number]

const summariesOf = (rows: readonly Row[]): MembershipSummary[] => {
  const summaries = new Map<string, MembershipSummary>()
  for (const { userId: _, roleId, roleName, roleKey, ...membership } of rows) {
    const summary = summaries.get(membership.membershipId) ?? { ...membership, roles: [] }
    // A role that is assigned for several branches appears once.
    if (roleId !== null && roleName !== null && !summary.roles.some((role) => role.roleId === roleId)) {
      summary.roles.push({ roleId, roleName, roleKey })
    }
    summaries.set(membership.membershipId, summary)
  }
  return [...summaries.values()]
}

/** Lists the institutes that a user belongs to, oldest membership first, without archived ones. */
export const membershipsOf = async (db: SystemDb, userId: string): Promise<MembershipSummary[]> =>
  summariesOf(await memberships(db).where('membership.user_id', '=', userId).execute())

/** The same of everybody, by the user's id. */
export const allMemberships = async (db: SystemDb): Promise<Map<string, MembershipSummary[]>> => {
  const byUser = Map.groupBy(await memberships(db).execute(), ({ userId }) => userId)
  return new Map([...byUser].map(([userId, rows]) => [userId, summariesOf(rows)]))
}

/** Whether a role of the user, in any institute where they are active, asks for a second factor. */
export const asksSecondFactor = async (everywhere: SystemDb, userId: string): Promise<boolean> => {
  const asking = everywhere
    .selectFrom('membership')
    .innerJoin('role_assignment', (join) =>
      join
        .onRef('role_assignment.tenant_id', '=', 'membership.tenant_id')
        .onRef('role_assignment.membership_id', '=', 'membership.id'),
    )
    .innerJoin('role', (join) =>
      join.onRef('role.tenant_id', '=', 'membership.tenant_id').onRef('role.id', '=', 'role_assignment.role_id'),
    )
    .select('role.id')
    .where('membership.user_id', '=', userId)
    .where('membership.status', '=', 'active')
    .where('role.asks_second_factor', '=', true)
    .limit(1)
  return (await asking.executeTakeFirst()) !== undefined
}
