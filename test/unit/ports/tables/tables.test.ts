import { buffer } from 'node:stream/consumers'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { once } from '#kernel/basics/once.ts'
import { MAIN, OFFICE, sheetOf, textCell, workbookOf } from '#kit/workbook.ts'
import { readTable } from '#ports/tables/read-table.ts'
import { UnreadableSheet } from '#ports/tables/sheet.ts'

/** What files get that are tables, and files that are meant to do harm. */

const read = async (bytes: Uint8Array): Promise<(readonly string[])[] | string> => {
  try {
    const table = (await readTable(Buffer.from(bytes))).under(0)
    const rows = table.rows(Array.from({ length: Math.min(table.count, 10) }, (_, at) => at))
    return [table.heads, ...rows.map(({ cells }) => cells)]
  } catch (error) {
    if (error instanceof UnreadableSheet) return error.problem
    throw error
  }
}

const csv = (content: string | Buffer) => read(Buffer.from(content as string))

const HEBREW: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from('אבגדהוזחטיךכלםמןנסעףפץצקרשת', (letter, at) => [letter, 0xe0 + at]),
)
/** Text in an encoding of Windows: bytes by its table, which the decoder of the platform has. */
const windows = (text: string, encoding: string): Buffer => {
  const decoder = new TextDecoder(encoding)
  const table = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Buffer.from(Array.from(text, (letter) => table.get(letter) ?? HEBREW[letter] ?? 0x3f))
}

const HEBREW_TABLE = 'שם פרטי,שם משפחה\r\nנועה,כהן\r\nדנה,לוי\r\n'
const ARABIC_TABLE = 'الاسم الأول;اسم العائلة\r\nليان;خوري\r\nسامي;عودة\r\n'

describe('encodings and separators', () => {
  const hebrew = [
    ['שם פרטי', 'שם משפחה'],
    ['נועה', 'כהן'],
    ['דנה', 'לוי'],
  ]
  const arabic = [
    ['الاسم الأول', 'اسم العائلة'],
    ['ليان', 'خوري'],
    ['سامي', 'عودة'],
  ]
  test.each([
    ['UTF-8', Buffer.from(HEBREW_TABLE), hebrew],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${HEBREW_TABLE}`), hebrew],
    ['UTF-16 as Excel writes it', Buffer.from(`\uFEFF${HEBREW_TABLE.replaceAll(',', '\t')}`, 'utf16le'), hebrew],
    ['UTF-16 with the high byte first', Buffer.from(`\uFEFF${HEBREW_TABLE}`, 'utf16le').swap16(), hebrew],
    ['UTF-16 without a mark', Buffer.from(HEBREW_TABLE, 'utf16le'), hebrew],
    ['windows-1255', windows(HEBREW_TABLE, 'windows-1255'), hebrew],
    ['windows-1256', windows(ARABIC_TABLE, 'windows-1256'), arabic],
    ['UTF-8 with semicolons', Buffer.from(ARABIC_TABLE), arabic],
    ['old Mac line ends', Buffer.from(HEBREW_TABLE.replaceAll('\r\n', '\r')), hebrew],
  ])('%s', async (_, bytes, wanted) => expect(await csv(bytes)).toEqual(wanted))

  const tables = { 'windows-1255': HEBREW_TABLE, 'windows-1256': ARABIC_TABLE.replaceAll(';', ',') }
  const bytesIn: Readonly<Record<string, (table: string) => Buffer>> = {
    'UTF-8': (table) => Buffer.from(table),
    'UTF-8 with a mark': (table) => Buffer.from(`\uFEFF${table}`),
    'UTF-16, low byte first': (table) => Buffer.from(`\uFEFF${table}`, 'utf16le'),
    'UTF-16, high byte first': (table) => Buffer.from(`\uFEFF${table}`, 'utf16le').swap16(),
    'UTF-16 without a mark, low byte first': (table) => Buffer.from(table, 'utf16le'),
    'UTF-16 without a mark, high byte first': (table) => Buffer.from(table, 'utf16le').swap16(),
  }
  const crossed = Object.entries(tables).flatMap(([codePage, table]) =>
    [...Object.entries(bytesIn), [codePage, (text: string) => windows(text, codePage)] as const].flatMap(
      ([encoding, bytes]) =>
        [',', ';', '\t'].map((separator) => ({
          what: `${codePage === 'windows-1255' ? 'Hebrew' : 'Arabic'} in ${encoding} with ${JSON.stringify(separator)}`,
          bytes: bytes(table.replaceAll(',', separator)),
          wanted: codePage === 'windows-1255' ? hebrew : arabic,
        })),
    ),
  )
  test.each(crossed)('$what', async ({ bytes, wanted }) => expect(await csv(bytes)).toEqual(wanted))

  test('what would be a formula in a spreadsheet is the text that it was', async () => {
    expect(await csv(`Name,Phone,Note\n'+972501,="0501234567",=HYPERLINK("http://evil")\n`)).toEqual([
      ['Name', 'Phone', 'Note'],
      ['+972501', '0501234567', '=HYPERLINK("http://evil")'],
    ])
  })

  test('lines in quotation marks, blank rows and columns, and quotation marks within names', async () => {
    expect(await csv('a,b,\n\n"x\ny","רו""ח",\n,,\n עו"ד , z\n')).toEqual([
      ['a', 'b'],
      ['x\ny', 'רו"ח'],
      ['עו"ד', 'z'],
    ])
  })
})

