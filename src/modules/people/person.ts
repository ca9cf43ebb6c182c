import { failure, found } from '#kernel/errors.ts'
import { searchedPhone } from '#kernel/phone.ts'
import { fold } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'

/** Shared by students, guardians and staff. */

export const UserTaken = failure('CONFLICT', 'user_taken', 'This user already stands behind another such record.')

interface Named {
  first_name: string
  last_name: string
}

export const fullName = (row: Named): string => `${row.first_name} ${row.last_name}`

/** The text in which a search looks for a person: name, number, phone and email. */
export const searchTextOf = (
  person: Named & { student_number?: string; phone?: string | null; email?: string | null },
): string =>
  fold(
    [
      person.first_name,
      person.last_name,
      person.student_number ?? '',
      person.phone ? searchedPhone(person.phone) : '',
      person.email ?? '',
    ].join(' '),
  )

/** @throws NotFound for a user who is not a member of the institute; a membership of any status counts */
export const checkMember = async ({ whole }: Tx, userId: string): Promise<void> => {
  found(await whole.selectFrom('membership').select('id').where('user_id', '=', userId).executeTakeFirst())
}
