import type { Caller } from '#kernel/who/actor.ts'
import { failure, NotFound } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import { foldQuery } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkRoom, countRows, lockCounter, lockQuota, type CountInPlan } from '#modules/tenants/index.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  deleteRecord,
  recordOf,
  lockReferenced,
  lockRow,
  lockToDelete,
} from '#runtime/records/records.ts'
import { accountOfNew, changedAccount, noticeUnlinked, UserTaken } from '../account.ts'
import { fullName, searchTextOf } from '../person.ts'
import { Staff, type NewStaff, type StaffChanges } from './schemas.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'

export const StaffInUse = failure(
  'CONFLICT',
  'staff_in_use',
  'Groups, sessions or other records name this person: set isActive to false instead.',
)

const toStaff = shows(Staff, { fullName })

export const staffRecord = recordOf('staff', {
  show: toStaff,
  derived: (row) => ({ search_text: searchTextOf(row) }),
  refusals: { unique: { 'staff(user_id)': UserTaken }, foreignKey: NotFound },
  inUse: StaffInUse,
})

/** Newest first. */
export const listStaff = listOf({
  filters: { branchId: 'staff.branch_id', isActive: 'staff.is_active' },
  search: { table: 'staff', fold: foldQuery },
  from: (db) => db.selectFrom('staff').selectAll(),
  order: newestFirst('staff'),
  show: toStaff,
})

/** Counts the staff in the plan. */
export const countActive: CountInPlan = (whole) => countRows(whole.selectFrom('staff').where('is_active', '=', true))

/**
 * Makes all others who add somebody to the staff wait until this transaction ends: for an import, which looks first whether
 * they are there already.
 */
export const lockNewStaff = async (tx: Tx): Promise<void> => {
  await lockQuota(tx, 'maxStaff')
  await lockCounter(tx.whole, 'staff')
}

/** @throws NotFound for the branch, QuotaExceeded, UserTaken, VALIDATION_ERROR, and what accountOfNew throws */
export const createStaff = async (tx: Tx, caller: Caller, { userId, ...body }: NewStaff): Promise<Staff> => {
  await lockReferenced(tx, 'branch', body.branchId)
  const account = await accountOfNew(tx, caller, { kind: 'staff', userId })
  if (body.isActive) await checkRoom(tx, 'maxStaff', countActive)
  await lockNewStaff(tx)
  return createRecord(tx, staffRecord, { ...withStoredPhone(tx, body), userId: account })
}

/**
 * @throws NotFound for the person or a new branch, QuotaExceeded for who comes back, VERSION_CONFLICT, UserTaken,
 * VALIDATION_ERROR, and what changedAccount throws
 */
export const changeStaff = async (
  tx: Tx,
  caller: Caller,
  { id, version, userId, ...body }: StaffChanges & { id: string },
): Promise<Staff> => {
  if (body.isActive) await lockQuota(tx, 'maxStaff')
  const row = await lockRow(tx, staffRecord, id, version)
  const wanted = withStoredPhone(tx, body)
  const { branchId, isActive } = changesOf(row, wanted)
  if (branchId) await lockReferenced(tx, 'branch', branchId[1])
  const account = await changedAccount(tx, caller, row, { kind: 'staff', userId })
  if (isActive?.[1]) await checkRoom(tx, 'maxStaff', countActive)
  return changeRecord(tx, staffRecord, row, { ...wanted, userId: account })
}

/** @throws NotFound, StaffInUse */
export const deleteStaff = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, staffRecord, id)
  noticeUnlinked(tx, row)
  return deleteRecord(tx, staffRecord, row)
}
