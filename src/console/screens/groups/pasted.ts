import { plainDigits } from '../../../shared/typed.ts'

/** As many as are enrolled at once. */
export const MOST_LINES = 200

const isNumber = (cell: string): boolean => /^[A-Za-z]{0,5}-?\d{3,}$/.test(cell)
const isPhone = (cell: string): boolean => /^[+\d][\d\s().-]{6,}$/.test(cell)

/** Somebody whom nobody knows yet, as a line names them. */
export interface NewPerson {
  firstName: string
  lastName: string
  phone: string | null
}

export interface PastedLine {
  /** What tells who is meant: of a row of a table, the number of the student or the phone before the name. */
  line: string
  /** Who it may be, if nobody known is meant; undefined: there is no first and last name in it. */
  person: NewPerson | undefined
}

/** The cells of a row. A number that only counts the rows is left out. */
const cellsOf = (line: string): string[] =>
  plainDigits(line)
    .split(/[\t;,|]/)
    .map((cell) => cell.trim().replace(/^(?:\d{1,2}[.)]\s*|[-–•*]\s+)/, ''))
    .filter((cell) => cell !== '' && !/^\d{1,2}[.)]?$/.test(cell))

const personOf = (cells: readonly string[]): NewPerson | undefined => {
  const [first = '', second = ''] = cells.filter(
    (cell) => /\p{L}/u.test(cell) && !isNumber(cell) && !cell.includes('@'),
  )
  const [firstName = '', ...others] = (/\s/.test(first) ? first : `${first} ${second}`).trim().split(/\s+/)
  const lastName = others.join(' ')
  if (lastName === '' || firstName.length > 100 || lastName.length > 100) return undefined
  return { firstName, lastName, phone: cells.find((cell) => isPhone(cell)) ?? null }
}

const pastedLine = (text: string): PastedLine => {
  const cells = cellsOf(text)
  const [only] = cells
  const line =
    cells.length === 1 && only !== undefined
      ? only
      : (cells.find(isNumber) ?? cells.find(isPhone) ?? cells.filter((cell) => /\p{L}/u.test(cell)).join(' '))
  return { line, person: personOf(cells) }
}

/** The lines of a list, each once. */
export const linesOf = (pasted: string): PastedLine[] =>
  [...new Map(pasted.split(/\r?\n/).map((text) => [pastedLine(text).line, pastedLine(text)])).values()]
    .filter(({ line }) => line !== '')
    .slice(0, MOST_LINES)
