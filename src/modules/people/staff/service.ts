import { failure, NotFound } from '#kernel/errors.ts'
import { shows } from '#kernel/fields.ts'
import { withStoredPhone } from '#kernel/phone.ts'
import { foldQuery } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { checkRoom, countRows, lockQuota, type CountInPlan } from '#modules/settings/index.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  deleteRecord,
  recordOf,
  keepReached,
  lockRow,
  lockToDelete,
} from '#runtime/records.ts'
import { checkMember, fullName, searchTextOf, UserTaken } from '../person.ts'
import { Staff, type NewStaff, type StaffChanges } from './schemas.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'

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
const countActive: CountInPlan = (whole) => countRows(whole.selectFrom('staff').where('is_active', '=', true))

/** @throws NotFound for the branch or a user who is not a member, QuotaExceeded, UserTaken, VALIDATION_ERROR */
export const createStaff = async (tx: Tx, body: NewStaff): Promise<Staff> => {
  await keepReached(tx, 'branch', body.branchId)
  if (body.userId) await checkMember(tx, body.userId)
  if (body.isActive) await checkRoom(tx, 'maxStaff', countActive)
  return createRecord(tx, staffRecord, withStoredPhone(tx, body))
}

/**
 * @throws NotFound for the person, a new branch or a user who is not a member, QuotaExceeded for who comes back,
 * VERSION_CONFLICT, UserTaken, VALIDATION_ERROR
 */
export const changeStaff = async (tx: Tx, id: string, { version, ...body }: StaffChanges): Promise<Staff> => {
  if (body.isActive) await lockQuota(tx, 'maxStaff')
  const row = await lockRow(tx, staffRecord, id, version)
  const wanted = withStoredPhone(tx, body)
  const { branchId, userId, isActive } = changesOf(row, wanted)
  if (branchId) await keepReached(tx, 'branch', branchId[1])
  if (userId?.[1]) await checkMember(tx, userId[1])
  if (isActive?.[1]) await checkRoom(tx, 'maxStaff', countActive)
  return changeRecord(tx, staffRecord, row, wanted)
}

/** @throws NotFound, StaffInUse */
export const deleteStaff = async (tx: Tx, id: string) =>
  deleteRecord(tx, staffRecord, await lockToDelete(tx, staffRecord, id))
