import { parse } from 'csv-parse/sync'
import { MAX_COLUMNS, MAX_ROWS, SheetBuilder, UnreadableSheet, type Rows } from './sheet.ts'

const SEPARATORS = [',', ';', '\t'] as const

/** A title above the heads may have any of them. */
const LINES_LOOKED_AT = 30
const SAMPLE = 50_000

/** The one that stands in most of the first lines outside quotation marks, of several the one that stands there most often. */
const separatorOf = (text: string): string => {
  const bare = text.slice(0, SAMPLE).replaceAll(/"(?:[^"]|"")*"/g, '')
  const lines = bare.trimStart().split(/\r\n|\r|\n/, LINES_LOOKED_AT)
  const counted = SEPARATORS.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1)
    return {
      separator,
      lines: counts.filter((count) => count > 0).length,
      all: counts.reduce((sum, one) => sum + one, 0),
    }
  })
  return counted.reduce((best, one) =>
    one.lines > best.lines || (one.lines === best.lines && one.all > best.all) ? one : best,
  ).separator
}

/** The first line, by which Excel is told what stands between the cells. */
const TOLD_SEPARATOR = /^\s*"?sep=(.)"?[^\S\r\n]*(?=\r\n|\r|\n)/i

/** @throws UnreadableSheet */
export const readCsv = (whole: string): Rows => {
  const told = TOLD_SEPARATOR.exec(whole)
  // Its line stays, empty, so that the others keep their numbers.
  const text = told ? whole.slice(told[0].length) : whole
  const sheet = new SheetBuilder()
  try {
    let row = 0
    parse(text, {
      delimiter: told?.[1] ?? separatorOf(text),
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
