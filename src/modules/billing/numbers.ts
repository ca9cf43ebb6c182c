import { fold } from '#shared/text.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Conditions } from '#runtime/records/lists.ts'

/** The year in which an institute may have issued its first invoice. */
const FIRST_YEAR = 2000

const DIGITS = 6

/** What the numbers of a kind of paper begin with. */
type Series = 'INV' | 'R' | 'CN' | 'RF' | 'D'

export const numberOf = (series: Series, year: number, serial: number): string =>
  padded(series, year, String(serial).padStart(DIGITS, '0'))

const padded = (series: Series, year: number, serial: string): string => `${series}-${year}-${serial}`

/** The papers that people look for by their number. */
export type FoundByNumber = 'INV' | 'R' | 'CN' | 'RF'

/** The beginning of a number, folded. */
const BEGUN: Record<FoundByNumber, RegExp> = {
  INV: /^(?:inv-?)?(2\d{3})(?:-(\d{0,6}))?$/,
  R: /^(?:r-?)?(2\d{3})(?:-(\d{0,6}))?$/,
  CN: /^(?:cn-?)?(2\d{3})(?:-(\d{0,6}))?$/,
  RF: /^(?:rf-?)?(2\d{3})(?:-(\d{0,6}))?$/,
}

interface NumberSearch {
  /** These numbers. */
  exact: string[]
  /** All from the first to the second, both inclusive. */
  range: [from: string, to: string] | undefined
}

/**
 * What may be meant by the beginning of a number (INV-2026-000123, with or without INV), or by its last part without
 * zeros. Looking for whole numbers needs no index but the one that keeps them unique.
 */
export const numbersMeant = (typed: string, thisYear: number, series: FoundByNumber = 'INV'): NumberSearch => {
  const query = fold(typed).replaceAll(' ', '')
  const exact: string[] = []
  if (/^\d{1,6}$/.test(query)) {
    for (let year = thisYear + 1; year >= FIRST_YEAR; year -= 1) {
      exact.push(padded(series, year, query.padStart(DIGITS, '0')))
    }
  }
  const begun = BEGUN[series].exec(query)
  if (!begun) return { exact, range: undefined }
  const [year, serial = ''] = [Number(begun[1]), begun[2]]
  const [from, to] = [serial.padEnd(DIGITS, '0'), serial.padEnd(DIGITS, '9')]
  return { exact, range: [padded(series, year, from), padded(series, year, to)] }
}

/** No number lies in it. */
const EMPTY_RANGE: readonly [string, string] = ['1', '0']

/** What was typed into a list: numbers, or words of a person. */
export const meantBy = (
  q: string | undefined,
  thisYear: number,
  series: 'INV' | 'R' = 'INV',
): { q?: string; numbers?: string[] } => {
  if (q === undefined) return {}
  const { exact, range } = numbersMeant(q, thisYear, series)
  if (exact.length === 0 && !range) return { q }
  const [from, to] = range ?? EMPTY_RANGE
  // The values of a filter are distinct.
  return { numbers: from === to ? [...exact, from, ...EMPTY_RANGE] : [...exact, from, to] }
}

/** The filter for what `meantBy` found: whole numbers, and at the end the first and the last of a range. */
export const numberFilter =
  (column: 'invoice.number' | 'receipt.number') => (eb: Conditions, numbers: readonly string[]) =>
    eb.or([
      ...(numbers.length > 2 ? [eb(column, 'in', numbers.slice(0, -2))] : []),
      eb.between(column, numbers.at(-2) as string, numbers.at(-1) as string),
    ])

/** The numbers of invoices by their ids; drafts have none yet. */
export const invoiceNumbers = async (db: ScopedDb, ids: readonly string[]): Promise<{ id: string; name: string }[]> => {
  const rows = await db.selectFrom('invoice').select(['id', 'number']).where('id', 'in', ids).execute()
  return rows.map(({ id, number }) => ({ id, name: number ?? '' }))
}
