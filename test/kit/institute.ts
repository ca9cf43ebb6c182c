import { newId } from '#kernel/basics/ids.ts'
import { effectiveFeatures, type FeatureFlags } from '#kernel/rights/features.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Permission, SystemRoleKey } from '#kernel/rights/permissions.ts'
import { createBranch } from '#modules/branches/index.ts'
import { openSession } from '#modules/identity/index.ts'
import { seedSystemRoles } from '#modules/members/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { Client } from './client.ts'
import type { TestApp } from './app.ts'
import { userRow } from './user-row.ts'

/** An institute whose owner is signed in, with functions that add signed-in members. */
export interface TestInstitute {
  tenant: TenantInfo
  /** The owner. */
  owner: Client
  ownerUserId: string
  /** The default branch. */
  branchId: string
  roles: Record<SystemRoleKey, string>
  /** A signed-in member. `branchId` limits the role to one branch. */
  member(as: { permissions?: Permission[]; role?: SystemRoleKey; branchId?: string }): Promise<TestMember>
}

export interface TestMember extends Client {
  userId: string
  membershipId: string
  roleId: string
  sessionId: string
}

let made = 0

/** Inserts an institute directly into the database; a test may make several. */
export const makeInstitute = async (
  test: TestApp,
  {
    features = { advanced_reports: true },
    ...options
  }: Partial<Pick<TenantInfo, 'timezone' | 'currency' | 'defaultLocale' | 'deploymentMode'>> & {
    features?: Partial<FeatureFlags>
  } = {},
): Promise<TestInstitute> => {
  made += 1
  const { app } = test
  const tenant: TenantInfo = {
    id: newId(),
    slug: `institute-${made}-${newId().slice(-6)}`,
    name: `Institute ${made}`,
    status: 'active',
    lockedAt: null,
    lockedReason: null,
    deploymentMode: 'self_hosted',
    defaultLocale: 'en',
    timezone: 'Asia/Jerusalem',
    currency: 'ILS',
    ...options,
    features: effectiveFeatures(features),
    quotas: {},
    writesEndAt: null,
  }
  const lifetime = { slidingSeconds: 30 * 24 * 3600, longestSeconds: 90 * 24 * 3600 }

  const makeMember = async (
    roleOf: (roles: Record<SystemRoleKey, string>) => Promise<string> | string,
    branchId: string | null,
    roles: Record<SystemRoleKey, string>,
  ) => {
    const userId = newId()
    const membershipId = newId()
    const sessionId = newId()
    const roleId = await roleOf(roles)
    await runInTransaction(app.runtime, systemAuditContext('test.member'), async (unit) => {
      const tx = unit.system()
      const email = `user-${userId}@example.org`
      await tx.db
        .insertInto('user')
        .values(userRow({ id: userId, email, full_name: 'Test User', is_platform_admin: false, now: tx.now }))
        .execute()
      const { whole } = tx.inTenant(tenant)
      await whole
        .insertInto('membership')
        .values({
          id: membershipId,
          user_id: userId,
          status: 'active',
          joined_at: tx.now,
          created_at: tx.now,
          updated_at: tx.now,
        })
        .execute()
      await whole
        .insertInto('role_assignment')
        .values({ id: newId(), membership_id: membershipId, role_id: roleId, branch_id: branchId, created_at: tx.now })
        .execute()
      await openSession(
        tx,
        { sessionId, refreshToken: newId(), userId, tenantId: tenant.id, client: 'web', ip: null, userAgent: null },
        lifetime,
      )
    })
    const token = await app.tokens.issue({ userId, sessionId, tenantId: tenant.id })
    return { ...test.as(token), userId, membershipId, roleId, sessionId }
  }

  const { roles, branchId } = await runInTransaction(
    app.runtime,
    systemAuditContext('test.institute'),
    async (unit) => {
      const system = unit.system()
      await system.db
        .insertInto('tenant')
        .values({
          id: tenant.id,
          slug: tenant.slug,
          name: tenant.name,
          status: 'active',
          default_locale: tenant.defaultLocale,
          timezone: tenant.timezone,
          currency: tenant.currency,
          deployment_mode: tenant.deploymentMode,
          auto_lock_override: 'inherit',
          locked_at: null,
          locked_reason: null,
          locked_by_platform_admin_id: null,
          created_by: null,
          feature_overrides: features,
          settings: {},
          plan_features: null,
          plan_quotas: null,
          writes_end_at: null,
          trial_ends_at: null,
          search_text: `${tenant.name} ${tenant.slug}`.toLowerCase(),
          created_at: system.now,
          updated_at: system.now,
        })
        .execute()
      const tx = system.inTenant(tenant)
      return {
        roles: await seedSystemRoles(tx),
        branchId: (await createBranch(tx, { name: 'Main', isDefault: true })).id,
      }
    },
  )
  const owner = await makeMember((all) => all.owner, null, roles)
  return {
    tenant,
    owner,
    ownerUserId: owner.userId,
    branchId,
    roles,
    member: ({
      permissions,
      role,
      branchId: only = null,
    }: {
      permissions?: Permission[]
      role?: SystemRoleKey
      branchId?: string | null
    }) =>
      makeMember(
        async (all) => {
          if (role) return all[role]
          const id = newId()
          await runInTransaction(app.runtime, systemAuditContext('test.role'), async (unit) =>
            unit
              .tenant(tenant, 'all')
              .whole.insertInto('role')
              .values({
                id,
                key: null,
                name: `Role ${id}`,
                description: null,
                is_system: false,
                permissions: permissions ?? [],
                created_at: unit.now,
                updated_at: unit.now,
              })
              .execute(),
          )
          return id
        },
        only,
        roles,
      ),
  }
}
