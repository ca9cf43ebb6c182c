import type { ScopedDb } from '#kernel/contract/tables.ts'
import { chargedBy } from './charged-by.ts'
import { within } from './in-force.ts'
import { daysOf, periodOf, type Recurrence, type Term } from './period.ts'
import type { RunTask } from './plan.ts'
import { schedulesWithin } from './schedules.ts'
import type { BillingRun, UnchargedReason } from './schemas.ts'

interface Asked extends Pick<RunTask, 'month' | 'feeScheduleIds' | 'branchIds'> {
  terms: readonly Term[]
  /** The fee schedules that concerned somebody, whether they were billed or not. */
  concerning: ReadonlySet<string>
  /** Whether the request named the fee schedules: else nobody misses those that are not in use. */
  isNamed: boolean
}

/** The fee schedules by which a run bills nobody and skips nobody, each with the reason: else nobody would hear of them. */
export const unchargedBy = async (db: ScopedDb, asked: Asked): Promise<BillingRun['uncharged']> => {
  const { month, feeScheduleIds, branchIds, terms, concerning, isNamed } = asked
  const rest = feeScheduleIds.filter((id) => !concerning.has(id))
  if (rest.length === 0) return []
  const rows = await schedulesWithin(db)
    .leftJoin('group', 'group.id', 'fee_schedule.group_id')
    .select('group.branch_id')
    .where('fee_schedule.id', 'in', rest)
    .orderBy('fee_schedule.created_at')
    .orderBy('fee_schedule.id')
    .execute()
  const reasonOf = (row: (typeof rows)[number]): UnchargedReason => {
    if (!row.is_active) return 'inactive'
    const by = chargedBy(row)
    if (by === 'registration') return 'at_registration'
    if (by === 'hand') return 'by_hand'
    const days = daysOf(periodOf(row.recurrence as Recurrence, month, terms), month)
    return within(days, { from: row.valid_from, to: row.valid_to }) ? 'nobody' : 'not_in_month'
  }
  return rows
    .filter(({ is_active: isActive }) => isActive || isNamed)
    .filter(({ branch_id: ofBranch }) => branchIds === null || ofBranch === null || branchIds.includes(ofBranch))
    .map((row) => ({ feeScheduleId: row.id, name: row.name, reason: reasonOf(row) }))
}
