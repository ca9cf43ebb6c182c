import type { Selectable } from 'kysely'
import { locked, lockedForChange, refusing } from '#db/dialect.ts'
import { containsWords } from '#db/search.ts'
import type { Caller } from '#kernel/actor.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import { storedPhone } from '#kernel/phone.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import { foldQuery } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { changesBetween, checkMember, isEmpty, searchTextOf, UserTaken } from '../person.ts'
import type { Guardian, GuardianChanges, GuardianQuery, NewGuardian } from './schemas.ts'

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

const rules = { unique: { 'guardian(phone)': GuardianPhoneTaken, 'guardian(user_id)': UserTaken } }

const toGuardian = (row: Omit<Selectable<Tables['guardian']>, 'tenant_id'>): Guardian => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  phone: row.phone,
  email: row.email,
  nationalId: row.national_id,
  preferredLocale: row.preferred_locale,
  address: row.address,
  userId: row.user_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Newest first. */
export const listGuardians = async (db: ScopedDb, cursors: Cursors, query: GuardianQuery): Promise<Page<Guardian>> => {
  const { q, cursor, limit } = query
  let found = db.selectFrom('guardian').selectAll()
  if (q !== undefined) {
    const words = await containsWords(db, 'guardian', foldQuery(q))
    found = found.where((eb) => eb.and(words))
  }
  return pageBy(found, { cursor, limit, cursors }, newestFirst('guardian'), toGuardian)
}

/** @throws NotFound */
export const readGuardian = async (db: ScopedDb, id: string): Promise<Guardian> => {
  const row = await db.selectFrom('guardian').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return toGuardian(row)
}

/** The branch that a guardian added by this caller is reached from until a student leads to one; null: none. */
export const branchOfCreator = ({ grants }: Caller): string | null => {
  const reach = grants.reach('guardians.write')
  return reach === undefined || reach === 'all' ? null : (reach.branchIds[0] ?? null)
}

/**
 * @param unlinkedBranchId see the table's column
 * @throws NotFound for a user who is no member, GuardianPhoneTaken, UserTaken, VALIDATION_ERROR
 */
export const createGuardian = async (tx: Tx, body: NewGuardian, unlinkedBranchId: string | null): Promise<Guardian> => {
  if (body.userId) await checkMember(tx, body.userId)
  const person = {
    id: tx.id(),
    first_name: body.firstName,
    last_name: body.lastName,
    phone: storedPhone(body.phone, tx.tenant.timezone, ['phone']),
    email: body.email ?? null,
    national_id: body.nationalId ?? null,
    preferred_locale: body.preferredLocale,
    address: body.address ?? null,
    user_id: body.userId ?? null,
    unlinked_branch_id: unlinkedBranchId,
    created_at: tx.now,
    updated_at: tx.now,
  }
  const row = { ...person, search_text: searchTextOf(person) }
  await tx.db.insertInto('guardian').values(row).execute().catch(refusing(rules))
  const guardian = toGuardian(row)
  tx.audit({ entityType: 'guardian', entityId: row.id, after: guardian })
  return guardian
}

/** @throws NotFound for the guardian or a user who is no member, GuardianPhoneTaken, UserTaken, VALIDATION_ERROR */
export const changeGuardian = async (tx: Tx, id: string, given: GuardianChanges): Promise<Guardian> => {
  const { db } = tx
  const row = await lockedForChange(db, db.selectFrom('guardian').selectAll().where('id', '=', id)).executeTakeFirst()
  if (!row) throw NotFound()
  const before = toGuardian(row)
  const wanted = { ...given, phone: storedPhone(given.phone, tx.tenant.timezone, ['phone']) }
  const changes = changesBetween(before, wanted)
  let after = before
  if (!isEmpty(changes)) {
    if (changes.userId && wanted.userId) await checkMember(tx, wanted.userId)
    const person = {
      first_name: wanted.firstName ?? row.first_name,
      last_name: wanted.lastName ?? row.last_name,
      phone: wanted.phone ?? row.phone,
      email: wanted.email === undefined ? row.email : wanted.email,
    }
    const changed = await db
      .updateTable('guardian')
      .set({
        ...person,
        national_id: wanted.nationalId,
        preferred_locale: wanted.preferredLocale,
        address: wanted.address,
        user_id: wanted.userId,
        updated_at: tx.now,
        search_text: searchTextOf(person),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refusing(rules))
    after = toGuardian(changed)
  }
  tx.audit({ entityType: 'guardian', entityId: id, before, after })
  return after
}

/** @throws NotFound, GuardianInUse */
export const deleteGuardian = async (tx: Tx, id: string): Promise<void> => {
  const { db } = tx
  const row = await locked(db, db.selectFrom('guardian').selectAll().where('id', '=', id)).executeTakeFirst()
  if (!row) throw NotFound()
  const before = toGuardian(row)
  await db
    .deleteFrom('guardian')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: GuardianInUse }))
  tx.audit({ entityType: 'guardian', entityId: id, before })
}
