import { parse } from 'csv-parse/sync'
import { MAX_COLUMNS, MAX_ROWS, SheetBuilder, UnreadableSheet, type Sheet } from './sheet.ts'
import { textOf } from './text-of.ts'

const SEPARATORS = [',', ';', '\t'] as const

/** The one that stands most often in the first line outside quotation marks. */
const separatorOf = (text: string): string => {
  const [line = ''] = text.trimStart().split(/\r\n|\r|\n/, 1)
  const bare = line.replaceAll(/"(?:[^"]|"")*"/g, '')
  const counted = SEPARATORS.map((separator) => ({ separator, count: bare.split(separator).length }))
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).separator
}

/** @throws UnreadableSheet */
export const readCsv = (bytes: Uint8Array): Sheet => {
  const text = textOf(bytes)
  if (text === undefined) throw new UnreadableSheet('not_a_table')
  const sheet = new SheetBuilder()
  try {
    let row = 0
    parse(text, {
      delimiter: separatorOf(text),
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: 1_000_000,
      on_record: (cells: string[]) => {
        row += 1
        if (cells.length > MAX_COLUMNS * 2) throw new UnreadableSheet('too_many_columns')
        if (row > MAX_ROWS * 2) throw new UnreadableSheet('too_many_rows')
        sheet.add(row, cells)
        return null
      },
    })
  } catch (error) {
    throw error instanceof UnreadableSheet ? error : new UnreadableSheet('not_a_table')
  }
  return sheet.build()
}
