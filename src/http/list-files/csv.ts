import type { CastReturnObject } from 'csv-stringify'
import { stringify } from 'csv-stringify/sync'
import type { Amount, Cell, Day, Moment, Table } from './cells.ts'

const BYTE_ORDER_MARK = '\uFEFF'

/** Amounts and dates are no formulas, also where they begin with a minus. */
const asIs = ({ text }: Amount | Day | Moment) => ({ value: text, escape_formulas: false }) as CastReturnObject

const toLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(rows as Cell[][], {
    record_delimiter: 'windows',
    escape_formulas: true,
    // Of itself it looks for the two together.
    quoted_match: /[\r\n]/,
    cast: { boolean: String, object: asIs as (cell: object) => CastReturnObject },
  })

/**
 * A table as CSV by RFC 4180, with a byte order mark: without it, spreadsheet programs take Arabic and Hebrew for another
 * encoding. A text that a spreadsheet program would take for a formula gets an apostrophe in front.
 */
export async function* asCsv({ heads, pages }: Table): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK + toLines([heads]))
  for await (const rows of pages) yield Buffer.from(toLines(rows))
}
