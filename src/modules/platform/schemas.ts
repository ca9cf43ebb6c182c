import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  email,
  id,
  ids,
  list,
  locale,
  name,
  orNull,
  pageQuery,
  prose,
  searched,
  timezone,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { TenantDomain } from '#modules/domains/index.ts'
import { Subscription } from '#modules/plans/index.ts'
import { FLAG_WORDS, flags, slug, Tenant, TENANT_WORDS } from '#modules/tenants/index.ts'
import { month } from './figures-schemas.ts'

const status = v.picklist(['active', 'suspended', 'archived'])
const deploymentMode = v.picklist(['cloud', 'self_hosted'])

export const TenantQuery = explained(
  pageQuery({
    id: v.optional(ids),
    q: v.optional(searched(200)),
    status: v.optional(status),
    deploymentMode: v.optional(deploymentMode),
    createdIn: v.optional(month),
    archivedIn: v.optional(month),
    lockedIn: v.optional(month),
    cancelledIn: v.optional(month),
  }),
  {
    ...TENANT_WORDS,
    createdIn: 'Only those that were added in this month of UTC, as 2026-03.',
    archivedIn: 'Only those that were archived in this month of UTC.',
    lockedIn: 'Only those that were locked in this month of UTC, and are still.',
    cancelledIn: 'Only those whose subscription was cancelled in this month of UTC, and that have none since.',
    id: 'Only the institute with this id, or those with one of several where the parameter is repeated.',
  },
)

/** An institute in a list: with how it stands. */
export const ListedTenant = named(
  'ListedTenant',
  v.object({ ...Tenant.entries, subscription: orNull(Subscription), lastSeenAt: orNull(ts) }),
  {
    ...TENANT_WORDS,
    subscription: 'Its subscription; null: it has none.',
    lastSeenAt:
      'When somebody last worked in it, or a server of its own last sent a heartbeat; null: not for as long as sessions are kept.',
  },
)

export const NewPlatformTenant = named(
  'NewPlatformTenant',
  v.object({
    slug,
    name: name(200),
    defaultLocale: locale,
    timezone,
    currency,
    deploymentMode: v.optional(deploymentMode, 'cloud'),
    owner: named('NewTenantOwner', v.object({ email, fullName: name(200) }), {
      email: 'The address with which they sign in.',
    }),
    planId: v.optional(uuid),
  }),
  {
    ...TENANT_WORDS,
    planId: 'The plan to which it is subscribed at once.',
    owner: 'Who becomes the owner of the institute.',
  },
)

export const AddedTenant = named(
  'AddedTenant',
  v.object({
    ...Tenant.entries,
    ownerMail: named(
      'OwnerMail',
      v.object({ to: v.string(), kind: v.picklist(['welcome', 'notice']), linkExpiresAt: orNull(ts) }),
      {
        to: 'The address of the owner.',
        kind: 'welcome: it welcomes them, with a link to choose a password; notice: they have an account already, and are told that they are the owner.',
        linkExpiresAt: 'Until when the link can be used; null: the mail has none.',
      },
    ),
  }),
  { ...TENANT_WORDS, ownerMail: 'The mail that the owner is sent.' },
)

export const TenantChanges = named(
  'TenantChanges',
  v.object({
    name: v.optional(name(200)),
    defaultLocale: v.optional(locale),
    timezone: v.optional(timezone),
    currency: v.optional(currency),
    autoLockOverride: v.optional(v.picklist(['inherit', 'on', 'off'])),
    features: v.optional(named('FeatureOverrideChanges', flags(v.optional(v.nullable(v.boolean()))), FLAG_WORDS)),
  }),
  {
    ...TENANT_WORDS,
    features: 'Features to switch for this institute alone; null: it follows the plan again. What is left out stays.',
  },
)

const reason = prose(500)

export const TenantLock = named('TenantLock', v.object({ reason }), {
  reason: 'Why; the owners are told, and every member whose request is refused.',
})
export const ImpersonationRequest = named('ImpersonationRequest', v.object({ reason }), {
  reason: 'Why; the institute’s audit log keeps it.',
})

export const Impersonation = named(
  'Impersonation',
  v.object({ accessToken: v.string(), expiresAt: ts, tenantId: id, membershipId: id }),
  {
    accessToken: 'Sent as `Authorization: Bearer …`.',
    expiresAt: 'When the token ends: 10 minutes later.',
    tenantId: 'The institute.',
    membershipId: 'The membership of the owner in whose name the token acts.',
  },
)

export const TenantOverview = named(
  'TenantOverview',
  v.object({
    tenant: Tenant,
    subscription: orNull(Subscription),
    features: named('TenantFeatures', flags(v.boolean()), FLAG_WORDS),
    domains: list(TenantDomain),
    counts: named('TenantCounts', v.object({ members: count, branches: count }), {
      members: 'How many active members it has.',
      branches: 'How many branches it has.',
    }),
  }),
  {
    tenant: 'The institute.',
    subscription: 'Its subscription; null: it has none.',
    features: 'What it has now, by its own switches, else by its plan, else by default.',
    domains: 'Its domains, newest first.',
    counts: 'How large it is.',
  },
)
