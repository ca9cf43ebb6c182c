import { containsWords } from '#db/search.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import { shows } from '#kernel/fields.ts'
import { withStoredPhone } from '#kernel/phone.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { foldQuery } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
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
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { checkMember, fullName, searchTextOf, UserTaken } from '../person.ts'
import { Staff, type NewStaff, type StaffChanges, type StaffQuery } from './schemas.ts'

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
export const listStaff = async (db: ScopedDb, cursors: Cursors, query: StaffQuery): Promise<Page<Staff>> => {
  const { q, branchId, isActive, cursor, limit } = query
  let found = db.selectFrom('staff').selectAll()
  if (q !== undefined) {
    const words = await containsWords(db, 'staff', foldQuery(q))
    found = found.where((eb) => eb.and(words))
  }
  if (branchId !== undefined) found = found.where('staff.branch_id', '=', branchId)
  if (isActive !== undefined) found = found.where('staff.is_active', '=', isActive)
  return pageBy(found, { cursor, limit, cursors }, newestFirst('staff'), toStaff)
}

/** @throws NotFound for the branch or a user who is no member, UserTaken, VALIDATION_ERROR */
export const createStaff = async (tx: Tx, body: NewStaff): Promise<Staff> => {
  await keepReached(tx, 'branch', body.branchId)
  if (body.userId) await checkMember(tx, body.userId)
  return createRecord(tx, staffRecord, withStoredPhone(tx, body))
}

/** @throws NotFound for the person, a new branch or a user who is no member, VERSION_CONFLICT, UserTaken, VALIDATION_ERROR */
export const changeStaff = async (tx: Tx, id: string, { version, ...body }: StaffChanges): Promise<Staff> => {
  const row = await lockRow(tx, staffRecord, id, version)
  const wanted = withStoredPhone(tx, body)
  const { branchId, userId } = changesOf(row, wanted)
  if (branchId) await keepReached(tx, 'branch', branchId[1])
  if (userId?.[1]) await checkMember(tx, userId[1])
  return changeRecord(tx, staffRecord, row, wanted)
}

/** @throws NotFound, StaffInUse */
export const deleteStaff = async (tx: Tx, id: string) =>
  deleteRecord(tx, staffRecord, await lockToDelete(tx, staffRecord, id))
