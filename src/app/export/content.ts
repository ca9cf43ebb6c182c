import type { Row } from '#db/copies/tenant-snapshot.ts'
import { BYTE_ORDER_MARK, csvLines } from '#runtime/records/csv.ts'

/** The two ways in which an export writes the rows of a table. Both yield UTF-8 text, a page of rows at a time. */

/** A table as CSV. Every text is in quotes, so that an empty text and an empty cell (null) differ. */
export async function* asCsv(columns: readonly string[], pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  const toLines = (rows: readonly unknown[][]): string =>
    csvLines(rows, { quoted_string: true, cast: { boolean: String } })
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
