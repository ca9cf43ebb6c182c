import type { ScopedDb } from '#kernel/contract/tables.ts'
import { decimal } from '#kernel/values/money.ts'
import { BYTE_ORDER_MARK, csvLines } from '#runtime/records/csv.ts'
import type { Entry, Journal } from './journal.ts'
import { namesOfAccounts } from './names.ts'
import { inTurns } from '#kernel/basics/turns.ts'
import type { BookkeepingWords } from './words/index.ts'

const COLUMNS = ['date', 'kind', 'number', 'account', 'accountName', 'debit', 'credit', 'branch'] as const

const LINES_AT_ONCE = 500

/** The journal as CSV: what was on each account before, and a row for each account that an entry debits or credits. */
export const journalCsv = async (
  { whole, words, from }: { whole: ScopedDb; words: BookkeepingWords; from: string },
  { entries, opening, accounts }: Journal,
): Promise<Buffer> => {
  const names = await namesOfAccounts(whole, accounts, words)
  const branches = await whole.selectFrom('branch').select(['id', 'name']).execute()
  const branchNames = new Map(branches.map(({ id, name }) => [id, name]))
  const rowOf =
    ({ date, kind, number, branch }: Record<'date' | 'kind' | 'number' | 'branch', string>) =>
    (account: string, amount: number): string[] => [
      date,
      kind,
      number,
      account,
      names.get(account)?.name ?? '',
      amount > 0 ? decimal(amount) : '',
      amount < 0 ? decimal(-amount) : '',
      branch,
    ]
  const rowsOf = ({ date, kind, number, branchId, postings }: Entry): string[][] => {
    const row = rowOf({ date, kind: words.kinds[kind], number, branch: branchNames.get(branchId) ?? '' })
    return postings.map(({ account, amountMinor }) => row(account, amountMinor))
  }
  const brought = rowOf({ date: from, kind: words.kinds.opening, number: '', branch: '' })
  const openings = [...accounts.keys()]
    .filter((account) => (opening.get(account) ?? 0) !== 0)
    .map((account) => brought(account, opening.get(account) as number))
  const parts = [BYTE_ORDER_MARK + csvLines([COLUMNS.map((column) => words.heads[column]), ...openings])]
  let rows: string[][] = []
  for await (const entry of inTurns(entries)) {
    rows.push(...rowsOf(entry))
    if (rows.length < LINES_AT_ONCE) continue
    parts.push(csvLines(rows))
    rows = []
  }
  return Buffer.from(parts.join('') + csvLines(rows))
}
