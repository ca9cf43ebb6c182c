import { forUpdate } from '#db/dialect.ts'
import { found } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { nextNumber } from '#modules/tenants/index.ts'
import type { Row } from '#runtime/records/records.ts'
import { NO_ACCOUNT } from '../account.ts'
import { unlinkAllGuardians } from '../links/service.ts'
import { sortNameOf } from '../person.ts'
import { countStudent, isInPlan } from '../students/count.ts'
import { replaceTags } from '../students/tags.ts'
import { WORDS } from './words/index.ts'

/** Takes a person out of their record, to which books and marks go on referring. */

/**
 * Locks a record that is to be erased: nothing that refers to it is added until the transaction ends. It may have been
 * erased before. @throws NotFound
 */
export const lockToErase = async <K extends 'student' | 'guardian'>(
  { db }: Tx,
  kind: K,
  id: string,
): Promise<Row<K>> => {
  const row =
    kind === 'student'
      ? await forUpdate(db, db.selectFrom('student').selectAll().where('id', '=', id)).executeTakeFirst()
      : await forUpdate(db, db.selectFrom('guardian').selectAll().where('id', '=', id)).executeTakeFirst()
  return found(row) as unknown as Row<K>
}

/** What stands in place of a name: a word and a number that nobody else has. No search finds it. */
export interface NoName {
  first_name: string
  last_name: string
}

/** @returns what replaces the name of a person */
export const takeNoName = async ({ tenant, whole }: Tx): Promise<NoName> => ({
  first_name: WORDS[tenant.defaultLocale].erased,
  last_name: String(await nextNumber(whole, 'erased')),
})

const EMPTY = { email: null, phone: null, national_id: null, address: null, user_id: NO_ACCOUNT, search_text: '' }

/**
 * Empties a locked student. Their links to guardians end, and a lead becomes withdrawn. Records student.updated, whose
 * former values are left out, and student.status_changed.
 */
export const emptyStudent = async (tx: Tx, row: Row<'student'>, name: NoName): Promise<void> => {
  const { id } = row
  await unlinkAllGuardians(tx, row)
  await replaceTags(tx, row, [])
  const status = row.status === 'graduated' ? 'graduated' : 'withdrawn'
  if (isInPlan(row)) await countStudent(tx, -1)
  await tx.whole
    .updateTable('student')
    .set((eb) => ({
      ...EMPTY,
      ...name,
      sort_name: sortNameOf(name),
      birth_date: null,
      gender: null,
      notes: null,
      tags: [],
      status,
      paused_from: null,
      paused_to: null,
      leaving_as: null,
      erased_at: tx.now,
      updated_at: tx.now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  const gone = ['email', 'phone', 'nationalId', 'birthDate', 'gender', 'address', 'notes', 'userId'] as const
  tx.emit('student.updated', {
    studentId: id,
    changes: {
      firstName: [null, name.first_name],
      lastName: [null, name.last_name],
      ...Object.fromEntries(gone.map((field) => [field, [null, null] as [null, null]])),
      tags: [null, []],
      erasedAt: [null, tx.now],
    },
  })
  if (status !== row.status) {
    tx.emit('student.status_changed', { studentId: id, previousStatus: row.status, status })
  }
}

/** Empties a locked guardian, whose links to students end. */
export const emptyGuardian = async (tx: Tx, { id }: Row<'guardian'>, name: NoName): Promise<void> => {
  await tx.whole.deleteFrom('guardian_link').where('guardian_id', '=', id).execute()
  await tx.whole
    .updateTable('guardian')
    .set({ ...EMPTY, ...name, sort_name: sortNameOf(name), erased_at: tx.now, updated_at: tx.now })
    .where('id', '=', id)
    .execute()
}
