import type { TableProblem, TableRow } from './port.ts'

/** A table as a file has it. */
export interface Sheet {
  heads: string[]
  count: number
  totals: TableRow[]
  /** @param places from 0 */
  rows(places: readonly number[]): TableRow[]
}

/** All rows of a file that have something in them. */
export interface Rows {
  /** Those among which the heads are. */
  top: TableRow[]
  /** @param headsAt the place of the heads @throws UnreadableSheet */
  under(headsAt: number): Sheet
}

/** So many rows may stand above the heads. */
const MAX_ABOVE = 50

export class UnreadableSheet extends Error {
  readonly problem: TableProblem

  constructor(problem: TableProblem) {
    super(problem)
    this.name = 'UnreadableSheet'
    this.problem = problem
  }
}

/** The last row that a spreadsheet has. */
export const LAST_ROW = 1_048_576
export const MAX_ROWS = 50_000
export const MAX_COLUMNS = 200
const MAX_CELL = 10_000
/** What a row may hold: a hundred rows at once go to the server. */
const MAX_ROW_TEXT = 50_000
/** What all cells may hold. A small file may say the same long text millions of times. */
export const MAX_TEXT = 50_000_000

/** An apostrophe in front of what would be a formula, as this program and others write it, and Excel's ="0501234567". */
const bare = (cell: string): string =>
  cell.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '').replace(/^="(.*)"$/s, '$1')

const tidy = (cell: string): string => {
  if (cell.length > MAX_CELL) throw new UnreadableSheet('too_large')
  return bare(cell.trim()).trim()
}

/** Strings, and no literal pattern, because the bundler escapes what is beyond ASCII in those alone. */
const TOTAL_WORDS = ["סה(?:\\\\\"|״|''|׳׳)?כ", 'סך הכו?ל', 'المجموع(?: الكلي)?', 'الإجمالي', 'grand total', 'totals?']
/** A row, packed, whose first cell says that it is a total. */
const SAYS_TOTAL = new RegExp(String.raw`^\[(?:"",)*"(?:${TOTAL_WORDS.join('|')}) ?:?"`, 'i')

/** How many totals are told. */
const SHOWN_TOTALS = 100

/** Collects the rows of a file, in order; rows without any content are left out. */
export class SheetBuilder {
  /** As JSON: an array of its own for each row would take three times the memory. */
  readonly #rows: string[] = []
  readonly #lines: number[] = []
  /** How wide each row is, and how many of its cells have something in them. */
  readonly #widths: number[] = []
  readonly #filled: number[] = []
  readonly #unsolved = new Map<number, number[]>()
  #text = 0

  /** @throws UnreadableSheet */
  add(line: number, given: readonly string[], unsolved: readonly number[] = []): void {
    const cells = given.map(tidy)
    while (cells.at(-1) === '') cells.pop()
    const width = Math.max(cells.length, ...unsolved.map((place) => place + 1))
    if (width === 0) return
    if (width > MAX_COLUMNS) throw new UnreadableSheet('too_many_columns')
    const [row, last] = [this.#rows.length, this.#lines.at(-1) ?? 0]
    if (row === MAX_ROWS + MAX_ABOVE) throw new UnreadableSheet('too_many_rows')
    const length = cells.reduce((sum, cell) => sum + cell.length, 0)
    this.#text += length
    if (length > MAX_ROW_TEXT || this.#text > MAX_TEXT) throw new UnreadableSheet('too_large')
    this.#rows.push(JSON.stringify(cells))
    // One that says that it stands above the last one stands below it: each row has a number of its own.
    this.#lines.push(Math.max(line, last + 1))
    this.#widths.push(width)
    this.#filled.push(cells.filter((cell) => cell !== '').length + unsolved.length)
    if (unsolved.length > 0) this.#unsolved.set(row, [...unsolved])
  }

  /** @throws UnreadableSheet */
  build(): Rows {
    if (this.#rows.length === 0) throw new UnreadableSheet('empty_file')
    const top = this.#rows.slice(0, MAX_ABOVE).flatMap((_, at) => this.#rowAt(at) ?? [])
    return { top, under: (headsAt) => this.#under(headsAt) }
  }

  #under(headsAt: number): Sheet {
    const heads = this.#rowAt(headsAt)
    if (!heads) throw new UnreadableSheet('empty_file')
    if (heads.unsolved) throw new UnreadableSheet('formula_without_value')
    const [places, totals] = this.#withoutTotals(headsAt)
    if (places.length > MAX_ROWS) throw new UnreadableSheet('too_many_rows')
    const widest = places.reduce((most, place) => Math.max(most, this.#widths[place] ?? 0), heads.cells.length)
    return {
      heads: Array.from({ length: widest }, (_, at) => heads.cells[at] ?? ''),
      count: places.length,
      totals: totals.slice(0, SHOWN_TOTALS).flatMap((place) => this.#rowAt(place) ?? []),
      rows: (wanted) => wanted.flatMap((place) => this.#rowAt(places[place] ?? -1) ?? []),
    }
  }

  /** The places of the rows below the heads, and those of totals: after an empty row, with one cell at the most or called so. */
  #withoutTotals(headsAt: number): [rows: number[], totals: number[]] {
    const [rows, totals]: [number[], number[]] = [[], []]
    // A list of one column has rows of one cell.
    const isList = (this.#filled[headsAt] ?? 0) < 2
    let isAfterEmpty = false
    for (let place = headsAt + 1; place < this.#rows.length; place += 1) {
      isAfterEmpty ||= (this.#lines[place] as number) > (this.#lines[place - 1] as number) + 1
      // A list that was printed page by page has its heads again and again.
      if (this.#rows[place] === this.#rows[headsAt]) continue
      const isTotal =
        !isList && isAfterEmpty && ((this.#filled[place] as number) < 2 || SAYS_TOTAL.test(this.#rows[place] as string))
      ;(isTotal ? totals : rows).push(place)
    }
    return [rows, totals]
  }

  #rowAt(place: number): TableRow | undefined {
    const [packed, line, unsolved] = [this.#rows[place], this.#lines[place], this.#unsolved.get(place)]
    if (packed === undefined || line === undefined) return undefined
    return { line, cells: JSON.parse(packed) as string[], ...(unsolved && { unsolved }) }
  }
}
