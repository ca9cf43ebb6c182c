import { forNoKeyUpdate } from '#db/dialect.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { Row } from '#runtime/records/records.ts'
import { autoLock } from './auto-lock.ts'
import { daysUntil, NOTICE_DAYS } from './notices.ts'

export const sweepSubscriptionsJob = declareJob('plans.sweep-subscriptions', noPayload)

/** Subscriptions per transaction; a larger one would make other writers wait too long. */
const BATCH = 25
const DAY_SECONDS = 24 * 3600
/** How long after the end of its subscription an institute is locked automatically. */
export const AUTO_LOCK_SECONDS = 7 * DAY_SECONDS

const GOES_ON = ['trialing', 'active', 'past_due'] as const

type Due = Row<'subscription'> & { plan_code: string }

/** The subscriptions of institutes that are not archived, for each of which a step may be due. */
const subscriptions = (db: OutsideDb) =>
  db
    .selectFrom('subscription')
    .select('subscription.id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('tenant')
          .select('tenant.id')
          .whereRef('tenant.id', '=', 'subscription.tenant_id')
          .where('tenant.status', '<>', 'archived'),
      ),
    )

interface Step {
  /** The subscriptions for which it is due. */
  due(db: OutsideDb, now: string): ReturnType<typeof subscriptions>
  /** What is stored with it, so that it is not due again. */
  set(now: string): Partial<Pick<Row<'subscription'>, 'noticed_days' | 'status' | 'auto_locked_at'>>
  take(tx: Tx, subscription: Due): Promise<void> | void
}

/** Sends the notice, unless this or a nearer one was sent for this period: after a standstill only the nearest is sent. */
const notice = (days: number): Step => ({
  due: (db, now) =>
    subscriptions(db)
      .where('subscription.status', 'in', GOES_ON)
      .where('subscription.current_period_end', '>', now)
      .where('subscription.current_period_end', '<=', plusSeconds(now, days * DAY_SECONDS))
      .where((eb) => eb.or([eb('subscription.noticed_days', 'is', null), eb('subscription.noticed_days', '>', days)])),
  set: () => ({ noticed_days: days }),
  take: (tx, { id, plan_code: planCode, current_period_end: currentPeriodEnd }) =>
    tx.emit('subscription.expiring', {
      subscriptionId: id,
      planCode,
      currentPeriodEnd,
      daysUntilExpiry: daysUntil(tx.now, currentPeriodEnd),
    }),
})

const expire: Step = {
  due: (db, now) =>
    subscriptions(db).where('subscription.status', 'in', GOES_ON).where('subscription.current_period_end', '<=', now),
  set: () => ({ status: 'expired' }),
  take: (tx, { id, plan_code: planCode, current_period_end: currentPeriodEnd }) =>
    tx.emit('subscription.expired', { subscriptionId: id, planCode, currentPeriodEnd }),
}

/** Only where the platform switched it on for the institute. It happens once: what somebody unlocked stays open. */
const lock: Step = {
  due: (db, now) =>
    subscriptions(db)
      .where('subscription.status', '=', 'expired')
      .where('subscription.auto_locked_at', 'is', null)
      .where('subscription.current_period_end', '<=', plusSeconds(now, -AUTO_LOCK_SECONDS))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('tenant')
            .select('tenant.id')
            .whereRef('tenant.id', '=', 'subscription.tenant_id')
            .where('tenant.auto_lock_override', '=', 'on'),
        ),
      ),
  set: (now) => ({ auto_locked_at: now }),
  take: (tx, { id }) => autoLock(tx, id),
}

/** The nearest notice first. */
const STEPS: readonly Step[] = [expire, ...NOTICE_DAYS.map(notice), lock]

/** @returns how many subscriptions it took the step for */
const takeStep = async (system: SystemTx, { due, set, take }: Step): Promise<number> => {
  const { db, now } = system
  // A concurrent sweep waits for these rows, and then finds that nothing is due for them.
  const batch = due(db, now).orderBy('subscription.id').limit(BATCH)
  const ids = (await forNoKeyUpdate(db, batch).execute()).map(({ id }) => id)
  if (ids.length === 0) return 0
  const before = await db
    .selectFrom('subscription')
    .innerJoin('plan', 'plan.id', 'subscription.plan_id')
    .selectAll('subscription')
    .select('plan.code as plan_code')
    .where('subscription.id', 'in', ids)
    .orderBy('subscription.id')
    .execute()
  const changes = set(now)
  await db
    .updateTable('subscription')
    .set({ ...changes, updated_at: now })
    .where('id', 'in', ids)
    .execute()
  for (const subscription of before) {
    const tenant = await findTenant(db, subscription.tenant_id)
    if (!tenant) continue
    const tx = system.inTenant(tenant)
    await take(tx, subscription)
    const former = Object.fromEntries(
      Object.keys(changes).map((key) => [key, subscription[key as keyof typeof changes]]),
    )
    tx.audit({ entityType: 'subscription', entityId: subscription.id, before: former, after: changes })
  }
  return ids.length
}

/**
 * Tells institutes 14, 7 and 1 days before that their subscription ends, then that it ended, and 7 days later locks those
 * for which that is switched on. Works in short transactions, each of which locks its rows: of sweeps at the same time
 * only one takes a step. Nearly always nothing is due; then it only reads.
 */
export const sweepSubscriptions = async ({ change, db, now }: JobContext): Promise<void> => {
  for (const step of STEPS) {
    if (!(await step.due(db, now).limit(1).executeTakeFirst())) continue
    let taken: number
    do taken = await change((system) => takeStep(system, step))
    while (taken === BATCH)
  }
}
