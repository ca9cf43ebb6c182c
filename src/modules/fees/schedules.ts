import { failure, invalid } from '#kernel/errors.ts'
import { shows } from '#kernel/fields.ts'
import { money, type Currency } from '#kernel/money.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { readSettings } from '#modules/settings/index.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  deleteRecord,
  keepReached,
  lockRow,
  lockToDelete,
  recordOf,
} from '#runtime/records.ts'
import { FeeSchedule, type FeeScheduleChanges, type NewFeeSchedule } from './schemas.ts'
import './tables.ts'

export const FeeScheduleInUse = failure(
  'CONFLICT',
  'fee_schedule_in_use',
  'Invoice lines refer to this fee schedule: make it inactive instead.',
)

const toSchedule = shows(FeeSchedule, {
  amount: (row: { amount_minor: number; currency: Currency }) => money(row.amount_minor, row.currency),
})

export const feeScheduleRecord = recordOf('fee_schedule', { show: toSchedule, inUse: FeeScheduleInUse })

/** Newest first. */
export const listFeeSchedules = listOf({
  filters: { kind: 'fee_schedule.kind', isActive: 'fee_schedule.is_active' },
  from: (db) => db.selectFrom('fee_schedule').selectAll(),
  order: newestFirst('fee_schedule'),
  show: toSchedule,
})

interface References {
  currency?: Currency | undefined
  courseId?: string | null | undefined
  groupId?: string | null | undefined
}

/** Checks what a schedule refers to, and locks it so that it stays. @throws NotFound, VALIDATION_ERROR for the currency */
const keepReferences = async (tx: Tx, { currency, courseId, groupId }: References): Promise<void> => {
  if (currency !== undefined) {
    const settings = await readSettings(tx.whole)
    if (currency !== settings.currency) throw invalid(['currency'], `Must be the institute’s: ${settings.currency}.`)
  }
  if (courseId) await keepReached(tx, 'course', courseId)
  if (groupId) await keepReached(tx, 'group', groupId)
}

/** @throws NotFound for the course or the group, VALIDATION_ERROR for another currency than the institute's */
export const createFeeSchedule = async (tx: Tx, body: NewFeeSchedule): Promise<FeeSchedule> => {
  await keepReferences(tx, body)
  return createRecord(tx, feeScheduleRecord, body)
}

/** @throws NotFound, VALIDATION_ERROR for another currency than the institute's */
export const changeFeeSchedule = async (tx: Tx, id: string, body: FeeScheduleChanges): Promise<FeeSchedule> => {
  const row = await lockRow(tx, feeScheduleRecord, id)
  const { currency, courseId, groupId } = changesOf(row, body)
  await keepReferences(tx, { currency: currency?.[1], courseId: courseId?.[1], groupId: groupId?.[1] })
  return changeRecord(tx, feeScheduleRecord, row, body)
}

/** @throws NotFound, FeeScheduleInUse */
export const deleteFeeSchedule = async (tx: Tx, id: string) =>
  deleteRecord(tx, feeScheduleRecord, await lockToDelete(tx, feeScheduleRecord, id))
