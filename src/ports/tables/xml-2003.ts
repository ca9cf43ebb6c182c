import { LAST_ROW, MAX_COLUMNS, SheetBuilder, UnreadableSheet, type Rows } from './sheet.ts'
import { inPieces, isoText } from './xml-text.ts'
import { numberFormat, numberText, QUANTITY, type Meaning } from './xlsx/number-format.ts'
import { readXml, type XmlReader } from './xlsx/xml.ts'

/** SpreadsheetML of Excel 2003: one file of XML, which many programs still write and call .xls. */

const MAX_STYLES = 10_000

type Attributes = Readonly<Record<string, string>>

/** An attribute of the namespace that is usually written `ss:`. */
const attribute = (attributes: Attributes, name: string): string | undefined =>
  attributes[`ss:${name}`] ?? attributes[name]

/** The number of an attribute, from 1; undefined: it has none. */
const placeIn = (attributes: Attributes, name: string, most: number): number | undefined => {
  const place = Number(attribute(attributes, name))
  return Number.isInteger(place) && place > 0 && place <= most ? place : undefined
}

class Reader2003 implements XmlReader {
  readonly sheet = new SheetBuilder()
  readonly #styles = new Map<string, (value: number) => Meaning>()
  #style = ''
  #line = 0
  #column = 0
  #cells: string[] = []
  #unsolved: number[] = []
  #type = ''
  #text = ''
  #isFormula = false
  #hasData = false
  #cellStyle = ''
  #after = 0
  #depthOfComment = 0
  #isInData = false
  #isDone = false

  isDone(): boolean {
    return this.#isDone
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'Comment') this.#depthOfComment += 1
    if (this.#depthOfComment > 0) return
    switch (name) {
      case 'Style':
        this.#style = attribute(attributes, 'ID') ?? ''
        break
      case 'NumberFormat':
        if (this.#styles.size === MAX_STYLES) throw new UnreadableSheet('too_large')
        this.#styles.set(this.#style, numberFormat(0, attribute(attributes, 'Format')))
        break
      case 'Row':
        this.#line = placeIn(attributes, 'Index', LAST_ROW) ?? this.#line + 1
        this.#column = 0
        this.#cells = []
        this.#unsolved = []
        break
      case 'Cell':
        this.#column = (placeIn(attributes, 'Index', LAST_ROW) ?? this.#column + 1) - 1
        this.#after = Number(attribute(attributes, 'MergeAcross') ?? 0) || 0
        this.#isFormula = attribute(attributes, 'Formula') !== undefined
        this.#cellStyle = attribute(attributes, 'StyleID') ?? ''
        this.#hasData = false
        this.#type = ''
        this.#text = ''
        break
      case 'Data':
        this.#isInData = true
        this.#hasData = true
        this.#type = attribute(attributes, 'Type') ?? ''
        break
    }
  }

  text(text: string): void {
    if (this.#isInData) this.#text += text
  }

  close(name: string): void {
    if (name === 'Comment') this.#depthOfComment -= 1
    if (this.#depthOfComment > 0) return
    switch (name) {
      case 'Data':
        this.#isInData = false
        break
      case 'Cell':
        this.#keep()
        // The next cell stands behind those that this one covers.
        this.#column += 1 + Math.max(0, this.#after)
        break
      case 'Row':
        this.sheet.add(this.#line, this.#cells, this.#unsolved)
        break
      case 'Table':
        this.#isDone = true
        break
    }
  }

  #keep(): void {
    const isUnsolved = this.#isFormula && (!this.#hasData || this.#type === 'Error')
    const text = this.#value()
    if (text === '' && !isUnsolved) return
    if (this.#column >= MAX_COLUMNS) throw new UnreadableSheet('too_many_columns')
    if (isUnsolved) this.#unsolved.push(this.#column)
    while (this.#cells.length <= this.#column) this.#cells.push('')
    this.#cells[this.#column] = isUnsolved ? '' : text
  }

  #value(): string {
    const text = this.#text.trim()
    if (this.#type === 'DateTime') return isoText(text)
    if (this.#type === 'Boolean') return String(text === '1')
    const number = Number(text)
    if (this.#type !== 'Number' || text === '' || Number.isNaN(number)) return text
    return numberText(number, this.#styles.get(this.#cellStyle)?.(number) ?? QUANTITY, { is1904: false })
  }
}

/** The first sheet. @throws UnreadableSheet */
export const readXml2003 = async (text: string): Promise<Rows> => {
  const reader = new Reader2003()
  try {
    await readXml(inPieces(text), reader)
  } catch (error) {
    throw error instanceof UnreadableSheet ? error : new UnreadableSheet('not_a_table')
  }
  return reader.sheet.build()
}
