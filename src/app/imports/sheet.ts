/** A table as a file has it. */
export interface Sheet {
  heads: string[]
  rows: SheetRow[]
}

export interface SheetRow {
  /** The number of the row in the file, as spreadsheet programs count: the heads stand in the first that is not empty. */
  line: number
  cells: string[]
}

/** Why a file cannot be read as a table. */
export type SheetProblem = 'not_a_table' | 'empty_file' | 'too_many_rows' | 'too_many_columns' | 'too_large'

export class UnreadableSheet extends Error {
  readonly problem: SheetProblem

  constructor(problem: SheetProblem) {
    super(problem)
    this.name = 'UnreadableSheet'
    this.problem = problem
  }
}

export const MAX_ROWS = 50_000
export const MAX_COLUMNS = 200
const MAX_CELL = 10_000

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
  readonly #rows: SheetRow[] = []

  /** @throws UnreadableSheet */
  add(line: number, given: readonly string[]): void {
    const cells = given.map(tidy)
    while (cells.at(-1) === '') cells.pop()
    if (cells.length === 0) return
    if (cells.length > MAX_COLUMNS) throw new UnreadableSheet('too_many_columns')
    if (this.#heads === undefined) {
      this.#heads = cells
      return
    }
    if (this.#rows.length === MAX_ROWS) throw new UnreadableSheet('too_many_rows')
    this.#rows.push({ line, cells })
  }

  /** @throws UnreadableSheet */
  build(): Sheet {
    if (this.#heads === undefined) throw new UnreadableSheet('empty_file')
    const widest = this.#rows.reduce((most, { cells }) => Math.max(most, cells.length), this.#heads.length)
    return { heads: Array.from({ length: widest }, (_, at) => this.#heads?.[at] ?? ''), rows: this.#rows }
  }
}
