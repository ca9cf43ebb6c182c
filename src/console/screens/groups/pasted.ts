import { isCheckedIdentity } from '../../../shared/identity-number.ts'
import { fold } from '../../../shared/text.ts'
import { plainDigits } from '../../../shared/typed.ts'

/** As many as are enrolled at once. */
export const MOST_LINES = 200

const isNumber = (cell: string): boolean => /^[A-Za-z]{0,5}-?\d{3,}$/.test(cell)
/** An identity number, in which a hyphen may stand before the digit that checks the others. */
const isIdentity = (cell: string): boolean =>
  isCheckedIdentity(cell.replace(/-(?=\d$)/, '').padStart(9, '0')) && /^\d{7,8}-?\d$/.test(cell)
const isPhone = (cell: string): boolean => /^[+\d][\d\s().-]{6,}$/.test(cell) && !isIdentity(cell)

/** Somebody whom nobody knows yet, as a line names them. */
export interface NewPerson {
  firstName: string
  lastName: string
  nationalId: string | null
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

const personOfCells = ({
  firstName,
  lastName,
  cells,
}: {
  firstName: string
  lastName: string
  cells: readonly string[]
}) => ({
  firstName,
  lastName,
  nationalId: cells.find((cell) => isIdentity(cell)) ?? null,
  phone: cells.find((cell) => isPhone(cell)) ?? null,
})

const personOf = (cells: readonly string[]): NewPerson | undefined => {
  const [first = '', second = ''] = cells.filter(
    (cell) => /\p{L}/u.test(cell) && !isNumber(cell) && !cell.includes('@'),
  )
  const [firstName = '', ...others] = (/\s/.test(first) ? first : `${first} ${second}`).trim().split(/\s+/)
  const lastName = others.join(' ')
  if (lastName === '' || firstName.length > 100 || lastName.length > 100) return undefined
  return personOfCells({ firstName, lastName, cells })
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

/** The heads over names, folded. */
const HEADS = {
  firstName: ['first name', 'given name', 'שם פרטי', 'الاسم الأول', 'الاسم الشخصي'].map(fold),
  lastName: ['last name', 'surname', 'family name', 'שם משפחה', 'اسم العائلة', 'العائلة'].map(fold),
} as const

const rawCells = (line: string): string[] =>
  plainDigits(line)
    .split(/[\t;,|]/)
    .map((cell) => cell.trim())

/** Where the names stand, if the first line has heads over both of them: no other way tells a last name that comes first. */
const namesAt = (line: string): { first: number; last: number } | undefined => {
  const heads = rawCells(line).map(fold)
  const at = (known: readonly string[]) => heads.findIndex((head) => known.includes(head))
  const [first, last] = [at(HEADS.firstName), at(HEADS.lastName)]
  return first === -1 || last === -1 ? undefined : { first, last }
}

const underHeads = (text: string, { first, last }: { first: number; last: number }): PastedLine => {
  const { line } = pastedLine(text)
  const cells = rawCells(text)
  const [firstName = '', lastName = ''] = [cells[first], cells[last]]
  const isWhole = firstName !== '' && lastName !== '' && firstName.length <= 100 && lastName.length <= 100
  return { line, person: isWhole ? personOfCells({ firstName, lastName, cells }) : undefined }
}

/** The lines of a list, each once. */
export const linesOf = (pasted: string): PastedLine[] => {
  const [head = '', ...below] = pasted.split(/\r?\n/)
  const names = namesAt(head)
  const lines = names ? below.map((text) => underHeads(text, names)) : [head, ...below].map(pastedLine)
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
