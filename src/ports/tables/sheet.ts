import type { TableProblem, TableRow } from './port.ts'

/** A table as a file has it. */
export interface Sheet {
  heads: string[]
  count: number
  /** @param places from 0 */
  rows(places: readonly number[]): TableRow[]
}

export class UnreadableSheet extends Error {
  readonly problem: TableProblem

  constructor(problem: TableProblem) {
    super(problem)
    this.name = 'UnreadableSheet'
    this.problem = problem
  }
}

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

/** Collects the rows of a file, in order; rows without any content are left out. */
export class SheetBuilder {
  #heads: string[] | undefined
  /** As JSON: an array of its own for each row would take three times the memory. */
  readonly #rows: string[] = []
  readonly #lines: number[] = []
  readonly #unsolved = new Map<number, number[]>()
  #widest = 0
  #text = 0

  /** @throws UnreadableSheet */
  add(line: number, given: readonly string[], unsolved: readonly number[] = []): void {
    const cells = given.map(tidy)
    while (cells.at(-1) === '') cells.pop()
    const width = Math.max(cells.length, ...unsolved.map((place) => place + 1))
    if (width === 0) return
    if (width > MAX_COLUMNS) throw new UnreadableSheet('too_many_columns')
    this.#widest = Math.max(this.#widest, width)
    if (this.#heads !== undefined) this.#addRow(line, cells, unsolved)
    else if (unsolved.length > 0) throw new UnreadableSheet('formula_without_value')
    else this.#heads = cells
  }

  #addRow(line: number, cells: readonly string[], unsolved: readonly number[]): void {
    const row = this.#rows.length
    if (row === MAX_ROWS) throw new UnreadableSheet('too_many_rows')
    const length = cells.reduce((sum, cell) => sum + cell.length, 0)
    this.#text += length
    if (length > MAX_ROW_TEXT || this.#text > MAX_TEXT) throw new UnreadableSheet('too_large')
    this.#rows.push(JSON.stringify(cells))
    this.#lines.push(line)
    if (unsolved.length > 0) this.#unsolved.set(row, [...unsolved])
  }

  /** @throws UnreadableSheet */
  build(): Sheet {
    const heads = this.#heads
    if (heads === undefined) throw new UnreadableSheet('empty_file')
    return {
      heads: Array.from({ length: this.#widest }, (_, at) => heads[at] ?? ''),
      count: this.#rows.length,
      rows: (places) => places.flatMap((place) => this.#rowAt(place) ?? []),
    }
  }

  #rowAt(place: number): TableRow | undefined {
    const [packed, line, unsolved] = [this.#rows[place], this.#lines[place], this.#unsolved.get(place)]
    if (packed === undefined || line === undefined) return undefined
    return { line, cells: JSON.parse(packed) as string[], ...(unsolved && { unsolved }) }
  }
}
