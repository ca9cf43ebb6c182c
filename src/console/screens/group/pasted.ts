import { plainDigits } from '../../words/typed.ts'

/** As many as are enrolled at once. */
export const MOST_LINES = 200

const isNumber = (cell: string): boolean => /^[A-Za-z]{0,5}-?\d{3,}$/.test(cell)
const isPhone = (cell: string): boolean => /^[+\d][\d\s().-]{6,}$/.test(cell)

/**
 * What of a line tells who is meant: of a row of a table, the number of the student or the phone before the name. A number
 * that only counts the rows is left out.
 */
const meantBy = (line: string): string => {
  const cells = plainDigits(line)
    .split(/[\t;,|]/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '' && !/^\d{1,2}[.)]?$/.test(cell))
  const [only] = cells
  if (only !== undefined && cells.length === 1) return only.replace(/^(?:\d{1,2}[.)]\s*|[-–•*]\s+)/, '')
  return cells.find(isNumber) ?? cells.find(isPhone) ?? cells.filter((cell) => /\p{L}/u.test(cell)).join(' ')
}

/** The lines of a list, each once. */
export const linesOf = (pasted: string): string[] =>
  [...new Set(pasted.split(/\r?\n/).map(meantBy))].filter((line) => line !== '').slice(0, MOST_LINES)
