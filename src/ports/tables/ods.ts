import { LAST_ROW, MAX_COLUMNS, MAX_ROWS, SheetBuilder, UnreadableSheet, type Rows } from './sheet.ts'
import { isoText } from './xml-text.ts'
import { numberText, QUANTITY } from './xlsx/number-format.ts'
import { readXml, type XmlReader } from './xlsx/xml.ts'

/** What is written as an element between letters. */
const BLANKS = new Set(['s', 'tab', 'line-break'])

type Attributes = Readonly<Record<string, string>>

const repeated = (attributes: Attributes, name: string): number => {
  const times = Number(attributes[`table:number-${name}-repeated`] ?? 1)
  return Number.isInteger(times) && times > 0 ? times : 1
}

/** A number that is shown with zeros in front or in groups, as identity and phone numbers are: it counts as it is shown. */
const isShownInGroups = (shown: string, value: string): boolean => {
  const digits = shown.replaceAll(/[-() /]/g, '')
  return /^\d+$/.test(digits) && digits !== value && Number(digits) === Number(value)
}

/** @returns undefined: a formula of which the file does not hold the result, or of which the result is an error */
const cellText = (attributes: Attributes, shown: string): string | undefined => {
  const value = (name: string): string => attributes[`office:${name}`] ?? ''
  const isFormula = attributes['table:formula'] !== undefined
  if (isFormula && attributes['calcext:value-type'] === 'error') return undefined
  switch (value('value-type')) {
    case 'float':
    case 'currency':
    case 'percentage':
      if (isShownInGroups(shown, value('value'))) return shown
      return numberText(Number(value('value')), QUANTITY, { is1904: false })
    case 'date':
      return isoText(value('date-value'))
    case 'boolean':
      return value('boolean-value')
    case 'string':
      return attributes['office:string-value'] ?? shown
    default:
      return isFormula && shown === '' ? undefined : shown
  }
}

/** Reads content.xml of a workbook of LibreOffice. Empty rows and cells are written once, with how often they come. */
class OdsReader implements XmlReader {
  readonly sheet = new SheetBuilder()
  #line = 0
  #rowTimes = 1
  #column = 0
  #cells: string[] = []
  #unsolved: number[] = []
  #cell: Attributes | undefined
  #paragraphs: string[] = []
  /** How deep it is within a cell: paragraphs are the first below it, those of notes and drawings are deeper. */
  #depth = 0
  #isParagraph = false
  #isDone = false

  isDone(): boolean {
    return this.#isDone
  }

  open(name: string, attributes: Attributes): void {
    if (this.#cell) this.#openInCell(name)
    else if (name === 'table-row') {
      this.#rowTimes = repeated(attributes, 'rows')
      this.#column = 0
      this.#cells = []
      this.#unsolved = []
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cell = attributes
      this.#paragraphs = []
      this.#depth = 0
      this.#isParagraph = false
    }
  }

  #openInCell(name: string): void {
    this.#depth += 1
    if (this.#depth === 1) {
      this.#isParagraph = name === 'p'
      if (this.#isParagraph) this.#paragraphs.push('')
    } else if (BLANKS.has(name)) this.text(' ')
  }

  text(text: string): void {
    if (this.#cell && this.#depth > 0 && this.#isParagraph) this.#paragraphs.push((this.#paragraphs.pop() ?? '') + text)
  }

  close(name: string): void {
    if (this.#cell && this.#depth > 0) this.#depth -= 1
    else if (this.#cell) this.#keep()
    else if (name === 'table-row') this.#addRows()
    else if (name === 'table') this.#isDone = true
  }

  #keep(): void {
    const cell = this.#cell
    if (!cell) return
    this.#cell = undefined
    const times = repeated(cell, 'columns')
    const text = cellText(cell, this.#paragraphs.join('\n').trim())
    const start = this.#column
    this.#column += times
    if (text === '') return
    if (this.#column > MAX_COLUMNS) throw new UnreadableSheet('too_many_columns')
    while (this.#cells.length < start) this.#cells.push('')
    for (let at = start; at < this.#column; at += 1) {
      if (text === undefined) this.#unsolved.push(at)
      this.#cells.push(text ?? '')
    }
  }

  #addRows(): void {
    const first = this.#line + 1
    this.#line += this.#rowTimes
    if (this.#cells.length === 0 && this.#unsolved.length === 0) return
    if (this.#rowTimes > MAX_ROWS) throw new UnreadableSheet('too_many_rows')
    if (this.#line > LAST_ROW) throw new UnreadableSheet('not_a_table')
    for (let line = first; line <= this.#line; line += 1) this.sheet.add(line, this.#cells, this.#unsolved)
  }
}

/** The first sheet of a workbook of LibreOffice. @throws UnreadableSheet, or an Error for what is no XML */
export const readOds = async (content: AsyncIterable<Uint8Array>): Promise<Rows> => {
  const reader = new OdsReader()
  await readXml(content, reader)
  return reader.sheet.build()
}
