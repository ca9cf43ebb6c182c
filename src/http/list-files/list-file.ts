import { create as contentDisposition } from 'content-disposition'
import { invalid } from '#kernel/values/errors.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { FileCell, FileReader, ListFile } from '#kernel/contract/list-file.ts'
import { directionOf, type Locale } from '#shared/locale.ts'
import type { Page } from '#kernel/values/schema.ts'
import { localDate } from '#kernel/time/zone.ts'
import type { Reply } from '#http/replies/reply.ts'
import { cellsOf, Moment, type Cell, type Table } from './cells.ts'
import { columnsOf } from './columns.ts'
import { asCsv } from './csv.ts'
import { headOf } from './heads/index.ts'
import type { NamesOfRecords } from './names.ts'
import { titleOf } from './titles/index.ts'
import { asXlsx } from './xlsx.ts'

/** A whole list as a file: the same records as page by page, for spreadsheets. */

const FILE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type FileFormat = keyof typeof FILE_TYPES

export const FORMATS = ['json', 'csv', 'xlsx'] as const

/**
 * The file that a request for a list asks for: by `format`, or else by the header Accept.
 * @param accepted the first of these media types that the header names
 * @returns undefined: it asks for a page as JSON
 * @throws VALIDATION_ERROR for another format, and for a cursor or limit beside it
 */
export const formatAsked = (
  query: URLSearchParams,
  accepted: (types: readonly string[]) => string | false,
): FileFormat | undefined => {
  const given = query.get('format')
  if (given !== null && !FORMATS.includes(given as FileFormat)) throw invalid(['format'], 'Must be json, csv or xlsx.')
  if (given === 'json') return undefined
  const type = given === null ? accepted(['application/json', ...Object.values(FILE_TYPES)]) : undefined
  const format = (given ?? Object.entries(FILE_TYPES).find(([, one]) => one === type)?.[0]) as FileFormat | undefined
  if (format === undefined) return undefined
  for (const name of ['cursor', 'limit'])
    if (query.has(name)) throw invalid([name], 'A file holds the whole list: leave this out.')
  return format
}

interface Asked {
  endpoint: Endpoint
  format: FileFormat
  locale: Locale
  /** The time zone of the institute. */
  zone: string
  now: string
  names: NamesOfRecords
  /** For a list that has a file of its own. */
  reader: FileReader | undefined
}

const ownCell = (cell: FileCell, zone: string): Cell =>
  typeof cell === 'string' ? cell || null : new Moment(cell.instant, zone)

/** The table of a list by its own declaration. */
const ownTable = (file: ListFile, reader: FileReader, pages: AsyncIterable<Page<unknown>>): Table => {
  const rows = async function* () {
    for await (const { data } of pages) {
      const cells = await file.rows(data, reader)
      yield cells.map((row) => row.map((cell) => ownCell(cell, reader.zone)))
    }
  }
  return { heads: file.heads(reader.locale), pages: rows() }
}

/** The table of a list with a column for each field of its records. */
const tableOf = ({ endpoint, locale, zone, names }: Asked, pages: AsyncIterable<Page<unknown>>): Table => {
  const columns = columnsOf(endpoint.reply as NonNullable<Endpoint['reply']>)
  const rows = async function* () {
    for await (const { data } of pages) {
      const nameOf = await names.read(data)
      yield data.map((record) => cellsOf(record, columns, { locale, zone }, nameOf))
    }
  }
  return { heads: columns.map(({ path }) => headOf(path, locale)), pages: rows() }
}

/** @param pages each page of the list, from the first */
export const listFileReply = (asked: Asked, pages: AsyncIterable<Page<unknown>>): Reply => {
  const { endpoint, format, locale, zone, now, reader } = asked
  const { asFile } = endpoint
  const table = asFile && reader ? ownTable(asFile, reader, pages) : tableOf(asked, pages)
  const { title, code } = titleOf(endpoint, locale)
  const end = `-${localDate(now, zone)}.${format}`
  return {
    status: 200,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Type': format === 'csv' ? `${FILE_TYPES.csv}; charset=utf-8` : FILE_TYPES.xlsx,
      'Content-Disposition': contentDisposition(title + end, { fallback: code + end }),
    },
    body:
      format === 'csv' ? asCsv(table) : asXlsx(table, { title, rightToLeft: directionOf(locale) === 'rtl', at: now }),
  }
}
