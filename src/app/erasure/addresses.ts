import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { PersonKind } from '#app/person-file/kept.ts'

interface Person {
  id: string
  user_id: string | null
  email: string | null
  phone: string | null
}

const PEOPLE = ['student', 'guardian', 'staff'] as const

/** Whether nobody else has an address: families share them. */
const isAlone = async (
  whole: ScopedDb,
  kind: PersonKind,
  person: Person,
  column: 'email' | 'phone',
): Promise<boolean> => {
  const address = (person[column] as string).toLowerCase()
  for (const table of PEOPLE) {
    const having = whole
      .selectFrom(table as 'guardian')
      .select('id')
      .where(({ eb, fn }) => eb(fn<string>('lower', [column]), '=', address))
    const others = (await having.execute()).filter(({ id }) => table !== kind || id !== person.id)
    if (others.length > 0) return false
  }
  if (column === 'phone') return true
  const users = await whole.selectFrom('user').select('id').where('email_key', '=', address).execute()
  return users.every(({ id }) => id === person.user_id)
}

/** The addresses of a record that are of nobody else: what was written to the others stays. */
export const addressesAlone = async (
  whole: ScopedDb,
  kind: PersonKind,
  person: Person,
): Promise<Pick<Person, 'email' | 'phone'>> => {
  const alone = async (column: 'email' | 'phone') =>
    person[column] !== null && (await isAlone(whole, kind, person, column)) ? person[column] : null
  return { email: await alone('email'), phone: await alone('phone') }
}
