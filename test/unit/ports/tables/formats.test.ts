import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { workbookOf, textCell, sheetOf } from '#kit/workbook.ts'
import { readTable } from '#ports/tables/read-table.ts'
import { UnreadableSheet } from '#ports/tables/sheet.ts'

/*
 * One list in all forms. The files were written by LibreOffice 7.4 and Gnumeric 1.12 out of one workbook: a title over
 * merged cells, an identity number and a phone that are numbers with zeros in front by their formats, days, a text of two
 * lines, a note on a cell, a formula, a total below an empty row, and a second sheet.
 */

interface Read {
  line: number
  cells: readonly string[]
}

const read = async (bytes: Buffer | string): Promise<Read[] | string> => {
  try {
    const { top } = await readTable(Buffer.from(bytes as string))
    return top.map(({ line, cells }) => ({ line, cells }))
  } catch (error) {
    if (error instanceof UnreadableSheet) return error.problem
    throw error
  }
}

const fileNamed = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'files', name))

const HEADS = ['שם פרטי', 'שם משפחה', 'ת.ז.', 'תאריך לידה', 'טלפון', 'שם האם', 'נייד אם', 'הערות']
const LIST: Read[] = [
  { line: 1, cells: ['רשימת תלמידים – בית ספר אלון'] },
  { line: 3, cells: HEADS },
  {
    line: 4,
    cells: ['נועה', 'כהן', '012345674', '2015-11-24', '050-1234567', 'דנה כהן', '050-765-4321', 'קו 1\nקו 2'],
  },
  { line: 5, cells: ['ليان', 'خوري', '039337423', '2014-04-03', '02-6271234', 'Hala & Co <x>', '0599123456'] },
  { line: 6, cells: ['Ömer', "O'Neil", 'AB-123', '2013-01-02', '', '', '', '2'] },
  { line: 9, cells: ['סה״כ 3'] },
]

