import { isCheckedIdentity } from '../../../shared/identity-number.ts'
import {
  headKey,
  headsOfStudent,
  STUDENT_HEADS,
  withoutBrackets,
  type StudentColumn,
} from '../../../shared/student-heads.ts'
import { plainDigits } from '../../../shared/typed.ts'

/** As many as are enrolled at once. */
export const MOST_LINES = 200

/** Somebody whom nobody knows yet, as a line names them. */
export interface NewPerson {
  firstName: string
  lastName: string
  nationalId: string | null
  phone: string | null
}

/** What a search is asked: by the identity number, or by words. */
export type Question = { nationalId: string } | { q: string; isNumber?: true }

export interface PastedLine {
  /** The line as it was pasted, without what only counts the rows. */
  line: string
  /** What tells who is meant, the surest first: once one of them finds somebody, the others are not asked. */
  questions: readonly Question[]
  /** Who it may be, if nobody known is meant; undefined: there is no first and last name in it. */
  person: NewPerson | undefined
}

/** What a line says, by the columns that lists of students have. */
type Said = Partial<Record<StudentColumn, string>>

const cellsOf = (line: string): string[] =>
  line.split(line.includes('\t') ? '\t' : /[;,|]/).map((cell) =>
    plainDigits(cell)
      .trim()
      .replace(/^(?:\d{1,2}[.)]\s*|[-–•*]\s+)/, ''),
  )

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

/** What a line says of which nothing tells what its columns hold, but how it looks. */
const saidBy = (cells: readonly string[]): Said => {
  const of = (column: StudentColumn, cell: string | undefined): Said => (cell === undefined ? {} : { [column]: cell })
  const [first, second] = cells.filter((cell) => /\p{L}/u.test(cell) && !isNumber(cell) && !cell.includes('@'))
  const isWhole = first === undefined || second === undefined || /\s/.test(first)
  return {
    ...of('studentNumber', cells.find(isNumber)),
    ...of('nationalId', cells.find(isIdentity)),
    ...of(
      'phone',
      cells.find((cell) => isPhone(cell) && !isIdentity(cell)),
    ),
    ...(isWhole ? of('fullName', first) : { ...of('firstName', first), ...of('lastName', second) }),
  }
}

const COLUMNS: ReadonlyMap<string, StudentColumn> = new Map(
  (Object.entries(STUDENT_HEADS) as [StudentColumn, readonly string[]][])
    .flatMap(([column, heads]) => [...heads, ...headsOfStudent(heads)].map((head) => [headKey(head), column] as const))
    // Of two columns that a head could mean, the first.
    .toReversed(),
)

/** What the columns hold, where the first line has heads: no other way tells a last name that comes first. */
const columnsOf = (line: string): (StudentColumn | undefined)[] | undefined => {
  const columns = cellsOf(line).map((head) => COLUMNS.get(headKey(withoutBrackets(head))))
  const known = columns.filter((column) => column !== undefined)
  return known.length > 1 || (known.length === 1 && columns.length === 1) ? columns : undefined
}

const saidUnder = (columns: readonly (StudentColumn | undefined)[], cells: readonly string[]): Said => {
  const said: Said = {}
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? ''
    if (column !== undefined && cell !== '') said[column] ??= cell
  }
  return said
}

const personIn = ({ firstName, lastName, fullName = '', nationalId, phone }: Said): NewPerson | undefined => {
  const [one = '', ...others] = fullName.split(/\s+/)
  const [first, last] = [firstName ?? one, lastName ?? others.join(' ')]
  if (first === '' || last === '' || first.length > 100 || last.length > 100) return undefined
  return { firstName: first, lastName: last, nationalId: nationalId ?? null, phone: phone ?? null }
}

/** Brothers and sisters have one phone: it is asked together with the name. */
const questionsOf = ({ studentNumber, nationalId, phone, fullName, firstName, lastName }: Said): Question[] => {
  const name = fullName ?? [firstName, lastName].filter(Boolean).join(' ')
  return [
    ...(nationalId === undefined ? [] : [{ nationalId }]),
    ...(studentNumber === undefined ? [] : [{ q: studentNumber, isNumber: true as const }]),
    ...(phone === undefined ? [] : [{ q: `${name} ${phone}`.trim() }]),
    ...(name === '' ? [] : [{ q: name }]),
  ]
}

/** The lines of a list, each once. */
export const linesOf = (pasted: string): PastedLine[] => {
  const [head = '', ...below] = pasted.split(/\r?\n/)
  const columns = columnsOf(head)
  const lines = (columns ? below : [head, ...below]).map((text) => {
    const cells = cellsOf(text)
    const said = columns ? saidUnder(columns, cells) : saidBy(cells.filter(isSaid))
    return { line: cells.filter(isSaid).join(' '), questions: questionsOf(said), person: personIn(said) }
  })
  return [...new Map(lines.map((one) => [one.line, one])).values()]
    .filter(({ line }) => line !== '')
    .slice(0, MOST_LINES)
}

/** A name of which the last name was written first. */
export const turned = (person: NewPerson): NewPerson => ({
  ...person,
  firstName: person.lastName,
  lastName: person.firstName,
})
