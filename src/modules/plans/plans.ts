import { failure } from '#kernel/values/errors.ts'
import { FEATURE_FLAGS, type FeatureFlags } from '#kernel/rights/features.ts'
import { shows } from '#kernel/values/fields.ts'
import { money, type Currency } from '#kernel/values/money.ts'
import { PLAN_LIMITS, type PlanLimit, type PlanQuotas } from '#kernel/who/quota.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { setPlanOf } from '#modules/tenants/index.ts'
import { newestFirst, systemListOf } from '#runtime/records/lists.ts'
import { changeRecord, changesOf, createRecord, lockRow, recordOf, type LockedRow } from '#runtime/records/records.ts'
import { Plan, type NewPlan, type PlanChanges } from './schemas.ts'

export const PlanCodeTaken = failure('CONFLICT', 'plan_code_taken', 'There is another plan of this code.')
export const PlanArchived = failure(
  'CONFLICT',
  'plan_archived',
  'This plan is archived: only the institutes that have it already keep it.',
)

/** Every feature and limit, with null for those of which the plan says nothing. */
const told = <Key extends string, Value>(
  keys: readonly Key[],
  values: Partial<Record<Key, Value>>,
): Record<Key, Value | null> =>
  Object.fromEntries(keys.map((key) => [key, values[key] ?? null])) as Record<Key, Value | null>

const toPlan = shows(Plan, {
  price: (row: { price_minor: number; currency: Currency }) => money(row.price_minor, row.currency),
  features: (row: { features: Partial<FeatureFlags> }) => told(FEATURE_FLAGS, row.features),
  quotas: (row: { quotas: PlanQuotas }) =>
    told<PlanLimit, number>(PLAN_LIMITS, row.quotas as Record<PlanLimit, number>),
})

export const planRecord = recordOf('plan', {
  show: toPlan,
  refusals: { unique: { 'plan(code)': PlanCodeTaken } },
})

/** Newest first, archived ones included. */
export const listPlans = systemListOf({
  from: (db) => db.selectFrom('plan').selectAll(),
  order: newestFirst('plan'),
  show: toPlan,
})

/** What is null, or left out, is not stored. */
const stored = <Values extends object>(values: Values): { [Key in keyof Values]?: NonNullable<Values[Key]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined)) as {
    [Key in keyof Values]?: NonNullable<Values[Key]>
  }

/** @throws PlanCodeTaken */
export const createPlan = (tx: SystemTx, { features, quotas, ...body }: NewPlan): Promise<Plan> =>
  createRecord(tx, planRecord, { ...body, features: stored(features), quotas: stored(quotas) })

/**
 * Changes a plan, in the same transaction for every institute that has it. A change that gives an institute the plan, or
 * takes it away, waits for the lock of the plan's row.
 * @throws NotFound, PlanCodeTaken
 */
export const changePlan = async (
  tx: SystemTx,
  id: string,
  { features, quotas, ...body }: PlanChanges,
): Promise<Plan> => {
  const row = await lockRow(tx, planRecord, id)
  const granted = {
    features: features && stored({ ...row.features, ...features }),
    quotas: quotas && stored({ ...row.quotas, ...quotas }),
  }
  const changes = changesOf(row, granted)
  const plan = await changeRecord(tx, planRecord, row, { ...body, ...granted })
  if (changes.features ?? changes.quotas) {
    const having = tx.db
      .selectFrom('subscription')
      .select('tenant_id')
      .where('plan_id', '=', id)
      .where('replaced_at', 'is', null)
    await setPlanOf(tx, having.$asScalar(), {
      features: granted.features ?? row.features,
      quotas: granted.quotas ?? row.quotas,
    })
  }
  return plan
}

/** Archiving an archived plan changes nothing. @throws NotFound */
export const archivePlan = async (tx: SystemTx, id: string): Promise<Plan> => {
  const row = await lockRow(tx, planRecord, id)
  return changeRecord(tx, planRecord, row, { archivedAt: row.archived_at ?? tx.now })
}

/**
 * Locks plans for update, in the order of their ids: while an institute gets or leaves a plan, nobody changes it.
 * @throws NotFound
 */
export const lockPlans = async (tx: SystemTx, ids: readonly string[]): Promise<Map<string, LockedRow<'plan'>>> => {
  const plans = new Map<string, LockedRow<'plan'>>()
  for (const id of [...new Set(ids)].toSorted()) plans.set(id, await lockRow(tx, planRecord, id))
  return plans
}
