import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { actingUserId, type TenantInfo } from '#kernel/who/actor.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf } from '#kernel/values/schema.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import {
  DisabledAccount,
  IMPERSONATION,
  lockForImpersonation,
  openImpersonation,
  prepareImpersonation,
  sessionOf,
} from '#modules/identity/index.ts'
import { PlanArchived, subscriptionIdOf } from '#modules/plans/index.ts'
import {
  archiveTenant,
  CurrencyFixed,
  existingTenant,
  lockTenant,
  Tenant,
  TenantArchived,
  TenantNotFound,
  TenantSlugTaken,
  unlockTenant,
} from '#modules/tenants/index.ts'
import type { PlatformDeps } from './deps.ts'
import {
  AddedTenant,
  Impersonation,
  ImpersonationRequest,
  ListedTenant,
  NewPlatformTenant,
  TenantChanges,
  TenantLock,
  TenantOverview,
  TenantQuery,
} from './schemas.ts'
import {
  addTenant,
  firstOwner,
  listTenants,
  NoActiveOwner,
  OneInstitute,
  readOverview,
  updateTenant,
} from './tenants.ts'

const access = 'platform'

/** The same transaction, inside the institute. @throws TenantNotFound */
const inTenant = async (tx: SystemTx, id: string) => tx.inTenant(await existingTenant(tx.db, id))

/** @throws TenantNotFound, TenantArchived */
const notArchived = async (db: OutsideDb, id: string): Promise<TenantInfo> => {
  const tenant = await existingTenant(db, id)
  if (tenant.status === 'archived') throw TenantArchived()
  return tenant
}

const platformAdminOf = (tx: SystemTx): string => {
  const userId = actingUserId(tx.actor)
  if (userId === null) throw new Error('nobody acts for the platform')
  return userId
}

