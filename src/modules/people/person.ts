import { searchedText, sortedName } from '#shared/names.ts'
import { searchedPhone } from '#kernel/values/phone.ts'

/** Shared by students, guardians and staff. */

interface Named {
  first_name: string
  last_name: string
}

/** Staff whose account has a name of one word have no last name. */
export const fullName = (row: Named): string => `${row.first_name} ${row.last_name}`.trimEnd()

/** By what people are sorted. */
export const sortNameOf = (row: Named): string => sortedName(row.first_name, row.last_name)

/** The text in which a search looks for a person: name, number, phone and email. */
export const searchTextOf = (
  person: Named & { student_number?: string; phone?: string | null; email?: string | null },
): string =>
  searchedText(
    `${person.first_name} ${person.last_name}`,
    person.student_number ?? '',
    person.phone ? searchedPhone(person.phone) : '',
    person.email ?? '',
  )
