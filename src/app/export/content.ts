import { stringify } from 'csv-stringify/sync'
import type { Row } from '#db/tenant-snapshot.ts'

/** The two ways in which an export writes the rows of a table. Both yield UTF-8 text, a page of rows at a time. */

const BYTE_ORDER_MARK = '\uFEFF'

/**
 * A table as CSV by RFC 4180, with a byte order mark: without it, spreadsheet programs take Arabic and Hebrew for
 * another encoding. Every text is in quotes, so that an empty text and an empty cell (null) differ. A text that a
 * spreadsheet program would take for a formula gets an apostrophe in front.
 */
export async function* asCsv(columns: readonly string[], pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  const toLines = (rows: readonly unknown[][]): string =>
    stringify(rows as unknown[][], {
      record_delimiter: 'windows',
      quoted_string: true,
      escape_formulas: true,
      cast: { boolean: String },
    })
  yield BYTE_ORDER_MARK + toLines([[...columns]])
  for await (const rows of pages) yield toLines(rows.map((row) => columns.map((column) => row[column])))
}

/** A table as a JSON array with a record on each line, so that it can also be read line by line. */
export async function* asJson(columns: readonly string[], pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of pages) {
    const lines = rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]]))))
    yield separator + lines.join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