export const tenantEndpoints = ({ deploymentMode, sendMail, tokens }: PlatformDeps): readonly Endpoint[] => [
  openRead({
    id: 'platform-tenants.list',
    path: '/platform/tenants',
    summary: 'List the institutes',
    description:
      'Newest first, archived ones included, each with its subscription and when it was last seen. `q` searches name and slug.',
    access,
    query: TenantQuery,
    reply: pageOf(ListedTenant),
    handle: listTenants,
  }),
  openChange({
    id: 'platform-tenants.create',
    method: 'POST',
    path: '/platform/tenants',
    summary: 'Add an institute with its owner',
    description:
      'On a server in cloud mode only: a self-hosted server has the one institute that its wizard makes (409). `deploymentMode` self_hosted is an institute that runs on a server of its own, under a licence; without it: cloud. The owner is an active member at once. Somebody without an account gets one, and a mail in the language of the institute that welcomes them to it by its name, with a link to choose a password, which works once within 7 days; after that POST /auth/forgot-password brings another. Somebody who has an account keeps its password and name, and a mail without a link tells them that they are the owner; unless nobody ever confirmed its address: then its password, sessions and mailed links end, and the first mail is sent. `ownerMail` says which mail it is. A disabled account cannot become an owner (409). With `planId` it is subscribed to that plan for one interval from now on (404 for a plan that is not there, 409 for an archived one); POST /platform/tenants/{id}/subscription chooses another end.',
    access,
    closed: deploymentMode === 'cloud' ? undefined : OneInstitute,
    body: NewPlatformTenant,
    status: 201,
    reply: AddedTenant,
    fails: [OneInstitute, TenantSlugTaken, DisabledAccount, NotFound, PlanArchived],
    handle: ({ tx, body }) => addTenant(tx, { sendMail, createdBy: platformAdminOf(tx) }, body),
  }),
  openRead({
    id: 'platform-tenants.read',
    path: '/platform/tenants/{id}',
    summary: 'Read an institute',
    access,
    reply: TenantOverview,
    fails: [TenantNotFound],
    handle: async ({ db, inTenant: within, params }) => {
      const tenant = await existingTenant(db, params.id)
      return readOverview(db, within(tenant), tenant)
    },
  }),
  openChange({
    id: 'platform-tenants.update',
    method: 'PATCH',
    path: '/platform/tenants/{id}',
    summary: 'Change an institute',
    description:
      'Holds from the institute’s next request on. The currency can be changed until the first invoice exists (409). `features` switches features for this institute, whatever its plan says; null lets one follow the plan again. An archived institute cannot be changed (409). The entry stands in the institute’s own audit log.',
    access,
    body: TenantChanges,
    reply: Tenant,
    fails: [TenantNotFound, TenantArchived, CurrencyFixed],
    handle: ({ tx, params, body }) => updateTenant(tx, params.id, body),
  }),
  openChange({
    id: 'platform-tenants.archive',
    method: 'POST',
    path: '/platform/tenants/{id}/archive',
    summary: 'Archive an institute',
    description:
      'Final: it is never opened again, and archiving it twice is 409. Nothing is deleted; every request in it is refused from now on (403 TENANT_SUSPENDED), its members do not see it among their institutes any more, and its invoices and bills are left as they are.',
    access,
    reply: Tenant,
    fails: [TenantNotFound, TenantArchived],
    handle: async ({ tx, params }) => archiveTenant(await inTenant(tx, params.id)),
  }),
  openChange({
    id: 'platform-tenants.impersonate',
    method: 'POST',
    path: '/platform/tenants/{id}/impersonate',
    summary: 'Act in the name of an institute’s owner for 10 minutes',
    description:
      'Answers an access token for the membership of its oldest active owner; 409 while it has none, and for an archived institute. In a locked institute the token is refused like the owner’s own. It makes no keys, no members and no sessions, neither reads nor makes anything else that goes on after it (addresses of calendars, webhooks, providers, exports, backups), and cannot change the owner’s account (403 FORBIDDEN, details.reason impersonated); it cannot be renewed, and ends at once when the platform admin is disabled or the owner ends all sessions. An institute that asks its owners for a second factor lets the token do nothing unless the platform admin signed in with one. The institute’s audit log names the platform admin and the reason, and every entry of what the token does has metadata.impersonatedBy.',
    access,
    body: ImpersonationRequest,
    reply: Impersonation,
    credential: IMPERSONATION,
    fails: [TenantNotFound, TenantArchived, NoActiveOwner],
    prepare: async ({ db, inTenant: within, params, now }) => {
      const tenant = await notArchived(db, params.id)
      const { userId } = await firstOwner(within(tenant))
      return prepareImpersonation(tokens, { userId, tenantId: tenant.id }, now)
    },
    handle: async ({ tx, caller, params, body, request, prepared }) => {
      const { sessionId: ownSessionId } = sessionOf(caller)
      const impersonatorId = platformAdminOf(tx)
      await lockForImpersonation(tx, { impersonatorId, userId: prepared.userId })
      const inside = tx.inTenant(await notArchived(tx.db, params.id))
      const { membershipId, userId } = await firstOwner(inside.whole)
      // The owners may have changed since the token was signed.
      if (userId !== prepared.userId) throw NoActiveOwner()
      await openImpersonation(tx, tokens, { request, impersonatorId, ownSessionId, prepared })
      const { sessionId, accessToken, expiresAt, tenantId } = prepared
      inside.audit({
        entityType: 'membership',
        entityId: membershipId,
        metadata: { reason: body.reason, sessionId, expiresAt },
      })
      return { accessToken, expiresAt, tenantId, membershipId }
    },
  }),
  openChange({
    id: 'platform-tenants.lock',
    method: 'POST',
    path: '/platform/tenants/{id}/lock',
    summary: 'Lock an institute',
    description:
      'Every request in it is refused with 402 SUBSCRIPTION_SUSPENDED from now on, which tells its members the reason (details.lockedReason), but for what its people need to sign in, to see why and to take their data along: signing in and out, choosing an institute, GET and PATCH /me itself (not what lies below it), GET /auth/me, GET /feature-flags, /license and what lies below it, and POST /export. What goes on by itself goes on: invoices become overdue, events are delivered to webhooks. Records tenant.locked with source `manual`. An institute that is locked already stays locked, takes the new reason, and records nothing; one that was locked automatically is then locked by hand, which renewing its subscription does not lift. 409 for an archived one.',
    access,
    body: TenantLock,
    reply: Tenant,
    fails: [TenantNotFound, TenantArchived],
    handle: async ({ tx, params, body }) => {
      const inside = await inTenant(tx, params.id)
      const subscriptionId = await subscriptionIdOf(tx.db, params.id)
      return lockTenant(inside, { ...body, source: 'manual', subscriptionId })
    },
  }),
  openChange({
    id: 'platform-tenants.unlock',
    method: 'POST',
    path: '/platform/tenants/{id}/unlock',
    summary: 'Unlock an institute',
    description:
      'Whoever or whatever locked it. Records tenant.unlocked; one that is not locked stays as it is. 409 for an archived one.',
    access,
    reply: Tenant,
    fails: [TenantNotFound, TenantArchived],
    handle: async ({ tx, params }) => {
      const inside = await inTenant(tx, params.id)
      return unlockTenant(inside, { subscriptionId: await subscriptionIdOf(tx.db, params.id) })
    },
  }),
]
