import { LAST_ROW, MAX_COLUMNS, SheetBuilder, UnreadableSheet, type Rows } from '../sheet.ts'
import { isoText } from '../xml-text.ts'
import type { WorkbookArchive } from './archive.ts'
import { numberText, QUANTITY } from './number-format.ts'
import { plainText, readWorkbook, type Workbook } from './workbook.ts'
import { readXml, type XmlReader } from './xml.ts'

/** The last column of a sheet is XFD. */
const LAST_COLUMN = 16_384
const LETTER_A = 'A'.codePointAt(0) as number

/** The place of `B` in `B12`, from 0; undefined: it says none. @throws UnreadableSheet for one beyond all columns */
const columnOf = (reference: string | undefined): number | undefined => {
  const letters = /^[A-Z]+/i.exec(reference ?? '')?.[0].toUpperCase()
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters.slice(0, 4)) column = column * 26 + (letter.codePointAt(0) as number) - LETTER_A + 1
  if (column > LAST_COLUMN) throw new UnreadableSheet('not_a_table')
  return column - 1
}

interface CellRead {
  type: string
  style: number
  value: string | undefined
  inline: string
  isFormula: boolean
}

/** @returns undefined: a formula of which the file does not hold the result, or of which the result is an error */
const cellText = ({ type, style, value, inline, isFormula }: CellRead, book: Workbook): string | undefined => {
  if (isFormula && (value === undefined || type === 'e' || (value === '' && type !== 'str'))) return undefined
  const text = value ?? ''
  switch (type) {
    case 's':
      return book.texts[Number(text)] ?? ''
    case 'inlineStr':
      return plainText(inline)
    case 'str':
      return plainText(text)
    case 'b':
      return String(text === '1' || text === 'true')
    case 'd':
      return isoText(text)
    default: {
      const number = Number(text)
      if (text.trim() === '' || type === 'e' || Number.isNaN(number)) return text
      return numberText(number, book.styles[style]?.(number) ?? QUANTITY, book)
    }
  }
}

/** Reads the cells of a sheet into rows. */
class CellReader implements XmlReader {
  readonly #book: Workbook
  readonly #sheet: SheetBuilder
  #line = 0
  #column = -1
  #cells: string[] = []
  #unsolved: number[] = []
  #cell: CellRead | undefined
  /** Where the text that comes belongs. */
  #into: 'value' | 'inline' | undefined
  #isReading = false
  #isDone = false

  constructor(book: Workbook, sheet: SheetBuilder) {
    this.#book = book
    this.#sheet = sheet
  }

  isDone(): boolean {
    return this.#isDone
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row': {
        const line = Number(attributes['r'])
        this.#line = Number.isInteger(line) && line > 0 && line <= LAST_ROW ? line : this.#line + 1
        this.#column = -1
        this.#cells = []
        this.#unsolved = []
        break
      }
      case 'c':
        // Some programs leave out where it is: it stands beside the last one.
        this.#column = columnOf(attributes['r']) ?? this.#column + 1
        this.#cell = {
          type: attributes['t'] ?? 'n',
          style: Number(attributes['s'] ?? 0),
          value: undefined,
          inline: '',
          isFormula: false,
        }
        break
      case 'f':
        if (this.#cell) this.#cell.isFormula = true
        break
      case 'v':
        if (this.#cell) this.#cell.value = ''
        this.#into = 'value'
        break
      case 'rPh':
        this.#isReading = true
        break
      case 't':
        if (!this.#isReading) this.#into = 'inline'
        break
    }
  }

  text(text: string): void {
    if (!this.#cell || !this.#into) return
    if (this.#into === 'value') this.#cell.value = (this.#cell.value ?? '') + text
    else this.#cell.inline += text
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.#into = undefined
        break
      case 'rPh':
        this.#isReading = false
        break
      case 'c':
        this.#keep()
        break
      case 'row':
        this.#sheet.add(this.#line, this.#cells, this.#unsolved)
        this.#cells = []
        this.#unsolved = []
        break
      case 'sheetData':
        this.#isDone = true
        break
    }
  }

  #keep(): void {
    const cell = this.#cell
    if (!cell) return
    this.#cell = undefined
    const text = cellText(cell, this.#book)
    // Formats of cells that hold nothing go on to the last column.
    if (text === '') return
    if (this.#column >= MAX_COLUMNS) throw new UnreadableSheet('too_many_columns')
    if (text === undefined) this.#unsolved.push(this.#column)
    while (this.#cells.length <= this.#column) this.#cells.push('')
    this.#cells[this.#column] = text ?? ''
  }
}

/**
 * The first sheet of a workbook. A formula counts as its last result, which the file holds beside it.
 * @throws UnreadableSheet, or an Error for what is no workbook
 */
export const readXlsx = async (archive: WorkbookArchive): Promise<Rows> => {
  const sheet = new SheetBuilder()
  const book = await readWorkbook(archive)
  const part = await archive.open(book.sheetPart)
  if (!part) throw new UnreadableSheet('not_a_table')
  await readXml(part, new CellReader(book, sheet))
  return sheet.build()
}
