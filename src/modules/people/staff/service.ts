import type { Selectable } from 'kysely'
import { locked, lockedForChange, refusing } from '#db/dialect.ts'
import { containsWords } from '#db/search.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import { storedPhone } from '#kernel/phone.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import { foldQuery } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { checkVersion } from '#runtime/versions.ts'
import { changesBetween, checkBranch, checkMember, isEmpty, searchTextOf, UserTaken } from '../person.ts'
import type { NewStaff, Staff, StaffChanges, StaffQuery } from './schemas.ts'

export const StaffInUse = failure(
  'CONFLICT',
  'staff_in_use',
  'Groups, sessions or other records name this person: set isActive to false instead.',
)

const rules = { unique: { 'staff(user_id)': UserTaken }, foreignKey: NotFound }

const toStaff = (row: Omit<Selectable<Tables['staff']>, 'tenant_id'>): Staff => ({
  id: row.id,
  branchId: row.branch_id,
  userId: row.user_id,
  firstName: row.first_name,
  lastName: row.last_name,
  fullName: `${row.first_name} ${row.last_name}`,
  email: row.email,
  phone: row.phone,
  title: row.title,
  isActive: row.is_active,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
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

/** @throws NotFound */
export const readStaff = async (db: ScopedDb, id: string): Promise<Staff> => {
  const row = await db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return toStaff(row)
}

/** @throws NotFound for the branch or a user who is no member, UserTaken, VALIDATION_ERROR */
export const createStaff = async (tx: Tx, body: NewStaff): Promise<Staff> => {
  await checkBranch(tx, body.branchId)
  if (body.userId) await checkMember(tx, body.userId)
  const person = {
    id: tx.id(),
    branch_id: body.branchId,
    user_id: body.userId ?? null,
    first_name: body.firstName,
    last_name: body.lastName,
    email: body.email ?? null,
    phone: storedPhone(body.phone, tx.tenant.timezone, ['phone']) ?? null,
    title: body.title ?? null,
    is_active: body.isActive,
    version: 1,
    created_at: tx.now,
    updated_at: tx.now,
  }
  const row = { ...person, search_text: searchTextOf(person) }
  await tx.db.insertInto('staff').values(row).execute().catch(refusing(rules))
  const staff = toStaff(row)
  tx.audit({ entityType: 'staff', entityId: row.id, after: staff })
  return staff
}

/**
 * When nothing really changes, the record stays as it is.
 * @throws NotFound for the person, a new branch or a user who is no member, VERSION_CONFLICT, UserTaken, VALIDATION_ERROR
 */
export const changeStaff = async (tx: Tx, id: string, { version, ...given }: StaffChanges): Promise<Staff> => {
  const { db } = tx
  const row = await lockedForChange(db, db.selectFrom('staff').selectAll().where('id', '=', id)).executeTakeFirst()
  if (!row) throw NotFound()
  checkVersion(version, row.version)
  const before = toStaff(row)
  const wanted = { ...given, phone: storedPhone(given.phone, tx.tenant.timezone, ['phone']) }
  const changes = changesBetween(before, wanted)
  let after = before
  if (!isEmpty(changes)) {
    if (changes.branchId && wanted.branchId !== undefined) await checkBranch(tx, wanted.branchId)
    if (changes.userId && wanted.userId) await checkMember(tx, wanted.userId)
    const person = {
      first_name: wanted.firstName ?? row.first_name,
      last_name: wanted.lastName ?? row.last_name,
      email: wanted.email === undefined ? row.email : wanted.email,
      phone: wanted.phone === undefined ? row.phone : wanted.phone,
    }
    const changed = await db
      .updateTable('staff')
      .set({
        ...person,
        branch_id: wanted.branchId,
        user_id: wanted.userId,
        title: wanted.title,
        is_active: wanted.isActive,
        version: row.version + 1,
        updated_at: tx.now,
        search_text: searchTextOf(person),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refusing(rules))
    after = toStaff(changed)
  }
  tx.audit({ entityType: 'staff', entityId: id, before, after })
  return after
}

/** @throws NotFound, StaffInUse */
export const deleteStaff = async (tx: Tx, id: string): Promise<void> => {
  const { db } = tx
  const row = await locked(db, db.selectFrom('staff').selectAll().where('id', '=', id)).executeTakeFirst()
  if (!row) throw NotFound()
  const before = toStaff(row)
  await db
    .deleteFrom('staff')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: StaffInUse }))
  tx.audit({ entityType: 'staff', entityId: id, before })
}
