import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { PersonKind } from '#app/person-file/kept.ts'
import { walkPerson, type Row, type Way } from '#app/person-file/read.ts'
import { accountBehind } from './account.ts'
import { standsAgainst } from './against.ts'
import { GOES, STAYS } from './erasing.ts'
import type { Erasure, Papers } from './schemas.ts'

/** What the erasure of a person would do, and what stands in its way. */

const rowsIn = (ways: readonly Way[], table: string): Row[] =>
  ways.flatMap((way) => (way.table.table === table ? way.rows : []))

const counted = <What extends string>(ways: readonly Way[], tables: readonly What[]): { what: What; count: number }[] =>
  tables.map((what) => ({ what, count: rowsIn(ways, what).length })).filter(({ count }) => count > 0)

const receiptsOf = async (whole: ScopedDb, kind: PersonKind, ways: readonly Way[]): Promise<number> => {
  if (kind === 'guardian') return rowsIn(ways, 'receipt').length
  const ids = rowsIn(ways, 'invoice').map((row) => row['id'] as string)
  if (ids.length === 0) return 0
  const parts = whole.selectFrom('receipt_payment').select('receipt_id').distinct().where('invoice_id', 'in', ids)
  return (await parts.execute()).length
}

/** Papers that were handed out, with the name that they had. */
const papersOf = async (whole: ScopedDb, kind: PersonKind, ways: readonly Way[]): Promise<Papers> => {
  const counts = {
    invoice: rowsIn(ways, 'invoice').filter((row) => row['kept'] !== null).length,
    receipt: await receiptsOf(whole, kind, ways),
    credit_note: rowsIn(ways, 'credit_note').length,
    refund: rowsIn(ways, 'refund').length,
  }
  return (Object.keys(counts) as (keyof typeof counts)[])
    .map((what) => ({ what, count: counts[what] }))
    .filter(({ count }) => count > 0)
}

/** @throws NotFound */
export const planErasure = async (whole: ScopedDb, kind: PersonKind, id: string): Promise<Erasure> => {
  const { person, ways } = await walkPerson(whole, { kind, id })
  const { first_name: first, last_name: last, user_id: userId, erased_at: erasedAt } = person
  const account = await accountBehind(whole, kind, { id, user_id: userId as string | null })
  return {
    name: `${String(first)} ${String(last)}`.trim(),
    erasedAt: erasedAt as string | null,
    against: erasedAt === null ? await standsAgainst(whole, kind, id) : [],
    goes: counted(ways, GOES),
    stays: kind === 'student' ? counted(ways, STAYS) : [],
    papers: await papersOf(whole, kind, ways),
    account: account === undefined ? 'none' : account.isAlone ? 'erased' : 'taken_off',
  }
}
