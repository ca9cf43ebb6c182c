import { readCsv } from './csv.ts'
import { UnreadableSheet, type Rows } from './sheet.ts'
import { textOf } from './text-of.ts'

/** Workbooks of Excel before 2007, and newer ones with a password: an OLE container, or the bare records of older ones. */
const OLD_WORKBOOK = /^(?:d0cf11e0a1b11ae1|09(?:00|02|04|08)(?:04|06|08|10)00)/

const ZIP = /^504b0304/

const SPREADSHEET_ML = 'urn:schemas-microsoft-com:office:spreadsheet'

/** As much of a text as says of what format it is. */
const BEGINNING = 4096

/**
 * Reads a file by what its first bytes say that it is: a workbook of Excel or LibreOffice, or text, which is XML of Excel
 * 2003, a page with a table, or lines with separators. Readers of formats are loaded where a file has them.
 * @throws UnreadableSheet
 */
export const readTable = async (bytes: Buffer): Promise<Rows> => {
  const first = bytes.subarray(0, 8).toString('hex')
  if (OLD_WORKBOOK.test(first)) throw new UnreadableSheet('old_workbook')
  if (ZIP.test(first)) return (await import('./archives.ts')).readArchive(bytes)
  const text = textOf(bytes)
  if (text === undefined) throw new UnreadableSheet('not_a_table')
  const beginning = text.slice(0, BEGINNING).trimStart()
  if (!beginning.startsWith('<')) return readCsv(text)
  if (beginning.includes(SPREADSHEET_ML)) return (await import('./xml-2003.ts')).readXml2003(text)
  return (await import('./html.ts')).readHtml(text)
}
