import type { CastReturnObject } from 'csv-stringify'
import { BYTE_ORDER_MARK, csvLines } from '#runtime/records/csv.ts'
import type { Amount, Cell, Day, Moment, Table } from './cells.ts'

/** Amounts and dates are no formulas, also where they begin with a minus. */
const asIs = ({ text }: Amount | Day | Moment) => ({ value: text, escape_formulas: false }) as CastReturnObject

const toLines = (rows: readonly (readonly Cell[])[]): string =>
  csvLines(rows, { cast: { object: asIs as (cell: object) => CastReturnObject } })

/** A table as CSV. */
export async function* asCsv({ heads, pages }: Table): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK + toLines([heads]))
  for await (const rows of pages) yield Buffer.from(toLines(rows))
}
