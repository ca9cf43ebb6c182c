import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { failure, found, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { explained } from '#kernel/values/named.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { addMonths } from '#kernel/time/zone.ts'
import {
  findTenant,
  lockInstitute,
  setEntitlements,
  setTrialEnd,
  TenantArchived,
  TenantNotFound,
} from '#modules/tenants/index.ts'
import { newestFirst, systemListOf, type ListContext } from '#runtime/records/lists.ts'
import {
  changeRecord,
  createRecord,
  lockRow,
  recordOf,
  type LockedRow,
  type RecordTx,
  type Row,
} from '#runtime/records/records.ts'
import { liftAutoLock } from './auto-lock.ts'
import { noticesPassed } from './notices.ts'
import { lockPlans, PlanArchived } from './plans.ts'
import { Subscription, type SubscriptionChanges } from './schemas.ts'
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './tables.ts'

export const AlreadySubscribed = failure(
  'CONFLICT',
  'already_subscribed',
  'The institute has a subscription that is not cancelled: change it, renew it or cancel it.',
)
export const SubscriptionCancelled = failure(
  'CONFLICT',
  'subscription_cancelled',
  'The subscription is cancelled, which is final: give the institute another one.',
)
export const SubscriptionMoveRefused = failure(
  'CONFLICT',
  'subscription_move_refused',
  'The subscription cannot move from the present status to this one; details.allowedStatuses names those that are possible.',
  {
    details: {
      schema: explained(
        v.object({
          subscriptionStatus: v.picklist(SUBSCRIPTION_STATUSES),
          allowedStatuses: v.array(v.picklist(SUBSCRIPTION_STATUSES)),
        }),
        { subscriptionStatus: 'How the record stands.', allowedStatuses: 'The statuses to which it can move.' },
      ),
      example: { subscriptionStatus: 'active', allowedStatuses: ['past_due'] },
    },
  },
)

const toSubscription = shows(Subscription)

const subscriptionRecord = recordOf('subscription', {
  show: toSubscription,
  refusals: { unique: { 'subscription()': AlreadySubscribed } },
})

const listPage = systemListOf({
  filters: {
    status: 'subscription.status',
    endsAfter: (eb, now: string) => eb('subscription.current_period_end', '>', now),
    endsBy: (eb, latest: string) => eb('subscription.current_period_end', '<=', latest),
  },
  from: (db) => db.selectFrom('subscription').selectAll(),
  order: newestFirst('subscription'),
  show: toSubscription,
})

const DAY_SECONDS = 24 * 3600

type ListQuery = ListContext<OutsideDb> & {
  now: string
  query: {
    cursor?: string | undefined
    limit: number
    status?: SubscriptionStatus | undefined
    expiringWithinDays?: number | undefined
  }
}

/** Newest first. */
export const listSubscriptions = ({ db, cursors, now, query: { expiringWithinDays: days, ...query } }: ListQuery) => {
  const ending = days === undefined ? {} : { endsAfter: now, endsBy: plusSeconds(now, days * DAY_SECONDS) }
  return listPage({ db, cursors, query: { ...query, ...ending } })
}

/** The subscription that the institute's plan follows from: the one that is not cancelled, else the last cancelled one. */
const currentOf = (db: OutsideDb, tenantId: string) =>
  db.selectFrom('subscription').selectAll().where('tenant_id', '=', tenantId).where('replaced_at', 'is', null)

/** The institute's subscription, also when it is cancelled; null: there never was one. */
export const subscriptionOf = async (db: OutsideDb, tenantId: string): Promise<Subscription | null> => {
  const row = await currentOf(db, tenantId).executeTakeFirst()
  return row ? toSubscription(row) : null
}

/** The same of several institutes, by their ids. */
export const subscriptionsOf = async (
  db: OutsideDb,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, Subscription>> => {
  if (tenantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('subscription')
    .selectAll()
    .where('tenant_id', 'in', tenantIds)
    .where('replaced_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.tenant_id, toSubscription(row)]))
}

/** The id of the institute's subscription, also when it is cancelled; null: there never was one. */
export const subscriptionIdOf = async (db: OutsideDb, tenantId: string): Promise<string | null> =>
  (await currentOf(db, tenantId).executeTakeFirst())?.id ?? null

/**
 * The transaction for records of the vendor that concern an institute: their audit entries stand in the institute's log.
 */
const concerning = (tx: SystemTx, tenant: TenantInfo): RecordTx => ({ ...tx, audit: tx.inTenant(tenant).audit })

/** @throws TenantNotFound, TenantArchived */
const openTenant = async (tx: SystemTx, id: string): Promise<TenantInfo> => {
  const tenant = await findTenant(tx.db, id)
  if (!tenant) throw TenantNotFound()
  if (tenant.status === 'archived') throw TenantArchived()
  return tenant
}

/** Stores what the plan grants on the institute's row. The plan is locked, so it stays as it is meanwhile. */
const grantPlan = async (
  tx: SystemTx,
  tenant: TenantInfo,
  { plan, writesEndAt }: { plan: Row<'plan'>; writesEndAt: string | null },
): Promise<void> => {
  await lockInstitute(tx.inTenant(tenant))
  await setEntitlements(tx, tenant.id, { features: plan.features, quotas: plan.quotas, writesEndAt })
}

/** Tells the institute, on its own row, when its trial ends. That of an expired subscription stays there. */
const tellTrialEnd = async (tx: SystemTx, subscription: Subscription): Promise<Subscription> => {
  const { tenantId, status, currentPeriodEnd } = subscription
  if (status !== 'expired') await setTrialEnd(tx, tenantId, status === 'trialing' ? currentPeriodEnd : null)
  return subscription
}

const checkFuture = (end: string, now: string): void => {
  if (end <= now) throw invalid(['currentPeriodEnd'], 'Must be in the future.')
}

export interface NewSubscription {
  planId: string
  /** Default: active. */
  status?: 'trialing' | 'active' | 'past_due'
  /** Default: a month or a year from now, as the plan's interval says. */
  currentPeriodEnd?: string
}

/**
 * Gives an institute a plan, from now on. A cancelled subscription of before is replaced, and an automatic lock is
 * lifted.
 * @throws TenantNotFound, NotFound for the plan, TenantArchived, PlanArchived, AlreadySubscribed, VALIDATION_ERROR for a
 * period that has ended
 */
export const startSubscription = async (
  tx: SystemTx,
  tenantId: string,
  { planId, status = 'active', currentPeriodEnd: wantedEnd }: NewSubscription,
): Promise<Subscription> => {
  const tenant = await openTenant(tx, tenantId)
  // The former subscription first: whoever changes it locks it before its plan.
  const former = await forNoKeyUpdate(tx.db, currentOf(tx.db, tenantId)).executeTakeFirst()
  const plan = found((await lockPlans(tx, [planId])).get(planId))
  if (former && former.status !== 'cancelled') throw AlreadySubscribed()
  if (plan.archived_at !== null) throw PlanArchived()
  const end = wantedEnd ?? addMonths(tx.now, plan.interval === 'yearly' ? 12 : 1)
  checkFuture(end, tx.now)
  await grantPlan(tx, tenant, { plan, writesEndAt: null })
  if (former) {
    await tx.db.updateTable('subscription').set({ replaced_at: tx.now }).where('id', '=', former.id).execute()
  }
  const started = await createRecord(concerning(tx, tenant), subscriptionRecord, {
    tenantId,
    planId,
    status,
    currentPeriodStart: tx.now,
    currentPeriodEnd: end,
    noticedDays: noticesPassed(tx.now, end),
  })
  if (former?.auto_locked_at) await liftAutoLock(tx.inTenant(tenant), former.auto_locked_at, started.id)
  return tellTrialEnd(tx, started)
}

interface Locked {
  row: LockedRow<'subscription'>
  tenant: TenantInfo
}

/** Begins a change: locks the subscription. @returns with its institute @throws NotFound */
const lockSubscription = async (tx: SystemTx, id: string): Promise<Locked> => {
  const row = await lockRow(tx, subscriptionRecord, id)
  return { row, tenant: found(await findTenant(tx.db, row.tenant_id)) }
}

/**
 * Changes the end of the period; its notices start again. If the end is still to come, an automatic lock is lifted.
 * @returns the changes of the row
 */
const endPeriod = async (tx: SystemTx, { row, tenant }: Locked, end: string) => {
  const isToCome = end > tx.now
  if (isToCome && row.auto_locked_at !== null) {
    await liftAutoLock(tx.inTenant(tenant), row.auto_locked_at, row.id)
  }
  return {
    currentPeriodEnd: end,
    noticedDays: noticesPassed(tx.now, end),
    ...(isToCome && { autoLockedAt: null }),
  }
}

/** The moves by PATCH. The others have an endpoint of their own, or follow from the time. */
const MOVES: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  trialing: ['active', 'past_due'],
  active: ['past_due'],
  past_due: ['active'],
  expired: [],
  cancelled: [],
}

const checkMove = (from: SubscriptionStatus, to: SubscriptionStatus | undefined): void => {
  if (to === undefined || to === from || MOVES[from].includes(to)) return
  throw SubscriptionMoveRefused({ subscriptionStatus: from, allowedStatuses: [...MOVES[from]] })
}

/**
 * @throws NotFound for the subscription or the plan, SubscriptionCancelled, SubscriptionMoveRefused, PlanArchived,
 * VALIDATION_ERROR for a period that ends before it began
 */
export const changeSubscription = async (
  tx: SystemTx,
  id: string,
  { planId, status, currentPeriodEnd }: SubscriptionChanges,
): Promise<Subscription> => {
  const locked = await lockSubscription(tx, id)
  const { row, tenant } = locked
  const newPlanId = planId === row.plan_id ? undefined : planId
  const newEnd = currentPeriodEnd === row.current_period_end ? undefined : currentPeriodEnd
  // Both plans: a change of the former one must not reach an institute that is leaving it.
  const plans = newPlanId === undefined ? undefined : await lockPlans(tx, [row.plan_id, newPlanId])
  const newPlan = newPlanId === undefined ? undefined : plans?.get(newPlanId)
  const isChanged = newPlan !== undefined || newEnd !== undefined || (status !== undefined && status !== row.status)
  if (row.status === 'cancelled' && isChanged) throw SubscriptionCancelled()
  // An expired one whose new end is still to come goes on.
  const from = row.status === 'expired' && newEnd !== undefined && newEnd > tx.now ? 'active' : row.status
  if (status !== row.status) checkMove(from, status)
  if (newPlan && newPlan.archived_at !== null) throw PlanArchived()
  if (newEnd !== undefined && newEnd <= row.current_period_start) {
    throw invalid(['currentPeriodEnd'], 'Must be after currentPeriodStart.')
  }
  if (newPlan) await grantPlan(tx, tenant, { plan: newPlan, writesEndAt: null })
  const changed = await changeRecord(concerning(tx, tenant), subscriptionRecord, row, {
    planId: newPlanId,
    status: status === row.status ? from : (status ?? from),
    ...(newEnd !== undefined && (await endPeriod(tx, locked, newEnd))),
  })
  return tellTrialEnd(tx, changed)
}

/**
 * Renews a subscription until `end`, and lifts an automatic lock. Before its end the period becomes longer; after it
 * another one begins now.
 * @throws NotFound, SubscriptionCancelled, TenantArchived, VALIDATION_ERROR for an end that is not later
 */
export const renewSubscription = async (tx: SystemTx, id: string, end: string): Promise<Subscription> => {
  const locked = await lockSubscription(tx, id)
  const { row, tenant } = locked
  if (row.status === 'cancelled') throw SubscriptionCancelled()
  if (tenant.status === 'archived') throw TenantArchived()
  checkFuture(end, tx.now)
  if (end <= row.current_period_end) throw invalid(['currentPeriodEnd'], 'Must be after the present currentPeriodEnd.')
  const renewed = await changeRecord(concerning(tx, tenant), subscriptionRecord, row, {
    status: 'active',
    ...(row.current_period_end <= tx.now && { currentPeriodStart: tx.now }),
    ...(await endPeriod(tx, locked, end)),
  })
  return tellTrialEnd(tx, renewed)
}

/**
 * Cancels a subscription for good. Reads go on; writes end with the period, or now when it has ended already. Cancelling
 * a cancelled one changes nothing.
 * @throws NotFound
 */
export const cancelSubscription = async (tx: SystemTx, id: string): Promise<Subscription> => {
  const { row, tenant } = await lockSubscription(tx, id)
  if (row.status !== 'cancelled') {
    const plan = found((await lockPlans(tx, [row.plan_id])).get(row.plan_id))
    await grantPlan(tx, tenant, { plan, writesEndAt: row.current_period_end })
  }
  const cancelled = await changeRecord(concerning(tx, tenant), subscriptionRecord, row, {
    status: 'cancelled',
    cancelledAt: row.cancelled_at ?? tx.now,
  })
  return tellTrialEnd(tx, cancelled)
}
