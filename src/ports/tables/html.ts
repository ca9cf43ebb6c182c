import { Parser } from 'htmlparser2'
import { MAX_COLUMNS, SheetBuilder, UnreadableSheet, type Rows } from './sheet.ts'

/** Elements whose text nobody sees; in `comment` LibreOffice writes the note on a cell. */
const UNSEEN = new Set(['script', 'style', 'template', 'comment'])

/** Elements that begin on a line of their own. */
const BREAKS = new Set(['br', 'p', 'div', 'li', 'tr', 'td', 'th'])

const spanOf = (written: string | undefined, most: number): number =>
  Math.min(most, Math.max(1, Math.trunc(Number(written)) || 1))

const MAX_ROWSPAN = 10_000

/** Pages that leave out ends of elements nest deeply; the parser looks through all that are open for one that ends. */
const MAX_DEPTH = 500

/** One row after another, with cells that cover others beside and below them: what is covered is empty. */
class RowMaker {
  readonly sheet = new SheetBuilder()
  line = 0
  #cells: string[] = []
  /** For how many more rows each column is covered from above. */
  readonly #covered: number[] = []

  #skipCovered(): void {
    for (let left = this.#covered[this.#cells.length] ?? 0; left > 0; left = this.#covered[this.#cells.length] ?? 0) {
      this.#covered[this.#cells.length] = left - 1
      this.#cells.push('')
    }
  }

  add(text: string, { columns, rows }: { columns: number; rows: number }): void {
    this.#skipCovered()
    for (let nth = 0; nth < columns; nth += 1) {
      if (this.#cells.length > MAX_COLUMNS) throw new UnreadableSheet('too_many_columns')
      this.#covered[this.#cells.length] = rows - 1
      this.#cells.push(nth === 0 ? text : '')
    }
  }

  end(): void {
    for (let at = this.#cells.length; at < this.#covered.length; at += 1) {
      this.#covered[at] = Math.max(0, (this.#covered[at] ?? 0) - 1)
    }
    this.line += 1
    this.sheet.add(this.line, this.#cells)
    this.#cells = []
  }

  /** Nothing of the next table belongs to this one. */
  endTable(): void {
    this.#covered.length = 0
    this.line += 1
  }
}

/** Finds the rows and cells of tables; a table within a cell is text of that cell. */
class TableFinder {
  readonly rows = new RowMaker()
  tables = 0
  #depth = 0
  #tablesInCell = 0
  #unseen = 0
  #isInRow = false
  #cell: { text: string; columns: number; rows: number } | undefined

  #endCell(): void {
    if (this.#cell) this.rows.add(this.#cell.text.replaceAll(/\s+/g, ' ').trim(), this.#cell)
    this.#cell = undefined
  }

  endRow(): void {
    this.#endCell()
    if (this.#isInRow) this.rows.end()
    this.#isInRow = false
  }

  open(name: string, { colspan, rowspan }: Readonly<Record<string, string>>): void {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new UnreadableSheet('not_a_table')
    if (UNSEEN.has(name)) this.#unseen += 1
    if (name === 'table' && this.#cell) this.#tablesInCell += 1
    else if (name === 'table') {
      if (this.tables > 0) this.rows.endTable()
      this.tables += 1
    }
    if (this.#cell && BREAKS.has(name)) this.#cell.text += ' '
    if (this.#tablesInCell > 0) return
    if (name === 'tr') {
      this.endRow()
      this.#isInRow = true
    } else if ((name === 'td' || name === 'th') && this.#isInRow) {
      this.#endCell()
      this.#cell = { text: '', columns: spanOf(colspan, MAX_COLUMNS), rows: spanOf(rowspan, MAX_ROWSPAN) }
    }
  }

  text(text: string): void {
    if (this.#cell && this.#unseen === 0) this.#cell.text += text
  }

  close(name: string): void {
    this.#depth -= 1
    if (UNSEEN.has(name)) this.#unseen -= 1
    if (this.#tablesInCell > 0) {
      if (name === 'table') this.#tablesInCell -= 1
    } else if (name === 'td' || name === 'th') this.#endCell()
    else if (name === 'tr' || name === 'table') this.endRow()
  }
}

/** The tables of a page, one below the other: many programs write one and call it .xls. @throws UnreadableSheet */
export const readHtml = (page: string): Rows => {
  const finder = new TableFinder()
  const parser = new Parser({
    onopentag: (name, attributes) => finder.open(name, attributes),
    ontext: (text) => finder.text(text),
    onclosetag: (name) => finder.close(name),
  })
  parser.end(page)
  finder.endRow()
  if (finder.tables === 0) throw new UnreadableSheet('not_a_table')
  return finder.rows.sheet.build()
}
