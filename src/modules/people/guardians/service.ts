import { forNoKeyUpdate } from '#db/dialect.ts'
import { lockNames } from '#db/named-lock.ts'
import { compiledByIds } from '#db/queries/compiled.ts'
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
  type Row as RecordRow,
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

const withPhones = compiledByIds((whole, phones) =>
  whole.selectFrom('guardian').select('phone').where('phone', 'in', phones),
)

/**
 * Of some phones those that somebody has under their other country code. Until the change ends, nobody else can take them:
 * the index that keeps phones unique tells the two codes apart.
 */
const withTwins = async ({ whole }: Tx, phones: readonly string[]): Promise<Set<string>> => {
  const twins = new Map(phones.filter((phone) => twinPhone(phone) !== phone).map((phone) => [twinPhone(phone), phone]))
  await lockNames(whole, [...new Set([...twins.values()].map((phone) => `guardian ${phoneKey(phone)}`))])
  const held = await withPhones(whole, [...twins.keys()])
  return new Set(held.map(({ phone }) => twins.get(phone as string) as string))
}

const hasTwin = async (tx: Tx, phone: string): Promise<boolean> => (await withTwins(tx, [phone])).size > 0

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

/** In the order in which all who lock several lock them. */
const byPhones = (db: ScopedDb, phones: readonly string[]) =>
  db.selectFrom('guardian').selectAll().where('phone', 'in', phones).orderBy('id')
const findByPhones = compiledByIds(byPhones)
const lockByPhones = compiledByIds((db, phones) => forNoKeyUpdate(db, byPhones(db, phones)))

const bothCodes = (phones: readonly string[]): string[] => phones.flatMap((phone) => [phone, twinPhone(phone)])

/** A guardian who is found or added by what somebody else says of them. */
export type GuardianPerson = Pick<NewGuardian, 'firstName' | 'lastName' | 'phone' | 'email' | 'preferredLocale'>

/** Whether whoever has the phone is the one who is meant. */
export type IsMeant = (known: Pick<Guardian, 'firstName' | 'lastName'>) => boolean

interface SoughtGuardian {
  person: GuardianPerson
  /** For a new guardian, see the column of the table. */
  unlinkedBranchId: string
  isMeant?: IsMeant | undefined
}

type Row = RecordRow<'guardian'>

/** Adds those whose phone nobody has; of several with one phone, the first. @returns those who were added */
const addUnknown = async (tx: Tx, sought: readonly SoughtGuardian[]): Promise<Row[]> => {
  const held = await withTwins(
    tx,
    sought.map(({ person }) => person.phone),
  )
  const firsts = new Map(sought.toReversed().map((one) => [phoneKey(one.person.phone), one]))
  const unknown = sought.filter((one) => firsts.get(phoneKey(one.person.phone)) === one && !held.has(one.person.phone))
  const fields = unknown.map(({ person: { email = null, ...person }, unlinkedBranchId }) => ({
    ...person,
    email,
    unlinkedBranchId,
  }))
  const rows = await insertUnlessTaken(tx, guardianRecord, 'phone', fields)
  const added = rows.flatMap((row) => row ?? [])
  for (const row of added) tx.audit({ entityType: 'guardian', entityId: row.id, after: toGuardian(row) })
  return added
}

/**
 * Finds the guardians with these phones, whom the bodies do not change, or adds them; of several bodies with one phone, the
 * first may add whoever has it. Locks the rows. Guardians from before the two codes of a phone counted as one may have both:
 * then it is the one with exactly this phone.
 * @param inPart does the work of one of them, and may say of a refusal whose it is
 * @throws GuardianPhoneTaken when the caller does not reach the guardian with this phone, GuardianNameDiffers for one who
 *   is not meant, VALIDATION_ERROR
 */
export const findOrCreateGuardians = async (
  tx: Tx,
  bodies: readonly SoughtGuardian[],
  inPart: <T>(at: number, work: () => Promise<T>) => Promise<T>,
): Promise<Guardian[]> => {
  const found: Guardian[] = []
  let left: (SoughtGuardian & { at: number })[] = []
  for (const [at, one] of bodies.entries()) {
    left.push({ ...one, at, person: await inPart(at, async () => withStoredPhone(tx, one.person)) })
  }
  while (left.length > 0) {
    const added = new Map((await addUnknown(tx, left)).map((row) => [phoneKey(row.phone as string), row]))
    for (const { at, person } of left) {
      const key = phoneKey(person.phone)
      const row = added.get(key)
      if (row) found[at] = toGuardian(row)
      // Whoever says the same phone later in the list has to mean the same person.
      added.delete(key)
    }
    const others = left.filter(({ at }) => found[at] === undefined)
    const sought = bothCodes(others.map(({ person }) => person.phone))
    const known = Map.groupBy(await lockByPhones(tx.db, sought), ({ phone }) => phoneKey(phone as string))
    left = []
    for (const other of others) {
      const { at, person, isMeant = () => true } = other
      const all = known.get(phoneKey(person.phone)) ?? []
      const row = all.find(({ phone }) => phone === person.phone) ?? all[0]
      if (row) {
        found[at] = await inPart(at, async () => {
          if (!isMeant(toGuardian(row))) throw GuardianNameDiffers()
          return toGuardian(row)
        })
      } else if ((await findByPhones(tx.whole, bothCodes([person.phone]))).length > 0) {
        await inPart(at, () => Promise.reject(GuardianPhoneTaken()))
      } else {
        // The guardian with this phone was deleted meanwhile: try again.
        left.push(other)
      }
    }
  }
  return found
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
