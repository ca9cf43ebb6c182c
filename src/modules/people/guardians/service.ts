import { forNoKeyUpdate } from '#db/dialect.ts'
import type { Caller } from '#kernel/actor.ts'
import { failure } from '#kernel/errors.ts'
import { shows } from '#kernel/fields.ts'
import { withStoredPhone } from '#kernel/phone.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { foldQuery } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  deleteRecord,
  insertUnlessTaken,
  recordOf,
  lockRow,
  lockToDelete,
} from '#runtime/records.ts'
import { checkMember, searchTextOf, UserTaken } from '../person.ts'
import { Guardian, type GuardianChanges, type NewGuardian } from './schemas.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'

export const GuardianPhoneTaken = failure(
  'CONFLICT',
  'guardian_phone_taken',
  'A guardian of the institute already has this phone.',
)
export const GuardianInUse = failure(
  'CONFLICT',
  'guardian_in_use',
  'The guardian is still linked to a student or named by another record.',
)

const toGuardian = shows(Guardian)

export const guardianRecord = recordOf('guardian', {
  show: toGuardian,
  derived: (row) => ({ search_text: searchTextOf(row) }),
  refusals: { unique: { 'guardian(phone)': GuardianPhoneTaken, 'guardian(user_id)': UserTaken } },
  inUse: GuardianInUse,
})

/** Newest first. */
export const listGuardians = listOf({
  search: { table: 'guardian', fold: foldQuery },
  from: (db) => db.selectFrom('guardian').selectAll(),
  order: newestFirst('guardian'),
  show: toGuardian,
})

/** The branch of a guardian without students, who was added by a caller limited to branches; null: none. */
export const branchOfCreator = ({ grants }: Caller): string | null => {
  const reach = grants.reach('guardians.write')
  return reach === undefined || reach === 'all' ? null : (reach.branchIds[0] ?? null)
}

/**
 * @param unlinkedBranchId see the column of the table
 * @throws NotFound for a user who is not a member, GuardianPhoneTaken, UserTaken, VALIDATION_ERROR
 */
export const createGuardian = async (tx: Tx, body: NewGuardian, unlinkedBranchId: string | null): Promise<Guardian> => {
  if (body.userId) await checkMember(tx, body.userId)
  return createRecord(tx, guardianRecord, { ...withStoredPhone(tx, body), unlinkedBranchId })
}

const byPhone = (db: ScopedDb, phone: string) => db.selectFrom('guardian').selectAll().where('phone', '=', phone)

/**
 * Finds the guardian with this phone, whom the body does not change, or adds one. Locks the row.
 * @param unlinkedBranchId for a new guardian, see the column of the table
 * @throws GuardianPhoneTaken when the caller does not reach the guardian with this phone, VALIDATION_ERROR
 */
export const findOrCreateGuardian = async (
  tx: Tx,
  body: Pick<NewGuardian, 'firstName' | 'lastName' | 'phone' | 'email' | 'preferredLocale'>,
  unlinkedBranchId: string,
): Promise<Guardian> => {
  const person = withStoredPhone(tx, body)
  for (;;) {
    const row = await insertUnlessTaken(tx, guardianRecord, 'phone', { ...person, unlinkedBranchId })
    if (row) {
      const after = toGuardian(row)
      tx.audit({ entityType: 'guardian', entityId: row.id, after })
      return after
    }
    const known = await forNoKeyUpdate(tx.db, byPhone(tx.db, person.phone)).executeTakeFirst()
    if (known) return toGuardian(known)
    if (await byPhone(tx.whole, person.phone).executeTakeFirst()) throw GuardianPhoneTaken()
    // The guardian with this phone was deleted meanwhile: try again.
  }
}

/** @throws NotFound for the guardian or a user who is not a member, GuardianPhoneTaken, UserTaken, VALIDATION_ERROR */
export const changeGuardian = async (tx: Tx, id: string, body: GuardianChanges): Promise<Guardian> => {
  const row = await lockRow(tx, guardianRecord, id)
  const wanted = withStoredPhone(tx, body)
  const { userId } = changesOf(row, wanted)
  if (userId?.[1]) await checkMember(tx, userId[1])
  return changeRecord(tx, guardianRecord, row, wanted)
}

/** @throws NotFound, GuardianInUse */
export const deleteGuardian = async (tx: Tx, id: string) =>
  deleteRecord(tx, guardianRecord, await lockToDelete(tx, guardianRecord, id))
