import type { Readable } from 'node:stream'

/** A row as a file has it. */
export interface TableRow {
  /** The number of the row in the file, as spreadsheet programs count. */
  line: number
  cells: readonly string[]
  /** The places of cells with a formula of which the file does not hold the result. */
  unsolved?: readonly number[]
}

/** The table of a file, of which only the rows that are asked for are in memory here. */
export interface Table {
  heads: readonly string[]
  /** How many rows there are below the heads, without the totals. */
  count: number
  /** The first rows that were taken for totals: after an empty row, with one cell at the most or called so. */
  totals: readonly TableRow[]
  /** @param places from 0 */
  rows(places: readonly number[]): Promise<TableRow[]>
  close(): Promise<void>
}

/** Why a file cannot be read as a table. */
export type TableProblem =
  | 'not_a_table'
  | 'old_workbook'
  | 'empty_file'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'too_large'
  | 'formula_without_value'

/** The process that reads a file has ended: the file may be what ended it. */
export class ReaderEnded extends Error {
  constructor(by: string) {
    super(`the process that reads a file ended (${by})`)
    this.name = 'ReaderEnded'
  }
}

/**
 * Reads a file that may be hostile, as it comes. Its first bytes say of what format it is, whatever it is called. Its rows,
 * too, are read by what may end.
 * @throws ReaderEnded, what the stream throws, and an Error when the signal aborts it
 */
export type OpenTable = (
  file: Readable,
  how: {
    /** The place, among the first rows that have something in them, of the one with the heads. */
    headsAt: (top: readonly TableRow[]) => number
    signal: AbortSignal
  },
) => Promise<Table | { problem: TableProblem }>
