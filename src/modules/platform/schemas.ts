import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  email,
  id,
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

const status = v.picklist(['active', 'suspended', 'archived'])
const deploymentMode = v.picklist(['cloud', 'self_hosted'])

export const TenantQuery = explained(
  pageQuery({
    q: v.optional(searched(200)),
    status: v.optional(status),
    deploymentMode: v.optional(deploymentMode),
  }),
  TENANT_WORDS,
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
    domains: list(TenantDomain),
    counts: named('TenantCounts', v.object({ members: count, branches: count }), {
      members: 'How many active members it has.',
      branches: 'How many branches it has.',
    }),
  }),
  {
    tenant: 'The institute.',
    subscription: 'Its subscription; null: it has none.',
    domains: 'Its domains, newest first.',
    counts: 'How large it is.',
  },
)
