import { withoutBrackets } from '#shared/student-heads.ts'
import type { Table, TableRow } from '#ports/tables/port.ts'
import { RowRefused, type Complaint } from './complaints.ts'
import { fieldOfHead, fieldsOf, isLoose } from './fields.ts'
import { guardianOf, type GuardianSlot } from './guardian-fields.ts'
import type { ImportKind, Mapping } from './tables.ts'
import { isNothing, orderInCell, valueIn, type DateOrder, type CellContext } from './values.ts'

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

/** What a column without a name of its own holds beside that of a guardian: `Mother`, `Phone`, `Father`, `Phone`. */
const BESIDE_GUARDIAN: Readonly<Record<string, string>> = { phone: 'Phone', email: 'Email' }

/** Matches columns by their heads; where two are of one field, the first counts whose head means nothing else. */
export const matchColumns = (kind: ImportKind, columns: readonly string[]): Mapping => {
  const known = columns.map((column) => fieldOfHead(kind, column))
  const exact = known.map((field, at) =>
    isLoose(kind, columns[at] as string) &&
    known.some((other, place) => other === field && !isLoose(kind, columns[place] as string))
      ? undefined
      : field,
  )
  // Beside `Phone 1`, `Phone 1 (Type)` is no phone.
  const fields = columns.map((column, at) => {
    const loose = exact[at] ?? fieldOfHead(kind, withoutBrackets(column))
    return exact[at] === undefined && exact.includes(loose) ? undefined : loose
  })
  const mapping: Record<string, string> = {}
  const taken = new Set<string>()
  let beside: GuardianSlot | undefined
  for (const [at, column] of columns.entries()) {
    const said = fields[at]
    const part = said === undefined ? undefined : BESIDE_GUARDIAN[said]
    if (part === undefined) beside = said === undefined ? undefined : guardianOf(said)
    const ofGuardian = part !== undefined && beside !== undefined ? beside + part : undefined
    const field = ofGuardian !== undefined && !fields.includes(ofGuardian) ? ofGuardian : said
    if (field === undefined || taken.has(field)) continue
    mapping[column] = field
    taken.add(field)
  }
  return mapping
}

/** So many known heads tell a row of heads from a title above it. */
const FEWEST_HEADS = 2

/**
 * The place of the row with the heads: the first with at least two that are known, else the first of all.
 * @param named the columns that whoever asked has given a field
 */
export const headsAt = (kind: ImportKind, top: readonly TableRow[], named: Mapping | null): number => {
  const isHead = (cell: string): boolean =>
    fieldOfHead(kind, withoutBrackets(cell)) !== undefined || Object.hasOwn(named ?? {}, cell)
  const at = top.findIndex(({ cells }) => cells.filter(isHead).length >= FEWEST_HEADS)
  return Math.max(0, at)
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
  /** What stands in a row, by the names of fields. */
  textsOf(row: TableRow): Readonly<Record<string, string>>
  has(field: string): boolean
  /** The first field by which a row says of whom it is; null: it says nothing of that. */
  whoseField(row: TableRow): string | null
}

/** By what a row says of whom it is. */
const WHOSE = ['studentNumber', 'nationalId', 'fullName', 'firstName', 'lastName', 'phone', 'email', 'birthDate']

interface Columns {
  columns: readonly string[]
  mapping: Mapping
}

/** The columns that are read. */
const heldIn = (kind: ImportKind, { columns, mapping }: Columns) => {
  const types = new Map(fieldsOf(kind).map(({ name, type }) => [name, type]))
  return columns.flatMap((column, at) => {
    const field = mapping[column]
    const type = field === undefined ? undefined : types.get(field)
    return field === undefined || type === undefined ? [] : [{ column, at, field, type }]
  })
}

/** The order of the dates of each column that holds some, by the place of the column. */
export type DateOrders = ReadonlyMap<number, DateOrder>

const LOOKED_AT = 100

/** One order of dates for a column: what any of its rows proves, else the day first. */
export const dateOrdersOf = async (
  kind: ImportKind,
  columns: Columns,
  table: Pick<Table, 'count' | 'rows'>,
): Promise<DateOrders> => {
  const ofDates = heldIn(kind, columns).filter(({ type }) => type === 'date' || type === 'birthDate')
  const orders = new Map<number, DateOrder>()
  for (let start = 0; ofDates.length > 0 && start < table.count; start += LOOKED_AT) {
    const places = Array.from({ length: Math.min(LOOKED_AT, table.count - start) }, (_, at) => start + at)
    for (const { cells } of await table.rows(places)) {
      for (const { at } of ofDates) {
        const order = orderInCell(cells[at] ?? '')
        if (order === undefined || order === 'either') continue
        const before = orders.get(at) ?? order
        orders.set(at, before === order ? order : 'both')
      }
    }
  }
  return orders
}

export const rowReader = (kind: ImportKind, columns: Columns, context: CellContext, orders: DateOrders): RowReader => {
  const held = heldIn(kind, columns)
  const byField = new Map(held.map((one) => [one.field, one]))
  const textOf = (row: TableRow, field: string): string => row.cells[byField.get(field)?.at ?? -1] ?? ''
  return {
    read: (row) => {
      const values: Record<string, unknown> = {}
      const complaints: Complaint[] = []
      for (const { column, at, field, type } of held) {
        if (row.unsolved?.includes(at)) {
          complaints.push({ row: row.line, column, field, value: null, reason: 'formula_without_value' })
          continue
        }
        const text = row.cells[at] ?? ''
        if (text === '' || isNothing(type, text)) continue
        try {
          values[field] = valueIn(type, text, context, orders.get(at) ?? 'day')
        } catch (error) {
          if (!(error instanceof RowRefused)) throw error
          complaints.push({ row: row.line, column, field, value: text.slice(0, SHOWN), reason: error.reason })
        }
      }
      return { values, complaints }
    },
    columnOf: (field) => (field === null ? null : (byField.get(field)?.column ?? null)),
    textOf,
    textsOf: (row) => Object.fromEntries(held.map(({ field }) => [field, textOf(row, field)])),
    has: (field) => byField.has(field),
    whoseField: (row) => WHOSE.find((field) => textOf(row, field) !== '') ?? null,
  }
}
