import { forNoKeyUpdate } from '#db/dialect.ts'
import { lockName } from '#db/named-lock.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { withStoredIdentity } from '#kernel/values/identity-number.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { foldQuery } from '#shared/text.ts'
import { isSamePhone, phoneKey, twinPhone } from '#shared/twin-phones.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  insertUnlessTaken,
  recordOf,
  lockRow,
  lockToDelete,
} from '#runtime/records/records.ts'
import { accountOfNew, changedAccount, noticeUnlinked, UserTaken } from '../account.ts'
import { refuseErased } from '../erased.ts'
import { searchTextOf, sortNameOf } from '../person.ts'
import { Guardian, type GuardianChanges, type NewGuardian } from './schemas.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'

export const GuardianPhoneTaken = failure(
  'CONFLICT',
  'guardian_phone_taken',
  'A guardian of the institute already has this phone.',
)
export const GuardianNameDiffers = failure(
  'CONFLICT',
  'guardian_name_differs',
  'A guardian of the institute has this phone, under another name.',
)
export const GuardianInUse = failure(
  'CONFLICT',
  'guardian_in_use',
  'The guardian is still linked to a student or named by another record.',
)

export const toGuardian = shows(Guardian)

export const guardianRecord = recordOf('guardian', {
  show: toGuardian,
  derived: (row) => ({ search_text: searchTextOf(row), sort_name: sortNameOf(row) }),
  refusals: { unique: { 'guardian(phone)': GuardianPhoneTaken, 'guardian(user_id)': UserTaken } },
  inUse: GuardianInUse,
  refuseEnded: refuseErased,
})

/** Newest first. */
export const listGuardians = listOf({
  search: { table: 'guardian', fold: foldQuery },
  from: (db) => db.selectFrom('guardian').selectAll(),
  order: newestFirst('guardian'),
  show: toGuardian,
})

/** The branch of a guardian without students, who was added by a caller limited to branches; null: none. */
const branchOfCreator = ({ grants }: Caller): string | null => {
  const reach = grants.reach('guardians.write')
  return reach === undefined || reach === 'all' ? null : (reach.branchIds[0] ?? null)
}

/**
 * Whether somebody has the phone under its other country code. Until the change ends, nobody else can take it: the index
 * that keeps phones unique tells the two codes apart.
 */
const hasTwin = async ({ whole }: Tx, phone: string): Promise<boolean> => {
  const twin = twinPhone(phone)
  if (twin === phone) return false
  await lockName(whole, `guardian ${phoneKey(phone)}`)
  return (await whole.selectFrom('guardian').select('id').where('phone', '=', twin).executeTakeFirst()) !== undefined
}

/** @throws GuardianPhoneTaken, UserTaken, VALIDATION_ERROR, and what accountOfNew throws */
export const createGuardian = async (tx: Tx, caller: Caller, { userId, ...body }: NewGuardian): Promise<Guardian> => {
  const account = await accountOfNew(tx, caller, { kind: 'guardian', userId })
  const person = withStoredIdentity(tx, withStoredPhone(tx, body))
  if (await hasTwin(tx, person.phone)) throw GuardianPhoneTaken()
  return createRecord(tx, guardianRecord, {
    ...person,
    userId: account,
    unlinkedBranchId: branchOfCreator(caller),
  })
}

const byPhone = (db: ScopedDb, phone: string) =>
  db
    .selectFrom('guardian')
    .selectAll()
    .where('phone', 'in', [phone, twinPhone(phone)])

/** A guardian who is found or added by what somebody else says of them. */
export type GuardianPerson = Pick<NewGuardian, 'firstName' | 'lastName' | 'phone' | 'email' | 'preferredLocale'>

/** Whether whoever has the phone is the one who is meant. */
export type IsMeant = (known: Pick<Guardian, 'firstName' | 'lastName'>) => boolean

/**
 * Finds the guardian with this phone, whom the body does not change, or adds one. Locks the row. Guardians from before
 * the two codes of a phone counted as one may have both: then it is the one with exactly this phone.
 * @param unlinkedBranchId for a new guardian, see the column of the table
 * @throws GuardianPhoneTaken when the caller does not reach the guardian with this phone, GuardianNameDiffers for one who
 *   is not meant, VALIDATION_ERROR
 */
export const findOrCreateGuardian = async (
  tx: Tx,
  body: GuardianPerson,
  { unlinkedBranchId, isMeant = () => true }: { unlinkedBranchId: string; isMeant?: IsMeant | undefined },
): Promise<Guardian> => {
  const person = withStoredPhone(tx, body)
  for (;;) {
    const row = (await hasTwin(tx, person.phone))
      ? undefined
      : await insertUnlessTaken(tx, guardianRecord, 'phone', { ...person, unlinkedBranchId })
    if (row) {
      const after = toGuardian(row)
      tx.audit({ entityType: 'guardian', entityId: row.id, after })
      return after
    }
    const all = await forNoKeyUpdate(tx.db, byPhone(tx.db, person.phone)).execute()
    const known = all.find(({ phone }) => phone === person.phone) ?? all[0]
    if (known && !isMeant(toGuardian(known))) throw GuardianNameDiffers()
    if (known) return toGuardian(known)
    if (await byPhone(tx.whole, person.phone).executeTakeFirst()) throw GuardianPhoneTaken()
    // The guardian with this phone was deleted meanwhile: try again.
  }
}

/** Adds a second parent of a phone that is another guardian's. */
export const createWithoutPhone = (
  tx: Tx,
  { firstName, lastName, email, preferredLocale }: Omit<GuardianPerson, 'phone'>,
  unlinkedBranchId: string,
): Promise<Guardian> =>
  createRecord(tx, guardianRecord, { firstName, lastName, email, preferredLocale, phone: null, unlinkedBranchId })

/** @throws NotFound, GuardianPhoneTaken, UserTaken, VALIDATION_ERROR, and what changedAccount throws */
export const changeGuardian = async (
  tx: Tx,
  caller: Caller,
  { id, userId, ...body }: GuardianChanges & { id: string },
): Promise<Guardian> => {
  const row = await lockRow(tx, guardianRecord, id)
  const account = await changedAccount(tx, caller, row, { kind: 'guardian', userId })
  const changed = withStoredIdentity(tx, withStoredPhone(tx, body))
  // One's own phone may be written with the other code.
  const isOther = changed.phone !== undefined && (row.phone === null || !isSamePhone(changed.phone, row.phone))
  if (isOther && (await hasTwin(tx, changed.phone as string))) throw GuardianPhoneTaken()
  return changeRecord(tx, guardianRecord, row, { ...changed, userId: account })
}

/** @throws NotFound, GuardianInUse */
export const deleteGuardian = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, guardianRecord, id)
  noticeUnlinked(tx, row)
  return deleteRecord(tx, guardianRecord, row)
}
