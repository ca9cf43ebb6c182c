import { isDeepStrictEqual } from 'node:util'
import { compiledInTenant } from '#db/compiled.ts'
import { keptInPlace } from '#db/dialect.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import { searchedPhone } from '#kernel/phone.ts'
import { fold } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'

/** What students, guardians and staff have in common. */

export const UserTaken = failure('CONFLICT', 'user_taken', 'This user already stands behind another such record.')

/** The text in which a person is searched: name, number, phone and email. */
export const searchTextOf = (person: {
  first_name: string
  last_name: string
  student_number?: string
  phone: string | null
  email: string | null
}): string =>
  fold(
    [
      person.first_name,
      person.last_name,
      person.student_number ?? '',
      person.phone === null ? '' : searchedPhone(person.phone),
      person.email ?? '',
    ].join(' '),
  )

const branchById = compiledInTenant((db, { id }: { id: string }) =>
  keptInPlace(db, db.selectFrom('branch').select('id').where('id', '=', id)),
)

/** For a record that will name the branch. @throws NotFound for one that the caller does not reach */
export const checkBranch = async ({ db }: Tx, branchId: string): Promise<void> => {
  const [branch] = await branchById(db, { id: branchId })
  if (!branch) throw NotFound()
}

/** @throws NotFound for a user who is no member of the institute, whatever the membership's status */
export const checkMember = async ({ whole }: Tx, userId: string): Promise<void> => {
  const member = await whole.selectFrom('membership').select('id').where('user_id', '=', userId).executeTakeFirst()
  if (!member) throw NotFound()
}

/** field → [old, new] */
export type Changes = Record<string, [unknown, unknown]>

/** What `wanted` would change in a record; a field that is undefined or the same is left out. */
export const changesBetween = (before: object, wanted: object): Changes =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([field, value]): [string, [unknown, unknown]][] => {
      const old: unknown = (before as Record<string, unknown>)[field]
      return value === undefined || isDeepStrictEqual(old, value) ? [] : [[field, [old, value]]]
    }),
  )

export const isEmpty = (changes: Changes): boolean => Object.keys(changes).length === 0