/** A page holds what is shown: days as they are written, and lines one after another. */
const asShown = (rows: Read[]): Read[] =>
  rows.map(({ line, cells }) => ({
    line,
    cells: cells.map((cell) => cell.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1').replaceAll('\n', ' ')),
  }))

describe('one list', () => {
  test.each(['libreoffice.xlsx', 'gnumeric.xlsx', 'libreoffice.ods'])('%s', async (name) =>
    expect(await read(fileNamed(name))).toEqual(LIST),
  )

  test('gnumeric.ods, which writes an end of a line as a blank', async () => {
    const rows = LIST.map(({ line, cells }) => ({ line, cells: cells.map((cell) => cell.replaceAll('\n', ' ')) }))
    expect(await read(fileNamed('gnumeric.ods'))).toEqual(rows)
  })

  test.each(['libreoffice-page.xls', 'gnumeric-page.xls'])('%s', async (name) => {
    const rows = await read(fileNamed(name))
    expect(rows.slice(0, LIST.length)).toEqual(asShown(LIST))
  })

  test.each(['libreoffice-97.xls', 'gnumeric-95.xls'])('%s is refused', async (name) =>
    expect(await read(fileNamed(name))).toBe('old_workbook'),
  )
})

const SS = 'urn:schemas-microsoft-com:office:spreadsheet'
const book2003 = (rows: string, styles = ''): string =>
  `<?xml version="1.0"?>\r\n<?mso-application progid="Excel.Sheet"?>\r\n<Workbook xmlns="${SS}" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:ss="${SS}" xmlns:html="http://www.w3.org/TR/REC-html40"><Styles><Style ss:ID="Default"/>${styles}</Styles><Worksheet ss:Name="List"><Names><NamedRange ss:Name="_FilterDatabase" ss:RefersTo="=List!R3C1:R6C8"/></Names><Table ss:ExpandedColumnCount="8"><Column ss:Width="80"/>${rows}</Table><WorksheetOptions/></Worksheet><Worksheet ss:Name="Other"><Table><Row><Cell><Data ss:Type="String">not read</Data></Cell></Row></Table></Worksheet></Workbook>`
const data = (type: string, value: string, more = ''): string =>
  `<Cell${more}><Data ss:Type="${type}">${value}</Data></Cell>`
const texts = (...values: string[]): string => values.map((value) => data('String', value)).join('')

describe('XML of Excel 2003', () => {
  const STYLES = [
    '<Style ss:ID="s62"><NumberFormat ss:Format="000000000"/></Style>',
    String.raw`<Style ss:ID="s63"><NumberFormat ss:Format="000\-0000000"/></Style>`,
    '<Style ss:ID="s64"><NumberFormat ss:Format="Short Date"/></Style>',
  ].join('')
  const BOOK = book2003(
    `<Row>${data('String', 'רשימת תלמידים – בית ספר אלון', ' ss:MergeAcross="7"')}</Row>` +
      `<Row ss:Index="3">${texts(...HEADS)}</Row>` +
      `<Row>${data('String', 'נועה')}<Cell><Data ss:Type="String">כהן</Data><Comment ss:Author="Office"><ss:Data xmlns="http://www.w3.org/TR/REC-html40"><B>שאלו את ההורים</B></ss:Data></Comment></Cell>${data('Number', '12345674', ' ss:StyleID="s62"')}${data('DateTime', '2015-11-24T00:00:00.000', ' ss:StyleID="s64"')}${data('Number', '501234567', ' ss:StyleID="s63"')}${texts('דנה כהן', '050-765-4321', 'קו 1&#10;קו 2')}</Row>` +
      `<Row>${texts('ليان', 'خوري', '039337423')}${data('DateTime', '2014-04-03T00:00:00.000')}${texts('02-6271234')}<Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">Hala <B>&amp; Co</B> &lt;x&gt;</ss:Data></Cell>${texts('0599123456')}</Row>` +
      `<Row>${texts('Ömer', 'O&apos;Neil', 'AB-123')}${data('DateTime', '2013-01-02T00:00:00.000')}${data('Number', '2', ' ss:Index="8" ss:Formula="=1+1"')}</Row>` +
      `<Row ss:Index="9">${texts('סה״כ 3')}</Row>`,
    STYLES,
  )

  test('as Excel writes it', async () => expect(await read(BOOK)).toEqual(LIST))

  test('in UTF-16', async () => expect(await read(Buffer.from(`\uFEFF${BOOK}`, 'utf16le'))).toEqual(LIST))

  test('numbers are as they are shown, a text may stand in CDATA, and a formula without a result is told', async () => {
    const rows = `<Row>${texts('a', 'b', 'c')}</Row><Row>${data('Number', '0.30000000000000004')}<Cell><Data ss:Type="String"><![CDATA[x < y]]></Data></Cell>${data('Boolean', '1')}</Row><Row>${texts('x')}<Cell ss:Formula="=1+1"/>${data('Error', '#N/A', ' ss:Formula="=NA()"')}</Row>`
    const { top } = await readTable(Buffer.from(book2003(rows)))
    expect(top.slice(1)).toEqual([
      { line: 2, cells: ['0.3', 'x < y', 'true'] },
      { line: 3, cells: ['x'], unsolved: [1, 2] },
    ])
  })
})

const OFFICE = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0'
const odsOf = (rows: string, before = ''): Promise<Buffer> =>
  workbookOf('', {
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `${before}<office:document-content xmlns:office="${OFFICE}"><office:body><office:spreadsheet><table:table>${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
  })
const cell = (text: string, more = ''): string => `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`
const row = (cells: string, more = ''): string => `<table:table-row${more}>${cells}</table:table-row>`
const NAMES = row(cell('Name'))

describe('ODS', () => {
  test('notes and drawings in a cell are none of its text; what is repeated is there as often', async () => {
    const note =
      '<office:annotation><dc:creator>Ada</dc:creator><text:p>a note</text:p></office:annotation><draw:frame><draw:text-box><text:p>a label</text:p></draw:text-box></draw:frame>'
    const bytes = await odsOf(
      NAMES +
        row(
          `<table:table-cell office:value-type="string">${note}<text:p>Da<text:span>na<text:s/>Co</text:span>hen</text:p></table:table-cell>${cell('x', ' table:number-columns-repeated="2"')}<table:table-cell table:number-columns-repeated="16381"/>`,
          ' table:number-rows-repeated="2"',
        ) +
        row('<table:table-cell table:number-columns-repeated="16384"/>', ' table:number-rows-repeated="1048573"'),
    )
    expect(await read(bytes)).toEqual([
      { line: 1, cells: ['Name'] },
      { line: 2, cells: ['Dana Cohen', 'x', 'x'] },
      { line: 3, cells: ['Dana Cohen', 'x', 'x'] },
    ])
  })

  test('a formula with an error is told, one with an empty text is not', async () => {
    const formula = (more: string): string => `<table:table-cell table:formula="of:=1" ${more}/>`
    const { top } = await readTable(
      await odsOf(
        NAMES +
          row(
            cell('x') +
              formula('office:value-type="string" office:string-value="" calcext:value-type="error"') +
              formula('office:value-type="string" office:string-value=""') +
              formula('') +
              cell('0.3', ' office:value-type="float" office:value="0.30000000000000004"'),
          ),
      ),
    )
    expect(top[1]).toEqual({ line: 2, cells: ['x', '', '', '', '0.3'], unsolved: [1, 3] })
  })
})

const fill = (text: string): string => text.repeat(Math.ceil(3_000_000 / text.length))
const page = (inside: string): string => `<html><table>${inside}`
const LAUGHS = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(1000)}">]>`

describe('hostile files', () => {
  test.each<[string, () => Promise<Buffer> | string, unknown]>([
    [
      'ODS: a row a million times',
      () => odsOf(row(cell('x'), ' table:number-rows-repeated="1000000"')),
      'too_many_rows',
    ],
    [
      'ODS: a cell a million times',
      () => odsOf(row(cell('x', ' table:number-columns-repeated="1000000"'))),
      'too_many_columns',
    ],
    [
      'ODS: rows below the last that there is',
      () => odsOf(row('', ' table:number-rows-repeated="1e300"') + NAMES),
      'not_a_table',
    ],
    [
      'ODS: empty rows again and again',
      () => odsOf(NAMES + fill(row('', ' table:number-rows-repeated="1048576"'))),
      [{ line: 1, cells: ['Name'] }],
    ],
    [
      'ODS: long texts again and again',
      () => odsOf(row(cell('x'.repeat(9000)), ' table:number-rows-repeated="50000"')),
      'too_large',
    ],
    ['ODS: entities within entities', () => odsOf(NAMES, LAUGHS), 'not_a_table'],
    ['ODS: deeper than any program writes', () => odsOf(row('<a>'.repeat(200))), 'not_a_table'],
    [
      'ODS: a cell without an end',
      () => odsOf(`<table:table-row><table:table-cell>${fill('<text:p/>')}`),
      'not_a_table',
    ],
    ['2003: entities within entities', () => LAUGHS + book2003(''), 'not_a_table'],
    ['2003: deeper than any program writes', () => book2003('<a>'.repeat(200)), 'not_a_table'],
    [
      '2003: a row in one place again and again',
      () => book2003(fill(`<Row ss:Index="1">${texts('x')}</Row>`.repeat(2)).repeat(2)),
      'too_many_rows',
    ],
    [
      '2003: a cell beyond all columns',
      () => book2003(`<Row>${data('String', 'x', ' ss:Index="1000000"')}</Row>`),
      'too_many_columns',
    ],
    [
      '2003: a cell over more columns than there are',
      () => book2003(`<Row>${data('String', 'x', ' ss:MergeAcross="1e9"')}${texts('y')}</Row>`),
      'too_many_columns',
    ],
    [
      '2003: a million formats',
      () => book2003('', fill('<Style ss:ID="a"><NumberFormat ss:Format="0"/></Style>')),
      'empty_file',
    ],
    ['2003: that ends in the middle', () => book2003(`<Row>${texts('x')}</Row>`).slice(0, -250), 'not_a_table'],
    ['page: deep', () => page(fill('<b>')), 'not_a_table'],
    ['page: tables in tables', () => page(`<tr><td>${fill('<table>')}`), 'not_a_table'],
    ['page: ends of what never began', () => page('<b>'.repeat(400) + fill('</i>')), 'empty_file'],
    [
      'page: cells over more than there are',
      () => page(fill('<tr><td colspan=9999 rowspan=99999>x')),
      'too_many_columns',
    ],
    ['page: a cell of megabytes', () => page(`<tr><td>${fill('&amp;')}`), 'too_large'],
    ['page: a tag of megabytes', () => page(`<tr><td ${fill('a=1 ')}`), 'empty_file'],
    ['page: no table', () => `<html>${fill('<p>x')}`, 'not_a_table'],
    [
      'page: a script',
      () => page(`<tr><td>a<script>${fill('<td>')}</script>b<td>c`),
      [{ line: 1, cells: ['ab', 'c'] }],
    ],
  ])('%s', async (_, make, got) => expect(await read(await make())).toEqual(got), 60_000)

  test('rows that say one number have a number each', async () => {
    const rows = ['a', 'b', 'c'].map((text, at) => `<row r="${[2, 2, 1][at]}">${textCell('A1', text)}</row>`).join('')
    expect(await read(await workbookOf(sheetOf(rows)))).toEqual([
      { line: 2, cells: ['a'] },
      { line: 3, cells: ['b'] },
      { line: 4, cells: ['c'] },
    ])
  })
})

test('the heads of a list that was printed page by page are read once', async () => {
  const sheet = (await readTable(Buffer.from('Name,Phone\nDana,1\n\nName,Phone\nNoa,2\n'))).under(0)
  expect([sheet.count, sheet.rows([0, 1]).map(({ line }) => line)]).toEqual([2, [2, 5]])
})
