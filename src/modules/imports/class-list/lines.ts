import { isCheckedIdentity } from '#shared/identity-number.ts'
import { withoutBrackets } from '#shared/student-heads.ts'
import { plainDigits } from '#shared/typed.ts'
import { fieldOfHead } from '../fields.ts'
import { columnNames, dateOrdersOf, matchColumns, rowReader, type RowReader } from '../rows.ts'
import type { TableRow } from '#ports/tables/port.ts'
import type { CellContext } from '../values.ts'

/** What a line says of which no head tells what its columns hold. */
const FIELDS = ['studentNumber', 'nationalId', 'phone', 'email', 'fullName', 'firstName', 'lastName'] as const
type Field = (typeof FIELDS)[number]

/** What counts the rows of a list, or marks them; a date begins otherwise. */
const MARK = /^(?:\d{1,2}[.)](?!\d)\s*|[-\u2013\u2022*]\s+)/

const cellsOf = (line: string): string[] =>
  line.split(line.includes('\t') ? '\t' : /[;,|\u060C\u061B]/).map((cell) => plainDigits(cell).trim().replace(MARK, ''))

/** A number that only counts the rows is left out. */
const isSaid = (cell: string): boolean => cell !== '' && !/^\d{1,2}[.)]?$/.test(cell)

const isNumber = (cell: string): boolean => /^(?:[A-Za-z]{1,5}-?\d+|\d{3,6})$/.test(cell)

/** Phones begin with + or a zero, which a spreadsheet takes away from those of mobiles. What begins otherwise is none. */
const isPhone = (cell: string): boolean =>
  /^[+\d][\d\s().-]{6,}$/.test(cell) && /^(?:\+|0|[57]\d{8}$)/.test(cell.replaceAll(/[\s().-]/g, ''))

/** An identity number, in which a hyphen may stand before the digit that checks the others. */
const isIdentity = (cell: string): boolean => {
  const digits = cell.replace(/-(?=\d$)/, '')
  return /^\d{7,9}$/.test(digits) && (!isPhone(cell) || isCheckedIdentity(digits.padStart(9, '0')))
}

const isMail = (cell: string): boolean => cell.includes('@')

/** What a line says by how its cells look. */
const saidBy = (cells: readonly string[]): Partial<Record<Field, string>> => {
  const [first, second] = cells.filter((cell) => /\p{L}/u.test(cell) && !isNumber(cell) && !isMail(cell))
  const isWhole = first === undefined || second === undefined || /\s/.test(first)
  const said: Partial<Record<Field, string | undefined>> = {
    studentNumber: cells.find(isNumber),
    nationalId: cells.find(isIdentity),
    phone: cells.find((cell) => isPhone(cell) && !isIdentity(cell)),
    email: cells.find(isMail),
    ...(isWhole ? { fullName: first } : { firstName: first, lastName: second }),
  }
  return said as Partial<Record<Field, string>>
}

/** Whether the first line has heads: no other way tells a last name that comes first. */
const isHeads = (cells: readonly string[]): boolean => {
  const known = cells.filter((cell) => fieldOfHead('students', withoutBrackets(cell)) !== undefined)
  return known.length > 1 || (known.length === 1 && cells.length === 1)
}

export interface PastedLine {
  /** As people count the lines of what they pasted. */
  line: number
  /** What stands there, without what only counts the rows. */
  text: string
  row: TableRow
}

/** The lines of a list that was pasted, each once, with how they are read as rows of an import are. */
export const linesOf = async (
  pasted: string,
  context: CellContext,
): Promise<{ lines: PastedLine[]; reader: RowReader }> => {
  const all = pasted.split(/\r?\n/).map((text, at) => ({ line: at + 1, cells: cellsOf(text) }))
  const firstAt = all.findIndex(({ cells }) => cells.some(isSaid))
  const first = all[firstAt]
  const heads = first && isHeads(first.cells) ? columnNames(first.cells) : undefined
  const lines = all.slice(heads ? firstAt + 1 : 0).map(({ line, cells }): PastedLine => {
    const said = cells.filter(isSaid)
    const bySight = saidBy(said)
    return {
      line,
      text: said.join(' '),
      row: { line, cells: heads ? cells : FIELDS.map((field) => bySight[field] ?? '') },
    }
  })
  const once = [...new Map(lines.toReversed().map((one) => [one.text, one])).values()]
    .filter(({ text }) => text !== '')
    .toSorted((one, other) => one.line - other.line)
  const columns = heads
    ? { columns: heads, mapping: matchColumns('students', heads) }
    : { columns: [...FIELDS], mapping: Object.fromEntries(FIELDS.map((field) => [field, field])) }
  const rows = once.map(({ row }) => row)
  const table = {
    count: rows.length,
    rows: async (places: readonly number[]) => places.flatMap((at) => rows[at] ?? []),
  }
  const orders = await dateOrdersOf('students', columns, table)
  return { lines: once, reader: rowReader('students', columns, context, orders) }
}
