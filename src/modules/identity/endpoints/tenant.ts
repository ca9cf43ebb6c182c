import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { MembershipInactive, TenantSuspended } from '#kernel/values/errors.ts'
import type { Grants } from '#kernel/rights/permissions.ts'
import { named } from '#kernel/values/named.ts'
import { id, list, orNull, ts, uuid } from '#kernel/values/schema.ts'
import type { OutsideDb, SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { previewOf, type Caller, type Preview } from '#kernel/who/actor.ts'
import { MembershipSummary, membershipsOf } from '#modules/members/index.ts'
import { findTenant, TenantNotFound } from '#modules/tenants/index.ts'
import { UserSummary, userSummary } from '../accounts.ts'
import type { Identity } from '../deps.ts'
import { readUser } from '../platform-users.ts'
import { sessionOf, SignedIn } from '../sign-in.ts'
import { DEVICE_KEY, SESSION } from '../credentials.ts'
import { deviceKey } from '../device-key.ts'
import { usableTenant } from '../usable-tenant.ts'

const Limit = named('PermissionLimit', v.object({ permission: v.string(), branchIds: list(id) }), {
  permission: 'What is held in a part of the institute.',
  branchIds: 'The branches for which it is held; none: for the groups that the caller teaches alone.',
})

const CurrentPreview = named(
  'CurrentPreview',
  v.object({ roleId: id, roleKey: orNull(v.string()), roleName: v.string(), branchId: orNull(id), endsAt: ts }),
  {
    roleId: 'The role as which the user looks.',
    roleKey: 'Names a role that every institute starts with; null: the institute made it.',
    branchId: 'The branch for which the role would be given; null: the whole institute.',
    endsAt: 'When it ends by itself.',
  },
)

const Me = named(
  'CurrentUser',
  v.object({
    user: UserSummary,
    memberships: list(MembershipSummary),
    activeTenantId: orNull(id),
    permissions: list(v.string()),
    limits: list(Limit),
    impersonatedBy: orNull(id),
    preview: orNull(CurrentPreview),
    needsSecondFactor: v.boolean(),
    isPlatformAdmin: v.boolean(),
    deviceKey: orNull(v.string()),
  }),
  {
    permissions: 'Held in the active institute, were it for one branch only.',
    limits: 'Of these, those that are not held for the whole institute.',
    impersonatedBy: 'The platform admin who works in the user’s name; null: the user themselves.',
    preview:
      'What the user looks at, by a token of POST /roles/{id}/preview: `permissions`, `limits` and the roles of the membership are then those of this role. null: they work.',
    needsSecondFactor:
      'Whether a role in the institute of the session asks for a second factor, and the session has none: nothing there is theirs until they set one up (POST /me/second-factor, POST /me/passkeys) or sign in with it.',
    isPlatformAdmin:
      'Whether the account manages the platform. It does so while its session is bound to no institute: select-tenant with null leads back there. false while somebody works in the user’s name.',
    deviceKey:
      'A secret of 32 bytes in base64url, by which a program seals what it keeps on the user’s device until the server can be reached: always the same for this user in the active institute. Keep it in memory alone. null: there is no active institute, somebody works in the user’s name, or the user looks as a role.',
  },
)

const limitsOf = (grants: Grants) =>
  grants.list().flatMap((permission) => {
    const reach = grants.reach(permission) ?? 'all'
    return reach === 'all' ? [] : [{ permission, branchIds: [...reach.branchIds] }]
  })

/** Whether the caller is a platform admin, and nobody in their name. */
const managesPlatform = async (db: OutsideDb, caller: Caller | null): Promise<boolean> => {
  if (caller?.actor.type === 'platform_admin') return true
  if (caller?.actor.type !== 'user' || caller.actor.impersonatorId !== null || previewOf(caller)) return false
  const { userId } = caller.actor
  const { isPlatformAdmin } = await readUser(db, userId)
  return isPlatformAdmin
}

/** The institutes of the user; in a preview the one that is looked at, where they have the role alone. */
const shownMemberships = async (
  everywhere: SystemDb,
  { userId, tenantId, preview }: { userId: string; tenantId: string | null; preview: Preview | undefined },
) => {
  const all = await membershipsOf(everywhere, preview?.userId ?? userId)
  if (!preview) return all
  const { roleId, roleName, roleKey } = preview
  return all
    .filter((one) => one.tenantId === tenantId)
    .map((one) => ({ ...one, roles: [{ roleId, roleName, roleKey }] }))
}

const shownPreview = ({ roleId, roleKey, roleName, branchId, endsAt }: Preview) => ({
  roleId,
  roleKey,
  roleName,
  branchId,
  endsAt,
})

/** @throws TenantNotFound, TenantSuspended, MembershipInactive */
const openTenant = async ({ db, everywhere }: SystemTx, tenantId: string, userId: string) => {
  const tenant = await findTenant(db, tenantId)
  const membership = await everywhere
    .selectFrom('membership')
    .select('status')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // Whoever is no member must not learn that the institute exists.
  if (!tenant || !membership) throw TenantNotFound()
  if (tenant.status === 'archived') throw TenantSuspended()
  if (membership.status !== 'active') throw MembershipInactive()
  return tenant
}

export const tenantEndpoints = ({ tokens, vault }: Identity): readonly Endpoint[] => [
  openRead({
    id: 'auth.me',
    path: '/auth/me',
    summary: 'Who is signed in, where, and with which permissions',
    description:
      '`permissions` are those held in the active institute, were it for one branch only; without an institute there are none. `activeTenantId` is null also once the institute is archived, the membership is not active any more, or a second factor is needed first.',
    access: 'user',
    beforeSecondFactor: true,
    previewedToo: true,
    credential: DEVICE_KEY,
    reply: Me,
    handle: async ({ db, everywhere, caller }) => {
      const { userId, tenantId } = sessionOf(caller)
      const tenant = usableTenant(caller)
      const preview = previewOf(caller)
      return {
        user: await userSummary(db, preview?.userId ?? userId),
        memberships: await shownMemberships(everywhere, { userId, tenantId, preview }),
        activeTenantId: tenant?.id ?? null,
        permissions: tenant && caller ? caller.grants.list() : [],
        limits: tenant && caller ? limitsOf(caller.grants) : [],
        isPlatformAdmin: await managesPlatform(db, caller),
        impersonatedBy: caller?.actor.type === 'user' ? caller.actor.impersonatorId : null,
        preview: preview ? shownPreview(preview) : null,
        needsSecondFactor: caller?.needsSecondFactor ?? false,
        deviceKey: deviceKey(vault, caller),
      }
    },
  }),
  openChange({
    id: 'auth.select-tenant',
    method: 'POST',
    path: '/auth/select-tenant',
    summary: 'Bind the session to one of the user’s institutes',
    description:
      'Answers an access token for that institute; with null for none, where a platform admin manages the platform again. The refresh token stays as it is, so none is sent: from now on it brings access tokens for that institute. An access token for the institute chosen before is good until it expires.',
    access: 'user',
    beforeSecondFactor: true,
    body: named('TenantSelection', v.object({ tenantId: v.nullable(uuid) }), {
      tenantId: 'The institute; null: none, as right after signing in with several.',
    }),
    reply: SignedIn,
    credential: SESSION,
    fails: [TenantNotFound, TenantSuspended, MembershipInactive],
    prepare: async ({ caller, body }) => {
      const { userId, sessionId } = sessionOf(caller)
      return { accessToken: await tokens.access.issue({ userId, sessionId, tenantId: body.tenantId }) }
    },
    handle: async ({ tx, caller, body, prepared: { accessToken } }) => {
      const { userId, sessionId, tenantId: before } = sessionOf(caller)
      const tenant = body.tenantId === null ? null : await openTenant(tx, body.tenantId, userId)
      await tx.db
        .updateTable('auth_session')
        .set({ tenant_id: body.tenantId, last_used_at: tx.now })
        .where('id', '=', sessionId)
        .execute()
      const log = tenant ? tx.inTenant(tenant) : tx
      log.audit({
        entityType: 'session',
        entityId: sessionId,
        before: { tenantId: before },
        after: { tenantId: body.tenantId },
      })
      return {
        accessToken,
        user: await userSummary(tx.db, userId),
        memberships: await membershipsOf(tx.everywhere, userId),
        activeTenantId: body.tenantId,
      }
    },
  }),
]
