import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { Amount, Day, type Cell, type Table } from './cells.ts'

/**
 * Writes a table as an Excel workbook of one sheet, row by row: nothing but the present page is in memory. Text is text,
 * so no cell is a formula, whatever it holds. (The libraries that write row by row know no sheet from right to left.)
 */

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The places of the styles in STYLES, by what a cell holds. */
const STYLE = { head: 1, amount: 2, day: 3, moment: 4 }

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}">
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`

const PARTS: Record<string, string> = {
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': STYLES,
}

const workbook = (title: string): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML knows no control characters but these. A cell holds 32,767 characters. */
const escaped = (text: string): string =>
  text
    .slice(0, 32_767)
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string)
    // oxlint-disable-next-line no-control-regex -- those that XML forbids
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')

const DAY_MILLIS = 86_400_000
/** Excel counts days from here. */
const DAY_ZERO = Date.UTC(1899, 11, 30)

/** @param text YYYY-MM-DD or YYYY-MM-DD HH:MM */
const serial = (text: string): number =>
  (Date.parse(`${text.slice(0, 10)}T${text.slice(11) || '00:00'}Z`) - DAY_ZERO) / DAY_MILLIS

/** `A` of the first column, `AA` of the 27th. */
const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

/** What a cell is but for where it stands, which some programs do not read a cell without; '': an empty one. */
const contentOf = (cell: Cell): string => {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'string') return ` t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  if (typeof cell === 'number') return `><v>${cell}</v></c>`
  if (cell instanceof Amount) return ` s="${STYLE.amount}"><v>${cell.text}</v></c>`
  return ` s="${cell instanceof Day ? STYLE.day : STYLE.moment}"><v>${serial(cell.text)}</v></c>`
}

const rowOf = (cells: readonly Cell[], row: number, columns: readonly string[]): string => {
  let text = `<row r="${row}">`
  for (const [at, cell] of cells.entries()) {
    const content = contentOf(cell)
    if (content !== '') text += `<c r="${columns[at]}${row}"${content}`
  }
  return `${text}</row>`
}

const lengthOf = (cell: Cell): number =>
  cell === null ? 0 : typeof cell === 'string' || typeof cell === 'number' ? String(cell).length : cell.text.length

/** The rows by which the width of a column is found: what comes later is no more in memory than it was. */
const LOOKED_AT = 500
const [NARROW, WIDE] = [8, 60]

/** Takes the first rows of a table. @returns them, and all rows from the first */
const beginningOf = async (pages: Table['pages']): Promise<{ first: Cell[][]; all: Table['pages'] }> => {
  const iterator = pages[Symbol.asyncIterator]()
  const first: Cell[][] = []
  let isAll = false
  while (!isAll && first.length < LOOKED_AT) {
    const next = await iterator.next()
    if (next.done) isAll = true
    else first.push(...(next.value as Cell[][]))
  }
  const all = async function* () {
    try {
      yield first
      if (!isAll) yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  }
  return { first, all: all() }
}

const sheetStart = (
  heads: readonly string[],
  first: readonly Cell[][],
  columns: readonly string[],
  rightToLeft: boolean,
): string => {
  const cols = heads
    .map((head, at) => {
      const longest = first.reduce((most, row) => Math.max(most, lengthOf(row[at] ?? null)), head.length)
      const width = Math.min(WIDE, Math.max(NARROW, longest + 2))
      return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
    })
    .join('')
  const cells = heads.map((head, at) => `<c r="${columns[at]}1" s="${STYLE.head}"${contentOf(head)}`).join('')
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${rightToLeft ? ' rightToLeft="1"' : ''} workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols}</cols><sheetData><row r="1">${cells}</row>`
}

async function* sheet({ heads, pages }: Table, rightToLeft: boolean): AsyncGenerator<string> {
  const columns = heads.map((_, at) => letters(at))
  const { first, all } = await beginningOf(pages)
  yield sheetStart(heads, first, columns, rightToLeft)
  let row = 1
  for await (const rows of all) {
    yield rows
      .map((cells) => {
        row += 1
        return rowOf(cells, row, columns)
      })
      .join('')
  }
  yield '</sheetData></worksheet>'
}

/**
 * @param title of the sheet, of at most 31 letters and digits
 * @param at the time that the parts of the file carry
 * @returns the bytes of the workbook. Rows are read as fast as they are taken, and no more when nobody takes them.
 */
export async function* asXlsx(
  table: Table,
  { title, rightToLeft, at }: { title: string; rightToLeft: boolean; at: string },
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const file = zip.outputStream as Readable
  const options = { mtime: new Date(at), compressionLevel: 3 }
  for (const [path, text] of Object.entries({ ...PARTS, 'xl/workbook.xml': workbook(title) }))
    zip.addBuffer(Buffer.from(text), path, options)
  const rows = Readable.from(sheet(table, rightToLeft), { objectMode: false })
  rows.once('error', (error) => file.destroy(error))
  file.once('close', () => rows.destroy())
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml', options)
  zip.end()
  yield* file as AsyncIterable<Uint8Array>
}
