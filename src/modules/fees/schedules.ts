import { failure, found, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { money, type Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  deleteRecord,
  lockReferenced,
  lockRow,
  lockToDelete,
  recordOf,
} from '#runtime/records/records.ts'
import { chargedBy } from './charged-by.ts'
import { FeeSchedule, type FeeScheduleChanges, type NewFeeSchedule } from './schemas.ts'

export const FeeScheduleInUse = failure(
  'CONFLICT',
  'fee_schedule_in_use',
  'Invoice lines refer to this fee schedule: make it inactive instead.',
)

const toSchedule = shows(FeeSchedule, {
  amount: (row: { amount_minor: number; currency: Currency }) => money(row.amount_minor, row.currency),
  chargedBy,
})

const feeScheduleRecord = recordOf('fee_schedule', { show: toSchedule, inUse: FeeScheduleInUse })

/** A member of one branch sees no group of another branch, and no charge for it. */
export const schedulesWithin = (db: ScopedDb) =>
  db
    .selectFrom('fee_schedule')
    .selectAll('fee_schedule')
    .where((eb) =>
      eb.or([
        eb('fee_schedule.group_id', 'is', null),
        eb.exists(eb.selectFrom('group').select('group.id').whereRef('group.id', '=', 'fee_schedule.group_id')),
      ]),
    )

/** @throws NotFound */
export const readFeeSchedule = async (db: ScopedDb, id: string): Promise<FeeSchedule> =>
  toSchedule(found(await schedulesWithin(db).where('fee_schedule.id', '=', id).executeTakeFirst()))

/** Newest first. */
export const listFeeSchedules = listOf({
  filters: { kind: 'fee_schedule.kind', isActive: 'fee_schedule.is_active' },
  from: schedulesWithin,
  order: newestFirst('fee_schedule'),
  show: toSchedule,
})

interface References {
  courseId?: string | null | undefined
  groupId?: string | null | undefined
}

/** Checks what a schedule refers to, and locks it so that it stays. @throws NotFound */
const lockReferences = async (tx: Tx, { courseId, groupId }: References): Promise<void> => {
  if (courseId) await lockReferenced(tx, 'course', courseId)
  if (groupId) await lockReferenced(tx, 'group', groupId)
}

type Rules = Pick<NewFeeSchedule, 'kind' | 'recurrence' | 'validFrom' | 'validTo' | 'proration'>

/** @throws VALIDATION_ERROR */
const checkRules = ({ kind, recurrence, validFrom, validTo, proration }: Rules): void => {
  if (validFrom && validTo && validTo < validFrom) throw invalid(['validTo'], 'Must not be before validFrom.')
  if (proration !== 'none' && (kind !== 'per_group' || recurrence !== 'monthly')) {
    throw invalid(['proration'], 'Must be none, but for a monthly fee of groups.')
  }
}

/** @throws NotFound for the course or the group, VALIDATION_ERROR */
export const createFeeSchedule = async (tx: Tx, body: NewFeeSchedule): Promise<FeeSchedule> => {
  checkRules(body)
  await lockReferences(tx, body)
  return createRecord(tx, feeScheduleRecord, body)
}

/** @throws NotFound, VALIDATION_ERROR */
export const changeFeeSchedule = async (tx: Tx, id: string, body: FeeScheduleChanges): Promise<FeeSchedule> => {
  const row = await lockRow(tx, feeScheduleRecord, id)
  const { kind = row.kind, recurrence = row.recurrence, proration = row.proration } = body
  const { validFrom = row.valid_from, validTo = row.valid_to } = body
  checkRules({ kind, recurrence, proration, validFrom, validTo })
  const { courseId, groupId } = changesOf(row, body)
  await lockReferences(tx, { courseId: courseId?.[1], groupId: groupId?.[1] })
  return changeRecord(tx, feeScheduleRecord, row, body)
}

/** @throws NotFound, FeeScheduleInUse */
export const deleteFeeSchedule = async (tx: Tx, id: string) =>
  deleteRecord(tx, feeScheduleRecord, await lockToDelete(tx, feeScheduleRecord, id))