const book = async (rows: unknown[][]): Promise<Uint8Array> =>
  writeXlsx({ sheets: [{ name: 'List', rows: rows as never }] })

test('a workbook gives texts, numbers, days and the results of formulas', async () => {
  const bytes = await book([
    ['Name', 'Phone', 'Born', 'Due'],
    ['ליאן', 501234567, new Date('2012-11-24T00:00:00.000Z'), 1250.5],
  ])
  expect(await read(bytes)).toEqual([
    ['Name', 'Phone', 'Born', 'Due'],
    ['ליאן', '501234567', '2012-11-24', '1250.5'],
  ])
})

const GOOD = sheetOf(`<row r="1">${textCell('A1', 'Name')}</row><row r="2">${textCell('A2', 'Dana')}</row>`)
const DANA = [['Name'], ['Dana']]

/** Unpacked it is 210 MB, packed a thousandth of that. */
const bomb = once(() => workbookOf(`<!--${' '.repeat(210 * 1024 * 1024)}-->${GOOD}`))
const ENTITY = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
const LAUGHS = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(1000)}">]>`

/** The archive with another size of its parts in its directory: it says that nothing is large. */
const lying = (archive: Buffer): Buffer => {
  const copy = Buffer.from(archive)
  for (let at = copy.indexOf('PK\u0001\u0002'); at !== -1; at = copy.indexOf('PK\u0001\u0002', at + 4)) {
    copy.writeUInt32LE(10, at + 24)
  }
  return copy
}

/** An archive in an archive in an archive. */
const nested = async (inner: Buffer, depth: number): Promise<Buffer> => {
  const zip = new ZipFile()
  zip.addBuffer(inner, 'list.xlsx')
  zip.end()
  const archive = await buffer(zip.outputStream)
  return depth === 1 ? archive : nested(archive, depth - 1)
}

const rowsOf = (sheet: string): string => /<sheetData>(.*)<\/sheetData>/.exec(sheet)?.[1] ?? ''
const emptyRows = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `<row r="${from + at}" s="1"/>`).join('')
const withSharedTexts = (): Promise<Buffer> =>
  workbookOf(sheetOf('<row r="1"><c r="A1" t="s"><v>9999999</v></c></row>'), {
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/sharedStrings.xml': Buffer.concat([
      Buffer.from(`<sst xmlns="${MAIN}" count="10000000">`),
      Buffer.alloc(170_000_000, '<si><t>a</t></si>'),
      Buffer.from('</sst>'),
    ]),
  })

