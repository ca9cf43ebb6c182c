import { compiledByIds } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Address } from '#kernel/values/schema.ts'
import { fullName } from '#modules/people/index.ts'
import type { AccountOf } from './accounts.ts'
import type { BookkeepingWords } from './words/index.ts'

const guardiansById = compiledByIds((whole, ids) =>
  whole
    .selectFrom('guardian')
    .select(['id', 'first_name', 'last_name', 'national_id', 'address'])
    .where('id', 'in', ids),
)

const studentsById = compiledByIds((whole, ids) =>
  whole
    .selectFrom('student')
    .select(['id', 'first_name', 'last_name', 'national_id', 'address'])
    .where('id', 'in', ids),
)

const coursesById = compiledByIds((whole, ids) =>
  whole.selectFrom('course').select(['id', 'name']).where('id', 'in', ids),
)

export interface AccountName {
  name: string
  /** Of a payer: the number by which the state knows them; null: none is recorded. */
  nationalId: string | null
  address: Address | null
}

const AT_ONCE = 500

const rowsOf = async <Row extends { id: string }>(
  ids: Iterable<string>,
  read: (ids: string[]) => Promise<Row[]>,
): Promise<ReadonlyMap<string, Row>> => {
  const all = [...new Set(ids)]
  const rows: Row[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) rows.push(...(await read(all.slice(at, at + AT_ONCE))))
  return new Map(rows.map((row) => [row.id, row]))
}

/** What the accounts are called, by their keys; payers by their names of today. */
export const namesOfAccounts = async (
  whole: ScopedDb,
  accounts: ReadonlyMap<string, AccountOf>,
  words: BookkeepingWords,
): Promise<ReadonlyMap<string, AccountName>> => {
  const all = [...accounts.values()]
  const payers = all.flatMap((account) => (account.kind === 'payer' ? [account.holder] : []))
  const guardians = await rowsOf(
    payers.flatMap(({ guardianId }) => guardianId ?? []),
    (ids) => guardiansById(whole, ids),
  )
  const students = await rowsOf(
    payers.flatMap(({ guardianId, studentId }) => (guardianId === null ? (studentId ?? []) : [])),
    (ids) => studentsById(whole, ids),
  )
  const courses = await rowsOf(
    all.flatMap((account) => (account.kind === 'income' ? (account.courseId ?? []) : [])),
    (ids) => coursesById(whole, ids),
  )
  const named = (account: AccountOf): AccountName => {
    const nobody = { nationalId: null, address: null }
    if (account.kind === 'opening') return { ...nobody, name: words.accounts.opening }
    if (account.kind === 'tax') return { ...nobody, name: words.accounts.tax }
    if (account.kind === 'money') return { ...nobody, name: words.accounts[account.method] }
    if (account.kind === 'income') {
      const course = courses.get(account.courseId ?? '')
      return { ...nobody, name: course ? words.incomeOf(course.name) : words.accounts.income }
    }
    const { guardianId, studentId } = account.holder
    const row = guardianId === null ? students.get(studentId ?? '') : guardians.get(guardianId)
    return row
      ? { name: fullName(row), nationalId: row.national_id, address: row.address }
      : { ...nobody, name: words.unknown }
  }
  return new Map([...accounts].map(([key, account]) => [key, named(account)]))
}
