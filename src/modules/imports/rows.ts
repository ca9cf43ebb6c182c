import type { TableRow } from '#ports/tables/port.ts'
import { RowRefused, type Complaint } from './complaints.ts'
import { fieldsOf, headKey, headsOf } from './fields.ts'
import type { ImportKind, Mapping } from './tables.ts'
import { valueIn, type Place } from './values.ts'

/** What a row says, by the names of fields; empty cells say nothing. */
export type Values = Readonly<Record<string, unknown>>

/** The heads of the columns, each once: a second `Phone` is `Phone (2)`, and a column without a head `(3)`. */
export const columnNames = (heads: readonly string[]): string[] => {
  const taken = new Set<string>()
  return heads.map((head, at) => {
    let name = head === '' ? `(${at + 1})` : head.slice(0, 200)
    for (let nth = 2; taken.has(name); nth += 1) name = `${head.slice(0, 200)} (${nth})`
    taken.add(name)
    return name
  })
}

/** Matches columns by their heads; where two are of one field, the first counts. */
export const matchColumns = (kind: ImportKind, columns: readonly string[]): Mapping => {
  const known = headsOf(kind)
  const mapping: Record<string, string> = {}
  const taken = new Set<string>()
  for (const column of columns) {
    const name = known.get(headKey(column))
    if (name === undefined || taken.has(name)) continue
    mapping[column] = name
    taken.add(name)
  }
  return mapping
}

/** What a complaint shows of a value. */
const SHOWN = 100

export interface RowReader {
  /** The values of a row, and what is wrong with its cells. */
  read(row: TableRow): { values: Values; complaints: Complaint[] }
  /** The head of the column that holds a field; null: none does. */
  columnOf(field: string | null): string | null
  /** What stands in the column of a field. */
  textOf(row: TableRow, field: string): string
  has(field: string): boolean
}

export const rowReader = (
  kind: ImportKind,
  { columns, mapping }: { columns: readonly string[]; mapping: Mapping },
  place: Place,
): RowReader => {
  const types = new Map(fieldsOf(kind).map(({ name, type }) => [name, type]))
  const held = columns.flatMap((column, at) => {
    const field = mapping[column]
    const type = field === undefined ? undefined : types.get(field)
    return field === undefined || type === undefined ? [] : [{ column, at, field, type }]
  })
  const byField = new Map(held.map((one) => [one.field, one]))
  return {
    read: (row) => {
      const values: Record<string, unknown> = {}
      const complaints: Complaint[] = []
      for (const { column, at, field, type } of held) {
        if (row.unsolved?.includes(at)) {
          complaints.push({ row: row.line, column, value: null, reason: 'formula_without_value' })
          continue
        }
        const text = row.cells[at] ?? ''
        if (text === '') continue
        try {
          values[field] = valueIn(type, text, place)
        } catch (error) {
          if (!(error instanceof RowRefused)) throw error
          complaints.push({ row: row.line, column, value: text.slice(0, SHOWN), reason: error.reason })
        }
      }
      return { values, complaints }
    },
    columnOf: (field) => (field === null ? null : (byField.get(field)?.column ?? null)),
    textOf: (row, field) => row.cells[byField.get(field)?.at ?? -1] ?? '',
    has: (field) => byField.has(field),
  }
}