describe('hostile files', () => {
  test.each<[string, () => Promise<Uint8Array> | Uint8Array, unknown]>([
    [
      'a workbook with macros: they are not read',
      () => workbookOf(GOOD, { 'xl/vbaProject.bin': Buffer.alloc(1000, 1) }),
      DANA,
    ],
    [
      'a part that is large and no table needs: it is not unpacked',
      () => workbookOf(GOOD, { 'xl/media/image1.png': Buffer.alloc(1024 * 1024) }),
      DANA,
    ],
    [
      'one with links to other files: they are not read',
      () => workbookOf(GOOD, { 'xl/externalLinks/externalLink1.xml': ENTITY }),
      DANA,
    ],
    ['a bomb of 210 MB', bomb, 'too_large'],
    ['a bomb that says it is small', async () => lying(await bomb()), 'too_large'],
    ['an entity from outside', () => workbookOf(ENTITY + GOOD), 'not_a_table'],
    ['entities within entities', () => workbookOf(LAUGHS + GOOD), 'not_a_table'],
    [
      'the same in UTF-16',
      () => workbookOf(GOOD, { 'xl/worksheets/sheet1.xml': Buffer.from(LAUGHS + GOOD, 'utf16le') }),
      'not_a_table',
    ],
    [
      'a cell in the last column',
      () => workbookOf(sheetOf(`<row r="1">${textCell('XFD1', 'far')}</row>`)),
      'too_many_columns',
    ],
    [
      'a cell beyond all columns',
      () => workbookOf(sheetOf(`<row r="1">${textCell('ZZZZZZ1', 'far')}</row>`)),
      'not_a_table',
    ],
    ['no sheet', () => workbookOf('', { 'xl/_rels/workbook.xml.rels': '<Relationships/>' }), 'not_a_table'],
    ['an archive that ends in the middle', async () => (await workbookOf(GOOD)).subarray(0, 400), 'not_a_table'],
    [
      'a formula with its result',
      () =>
        workbookOf(
          sheetOf(
            `<row r="1">${textCell('A1', 'Name')}</row><row r="2"><c r="A2" t="str"><f>WEBSERVICE("http://evil")</f><v>Dana</v></c></row>`,
          ),
        ),
      DANA,
    ],
    [
      'a formula without a result',
      () =>
        workbookOf(
          sheetOf(
            `<row r="1">${textCell('A1', 'Name')}</row><row r="2"><c r="A2"><f>1+1</f></c>${textCell('B2', 'x')}</row>`,
          ),
        ),
      [
        ['Name', ''],
        ['', 'x'],
      ],
    ],
    [
      'a workbook in a workbook: it stays packed',
      async () => workbookOf(GOOD, { 'xl/embeddings/Microsoft_Excel_Sheet1.xlsx': await bomb() }),
      DANA,
    ],
    ['archives in archives, of which the last is a bomb', async () => nested(await bomb(), 5), 'not_a_table'],
    [
      'formats down to the last row that a sheet can have',
      () => workbookOf(sheetOf(`${rowsOf(GOOD)}${emptyRows(3, 1_048_576)}`)),
      DANA,
    ],
    ['ten million texts that rows share', () => withSharedTexts(), 'too_large'],
    ['random bytes', () => Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)), 'not_a_table'],
  ])('workbook: %s', async (_, make, got) => expect(await read(await make())).toEqual(got), 60_000)

  test.each<[string, () => string | Buffer, unknown]>([
    ['nothing', () => '', 'empty_file'],
    ['blanks', () => ' \r\n \r\n,,,\r\n', 'empty_file'],
    ['a million columns', () => `a${',b'.repeat(1_000_000)}\r\n`, 'too_many_columns'],
    ['201 columns', () => `${'a,'.repeat(200)}a\r\n`, 'too_many_columns'],
    ['50,001 rows', () => `a\r\n${'1\r\n'.repeat(50_001)}`, 'too_many_rows'],
    ['a million blank rows', () => `a\r\n${',\r\n'.repeat(1_000_000)}`, 'too_many_rows'],
    ['a cell of a megabyte', () => `a\r\n${'x'.repeat(1_000_000)}\r\n`, 'too_large'],
    ['a quotation mark that does not end', () => `a,b\r\n"${'x,\r\n'.repeat(500_000)}`, 'not_a_table'],
    ['20 MB in one line', () => Buffer.alloc(20_000_000, 'x'), 'not_a_table'],
    ['20 MB of columns in one line', () => Buffer.alloc(20_000_000, 'x,'), 'not_a_table'],
    ['bytes of zero in a text', () => 'Name,Phone\r\nDa\u0000na,05\u00000\r\n', 'not_a_table'],
    [
      'a byte of zero far from the first lines',
      () => `Name\r\n${'Dana\r\n'.repeat(20_000)}Da\u0000na\r\n`,
      'not_a_table',
    ],
    ['bytes of zero alone', () => Buffer.alloc(1_000_000), 'not_a_table'],
    ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d49484452000000010000', 'hex'), 'not_a_table'],
    ['a program', () => Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251)), 'not_a_table'],
  ])('CSV: %s', async (_, make, got) => expect(await csv(make())).toEqual(got), 60_000)
})
