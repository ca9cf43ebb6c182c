import type { Reason } from './complaints.ts'

/** A row as a file has it. */
export interface TableRow {
  line: number
  cells: readonly string[]
}

/** The table of a file, of which only the rows that are asked for are in memory here. */
export interface Table {
  heads: readonly string[]
  /** How many rows there are below the heads. */
  count: number
  /** @param places from 0 */
  rows(places: readonly number[]): Promise<TableRow[]>
  close(): Promise<void>
}

/** Reads a file that may be hostile. @throws only when the signal aborts it */
export type OpenTable = (
  bytes: Uint8Array,
  how: { isWorkbook: boolean; signal: AbortSignal },
) => Promise<Table | { problem: Reason }>
