import { posix } from 'node:path'
import { MAX_TEXT, UnreadableSheet } from '../sheet.ts'
import type { WorkbookArchive } from './archive.ts'
import { numberFormat, type Meaning } from './number-format.ts'
import { readXml, type XmlReader } from './xml.ts'

/** What the cells of the first sheet refer to, and where it is. */
export interface Workbook {
  sheetPart: string
  /** The texts that cells share, by their number. */
  texts: readonly string[]
  /** By the number of a cell's style, what its numbers mean. */
  styles: readonly ((value: number) => Meaning)[]
  /** Days count from 1904, as old Macs did. */
  is1904: boolean
}

/** As many shared texts, styles and formats as a table of 50,000 rows and a program that writes it need at the most. */
const MAX_TEXTS = 1_000_000
const MAX_STYLES = 100_000
const MAX_FORMATS = 10_000
const MAX_RELATIONS = 10_000

interface Relation {
  type: string
  part: string
}

/** @throws UnreadableSheet when there is no such part */
const readPart = async (archive: WorkbookArchive, name: string, reader: XmlReader): Promise<void> => {
  const part = await archive.open(name)
  if (!part) throw new UnreadableSheet('not_a_table')
  await readXml(part, reader)
}

/** The parts that a part refers to, by their ids. */
const relationsOf = async (archive: WorkbookArchive, part: string): Promise<Map<string, Relation>> => {
  const folder = posix.dirname(part)
  const relations = new Map<string, Relation>()
  await readPart(archive, posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open: (name, { Id: id, Type: type, Target: target, TargetMode: mode }) => {
      if (name !== 'Relationship' || id === undefined || mode === 'External') return
      if (relations.size === MAX_RELATIONS) throw new UnreadableSheet('too_large')
      // An address that begins with a slash is one from the root of the archive.
      const named = posix.join('/', target?.startsWith('/') ? '' : folder, target ?? '').slice(1)
      relations.set(id, { type: type?.split('/').at(-1) ?? '', part: named })
    },
  })
  return relations
}

const partOf = (relations: ReadonlyMap<string, Relation>, type: string): string | undefined =>
  [...relations.values()].find((one) => one.type === type)?.part

/** A part of a text keeps the whole text in V8's memory, here a piece of XML, unless it is copied. */
const copyOf = (text: string): string => Buffer.from(text).toString()

/** `_x000D_` stands for characters that XML does not have. */
export const plainText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

const readTexts = async (archive: WorkbookArchive, part: string): Promise<string[]> => {
  const texts: string[] = []
  let [text, length] = ['', 0]
  let isText = false
  let isReading = false
  await readPart(archive, part, {
    open: (name) => {
      if (name === 'si') text = ''
      // How a text is read aloud stands beside it.
      else if (name === 'rPh') isReading = true
      else if (name === 't') isText = !isReading
    },
    text: (more) => {
      if (isText) text += more
    },
    close: (name) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isReading = false
      else if (name === 'si') {
        length += text.length
        if (texts.length === MAX_TEXTS || length > MAX_TEXT) throw new UnreadableSheet('too_large')
        texts.push(copyOf(plainText(text)))
      }
    },
  })
  return texts
}

const readStyles = async (archive: WorkbookArchive, part: string): Promise<Workbook['styles']> => {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let isOfCells = false
  await readPart(archive, part, {
    open: (name, { numFmtId: id, formatCode: code }) => {
      if (name === 'cellXfs') isOfCells = true
      else if (name === 'xf' && isOfCells) ids.push(Number(id ?? 0))
      else if (name === 'numFmt' && code !== undefined) codes.set(Number(id), code)
      if (ids.length > MAX_STYLES || codes.size > MAX_FORMATS) throw new UnreadableSheet('too_large')
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  const formats = new Map<number, (value: number) => Meaning>()
  return ids.map((id) => {
    const format = formats.get(id) ?? numberFormat(id, codes.get(id))
    formats.set(id, format)
    return format
  })
}

/** @throws UnreadableSheet, or an Error for parts that are no XML */
export const readWorkbook = async (archive: WorkbookArchive): Promise<Workbook> => {
  const book = partOf(await relationsOf(archive, ''), 'officeDocument')
  if (book === undefined) throw new UnreadableSheet('not_a_table')
  const relations = await relationsOf(archive, book)
  let sheetPart: string | undefined
  let is1904 = false
  await readPart(archive, book, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet' || sheetPart !== undefined) return
      // Sheets of charts alone have no cells.
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      const relation = relations.get(id ?? '')
      if (relation?.type === 'worksheet') sheetPart = relation.part
    },
  })
  if (sheetPart === undefined) throw new UnreadableSheet('not_a_table')
  const [textsPart, stylesPart] = [partOf(relations, 'sharedStrings'), partOf(relations, 'styles')]
  return {
    sheetPart,
    texts: textsPart === undefined ? [] : await readTexts(archive, textsPart),
    styles: stylesPart === undefined ? [] : await readStyles(archive, stylesPart),
    is1904,
  }
}
