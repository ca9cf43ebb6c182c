import type { SelectQueryBuilder } from 'kysely'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { checkQuota, type QuotaKey } from '#kernel/who/quota.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

/**
 * Begins a change that may add to what the plan limits: locks the institute, so that such changes run one after the
 * other. Without a limit it locks nothing. Take this lock before any other.
 * @returns the limit; null: unlimited
 */
export const lockQuota = async ({ tenant, whole }: Tx, key: QuotaKey): Promise<number | null> => {
  if ((tenant.quotas[key] ?? null) === null) return null
  const own = whole.selectFrom('tenant').select('plan_quotas')
  const { plan_quotas: quotas } = await forNoKeyUpdate(whole, own).executeTakeFirstOrThrow()
  return quotas?.[key] ?? null
}

/** Counts what the plan limits. @param now for what ends with time */
export type CountInPlan = (whole: ScopedDb, now: string) => Promise<number>

/**
 * Refuses an addition that would exceed the plan's limit. It counts under the lock of `lockQuota`, so that additions at
 * once cannot exceed the limit together; without a limit it counts nothing.
 * @param added default: 1
 * @throws QuotaExceeded
 */
export const checkRoom = async (tx: Tx, key: QuotaKey, count: CountInPlan, added = 1): Promise<void> => {
  const limit = await lockQuota(tx, key)
  if (limit !== null) checkQuota(key, { limit, current: await count(tx.whole, tx.now), added })
}

/** Counts the rows of a query. */
export const countRows = async <DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, unknown>,
): Promise<number> => {
  const counted = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return (counted as { count: number }).count
}
