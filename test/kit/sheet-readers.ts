import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { isNightly } from './volume.ts'

/** Programs and libraries that read workbooks, and what each says of one: the texts of the cells of its first sheet. */
export interface SheetReader {
  name: string
  /** Why it is not here; undefined: it is. */
  missing(): string | undefined
  read(workbook: Buffer): string[][] | Promise<string[][]>
}

/** Fetched once where a registry is in reach: with what they bring they are 50 MB, which nobody else needs. */
const FETCHED = path.join(import.meta.dirname, '..', '..', '.cache', 'sheet-readers')
const PACKAGES = ['exceljs@4.4.0', 'xlsx@0.18.5']

const fetchPackages = (): string | undefined => {
  if (!isNightly) return 'it is fetched at night'
  if (existsSync(path.join(FETCHED, 'node_modules/xlsx')) && existsSync(path.join(FETCHED, 'node_modules/exceljs')))
    return undefined
  try {
    mkdirSync(FETCHED, { recursive: true })
    writeFileSync(path.join(FETCHED, 'package.json'), '{ "private": true }')
    const options = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES]
    execFileSync('npm', options, { cwd: FETCHED, stdio: 'ignore', timeout: 120_000 })
    return undefined
  } catch {
    rmSync(FETCHED, { recursive: true, force: true })
    return 'npm cannot install it'
  }
}

const fetched = (name: string): unknown => createRequire(path.join(FETCHED, 'package.json'))(name)

const textOf = (value: unknown): string =>
  value instanceof Date
    ? value.toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '')
    : typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : ''

const inFolder = (workbook: Buffer, work: (file: string, folder: string) => string): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-sheet-'))
  try {
    const file = path.join(folder, 'list.xlsx')
    writeFileSync(file, workbook)
    return work(file, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const rowsOf = (csv: string): string[][] => parse(csv, { relax_column_count: true })

const program = (file: string): (() => string | undefined) => {
  return () => (existsSync(file) ? undefined : `there is no ${file}`)
}

const OPENPYXL = `
import sys, json, datetime, openpyxl
def text(value):
    if value is None: return ''
    if isinstance(value, datetime.datetime): return value.strftime('%Y-%m-%d %H:%M').replace(' 00:00', '')
    return str(value)
sheet = openpyxl.load_workbook(sys.argv[1]).worksheets[0]
print(json.dumps([[text(cell.value) for cell in row] for row in sheet.iter_rows()]))
`
const PYTHON = '/usr/bin/python3'

interface ExcelJs {
  Workbook: new () => {
    xlsx: { load(bytes: Buffer): Promise<unknown> }
    worksheets: { eachRow(each: (row: { values: unknown[] }) => void): void }[]
  }
}

interface SheetJs {
  read(bytes: Buffer, options: object): { SheetNames: string[]; Sheets: Record<string, object> }
  utils: { sheet_to_json(sheet: object, options: object): unknown[][] }
}

export const SHEET_READERS: readonly SheetReader[] = [
  {
    name: 'hucre',
    missing: () => undefined,
    read: async (workbook) => (await readXlsx(workbook)).sheets[0]?.rows.map((row) => row.map(textOf)) ?? [],
  },
  {
    name: 'exceljs',
    missing: fetchPackages,
    read: async (workbook) => {
      const book = new (fetched('exceljs') as ExcelJs).Workbook()
      await book.xlsx.load(workbook)
      const rows: string[][] = []
      // The first of its values is that of no column.
      book.worksheets[0]?.eachRow(({ values }) => rows.push(Array.from(values.slice(1), textOf)))
      return rows
    },
  },
  {
    name: 'SheetJS',
    missing: fetchPackages,
    read: (workbook) => {
      const { read, utils } = fetched('xlsx') as SheetJs
      const { SheetNames, Sheets } = read(workbook, { dense: false })
      const rows = utils.sheet_to_json(Sheets[SheetNames[0] ?? ''] ?? {}, { header: 1, raw: false })
      return rows.map((row) => Array.from(row, textOf))
    },
  },
  {
    name: 'openpyxl',
    missing: () => {
      try {
        execFileSync(PYTHON, ['-c', 'import openpyxl'], { stdio: 'ignore' })
        return undefined
      } catch {
        return 'there is no python3-openpyxl'
      }
    },
    read: (workbook) =>
      JSON.parse(
        inFolder(workbook, (file) => execFileSync(PYTHON, ['-c', OPENPYXL, file], { encoding: 'utf8' })),
      ) as string[][],
  },
  {
    name: 'Gnumeric',
    missing: program('/usr/bin/ssconvert'),
    read: (workbook) =>
      rowsOf(
        inFolder(workbook, (file, folder) => {
          const csv = path.join(folder, 'list.csv')
          execFileSync('/usr/bin/ssconvert', [file, csv], { stdio: 'ignore', timeout: 50_000 })
          // It writes days in a way of its own.
          return readFileSync(csv, 'utf8').replaceAll(
            /(\d{4})\/(\d\d)\/(\d\d)(?: (\d\d:\d\d):00)?/g,
            (_, year, month, day, time) => [`${year}-${month}-${day}`, time].filter(Boolean).join(' '),
          )
        }),
      ),
  },
  {
    name: 'LibreOffice',
    missing: program('/usr/bin/soffice'),
    read: (workbook) =>
      rowsOf(
        inFolder(workbook, (file, folder) => {
          const options = ['--headless', `-env:UserInstallation=file://${folder}/profile`]
          // Commas, quotation marks, UTF-8, and the cells as they are shown.
          const format = ['--convert-to', 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true']
          execFileSync('/usr/bin/soffice', [...options, ...format, '--outdir', folder, file], {
            stdio: 'ignore',
            timeout: 55_000,
          })
          return readFileSync(path.join(folder, 'list.csv'), 'utf8')
        }),
      ),
  },
]
