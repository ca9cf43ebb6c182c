import type { InferOutput } from 'valibot'
import type { FeatureFlags } from '#kernel/rights/features.ts'
import { foldQuery } from '#shared/text.ts'
import type { OutsideDb, ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { failure } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import { countBranches } from '#modules/branches/index.ts'
import { domainsOf } from '#modules/domains/index.ts'
import { lastUseOf, provideOwner } from '#modules/identity/index.ts'
import { lastHeartbeatsOf } from '#modules/issuer/index.ts'
import type { SendMail } from '#modules/mail/index.ts'
import { activeOwners, countActiveMembers } from '#modules/members/index.ts'
import { startSubscription, subscriptionOf, subscriptionsOf } from '#modules/plans/index.ts'
import { createTenant } from '#modules/provisioning/index.ts'
import {
  changeTenant,
  CurrencyFixed,
  existingTenant,
  openTenant,
  readTenant,
  toTenant,
  type Tenant,
} from '#modules/tenants/index.ts'
import { newestFirst, systemListOf, type Conditions, type ListContext } from '#runtime/records/lists.ts'
import { endOf, startOf } from './months.ts'
import type {
  AddedTenant,
  ListedTenant,
  NewPlatformTenant,
  TenantChanges,
  TenantOverview,
  TenantQuery,
} from './schemas.ts'

export const OneInstitute = failure(
  'CONFLICT',
  'one_institute',
  'A self-hosted server has one institute, which its wizard makes: further ones need a server in cloud mode.',
)

export const NoActiveOwner = failure('CONFLICT', 'no_active_owner', 'The institute has no active owner.')

/** Subscriptions that were cancelled, of institutes that have had none since. */
const lastCancelled = (eb: Conditions) =>
  eb.selectFrom('subscription').select('subscription.tenant_id').where('subscription.replaced_at', 'is', null)

/** The two ends of the time in which something happened to an institute, as filters of the list. */
const since = (column: 'created_at' | 'archived_at' | 'locked_at') => ({
  from: (eb: Conditions, from: string) => eb(`tenant.${column}`, '>=', from),
  to: (eb: Conditions, to: string) => eb(`tenant.${column}`, '<', to),
})
const [created, archived, locked] = [since('created_at'), since('archived_at'), since('locked_at')]

const pageOfTenants = systemListOf({
  filters: {
    createdFrom: created.from,
    createdTo: created.to,
    archivedFrom: archived.from,
    archivedTo: archived.to,
    lockedFrom: locked.from,
    lockedTo: locked.to,
    cancelledFrom: (eb, from: string) =>
      eb('tenant.id', 'in', lastCancelled(eb).where('subscription.cancelled_at', '>=', from)),
    cancelledTo: (eb, to: string) =>
      eb('tenant.id', 'in', lastCancelled(eb).where('subscription.cancelled_at', '<', to)),
    id: (eb, wanted: readonly string[]) => eb('tenant.id', 'in', wanted),
    status: 'tenant.status',
    deploymentMode: 'tenant.deployment_mode',
  },
  search: { table: 'tenant', fold: foldQuery },
  from: (db) => db.selectFrom('tenant').selectAll(),
  order: newestFirst('tenant'),
  show: toTenant,
})

const latest = (one: string | undefined, other: string | undefined): string | null =>
  [one, other]
    .filter((at) => at !== undefined)
    .toSorted()
    .at(-1) ?? null

/** Newest first, each with how it stands: three more reads for the whole page. */
export const listTenants = async (
  context: ListContext<OutsideDb> & { query: InferOutput<typeof TenantQuery> },
): Promise<Page<InferOutput<typeof ListedTenant>>> => {
  const { db, cursors } = context
  const { createdIn, archivedIn, lockedIn, cancelledIn, ...query } = context.query
  const { data, ...page } = await pageOfTenants({
    db,
    cursors,
    query: {
      ...query,
      ...(createdIn && { createdFrom: startOf(createdIn), createdTo: endOf(createdIn) }),
      ...(archivedIn && { archivedFrom: startOf(archivedIn), archivedTo: endOf(archivedIn) }),
      ...(lockedIn && { status: 'suspended', lockedFrom: startOf(lockedIn), lockedTo: endOf(lockedIn) }),
      ...(cancelledIn && { cancelledFrom: startOf(cancelledIn), cancelledTo: endOf(cancelledIn) }),
    },
  })
  const tenantIds = data.map(({ id }) => id)
  const [subscriptions, used, heard] = await Promise.all([
    subscriptionsOf(db, tenantIds),
    lastUseOf(db, tenantIds),
    lastHeartbeatsOf(db, tenantIds),
  ])
  return {
    ...page,
    data: data.map((tenant) => ({
      ...tenant,
      subscription: subscriptions.get(tenant.id) ?? null,
      lastSeenAt: latest(used.get(tenant.id), heard.get(tenant.id)),
    })),
  }
}

/** @throws TenantSlugTaken, DisabledAccount for the owner, NotFound and PlanArchived for the plan */
export const addTenant = async (
  tx: SystemTx,
  { sendMail, createdBy }: { sendMail: SendMail; createdBy: string },
  { owner, planId, ...institute }: InferOutput<typeof NewPlatformTenant>,
): Promise<InferOutput<typeof AddedTenant>> => {
  const { userId: ownerUserId, mail: ownerMail } = await provideOwner(tx, sendMail, owner, institute)
  const { id } = await createTenant(tx, { ...institute, id: tx.id(), ownerUserId, createdBy })
  if (planId !== undefined) await startSubscription(tx, id, { planId })
  return { ...(await readTenant(tx.db, id)), ownerMail }
}

/** @param whole the rows of that institute */
export const readOverview = async (
  db: OutsideDb,
  whole: ScopedDb,
  { id, features }: TenantInfo,
): Promise<InferOutput<typeof TenantOverview>> => ({
  tenant: await readTenant(db, id),
  subscription: await subscriptionOf(db, id),
  features,
  domains: await domainsOf(whole),
  counts: { members: await countActiveMembers(whole), branches: await countBranches(whole) },
})

const switched = (
  overrides: Partial<FeatureFlags>,
  changes: NonNullable<InferOutput<typeof TenantChanges>['features']>,
): Partial<FeatureFlags> => {
  const merged = Object.entries({ ...overrides, ...changes })
  return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== undefined))
}

/** @throws TenantNotFound, TenantArchived, CurrencyFixed */
export const updateTenant = async (
  tx: SystemTx,
  id: string,
  { features, ...changes }: InferOutput<typeof TenantChanges>,
): Promise<Tenant> => {
  const inTenant = tx.inTenant(await existingTenant(tx.db, id))
  const row = await openTenant(inTenant)
  if (row.currency_fixed && changes.currency !== undefined && changes.currency !== row.currency) throw CurrencyFixed()
  const featureOverrides = features && switched(row.feature_overrides, features)
  return changeTenant(inTenant, row, { ...changes, featureOverrides })
}

/** The owner in whose name the platform acts: the oldest active member of the owners. @throws NoActiveOwner */
export const firstOwner = async (whole: ScopedDb): Promise<{ membershipId: string; userId: string }> => {
  const [owner] = await activeOwners(whole)
  if (!owner) throw NoActiveOwner()
  return owner
}
