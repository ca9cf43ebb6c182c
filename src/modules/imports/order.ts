import type { RowReader } from './rows.ts'
import type { Table, TableRow } from './table.ts'

const LOOKED_AT = 500

/** The rows that stand from one place to another, counted from 0. */
const placesFrom = (start: number, count: number): number[] => Array.from({ length: count }, (_, at) => start + at)

/**
 * The order in which rows are written: those that belong together follow the first of them, and all else stays as it is
 * in the file. It follows from the file alone, so that an import that is resumed goes on where it was.
 */
export interface RowOrder {
  /** The places of the rows in the table. */
  places: readonly number[]
  /** Whether a row belongs to the one before it. */
  isTogether(position: number): boolean
}

export const orderOf = async (
  table: Pick<Table, 'count' | 'rows'>,
  textOf: (row: TableRow, reader: RowReader) => string,
  reader: RowReader,
): Promise<RowOrder> => {
  const firstWith = new Map<string, number>()
  const leaders: number[] = []
  for (let start = 0; start < table.count; start += LOOKED_AT) {
    const rows = await table.rows(placesFrom(start, Math.min(LOOKED_AT, table.count - start)))
    for (const [at, row] of rows.entries()) {
      const place = start + at
      const text = textOf(row, reader)
      const leader = text === '' ? place : (firstWith.get(text) ?? place)
      if (text !== '') firstWith.set(text, leader)
      leaders.push(leader)
    }
  }
  const places = placesFrom(0, table.count).toSorted((a, b) => (leaders[a] as number) - (leaders[b] as number) || a - b)
  return {
    places,
    isTogether: (position) => {
      const [before, here] = [places[position - 1], places[position]]
      return before !== undefined && here !== undefined && leaders[before] === leaders[here]
    },
  }
}
