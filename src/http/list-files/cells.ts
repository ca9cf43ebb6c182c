import { decimal } from '#kernel/values/money.ts'
import type { Locale } from '#shared/locale.ts'
import { localTime } from '#kernel/time/zone.ts'
import type { Column, Value } from './columns.ts'
import { wordOver } from './heads/index.ts'
import { wordsFor, yesOrNo } from './words/index.ts'

/** A value as a spreadsheet has it. null: the cell is empty. */
export type Cell = string | number | Amount | Day | Moment | null

/** An amount of money in whole units of its currency, such as 450.00, as exact text. */
export class Amount {
  readonly text: string

  constructor(minor: number) {
    this.text = decimal(minor)
  }
}

export class Day {
  /** YYYY-MM-DD */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A moment by the clock on the institute's wall. */
export class Moment {
  /** YYYY-MM-DD HH:MM */
  readonly text: string

  constructor(instant: string, zone: string) {
    this.text = localTime(instant, zone).slice(0, 16).replace('T', ' ')
  }
}

/** Whose eyes the file is for. */
export interface Viewer {
  locale: Locale
  /** The time zone of the institute. */
  zone: string
}

/** The name of a record by the field of its id; null: there is none that the caller may read. */
export type NameOf = (field: string, id: string) => string | null

const valueAt = (record: unknown, path: readonly string[]): unknown => {
  let value = record
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value ?? null
}

/** Anything in words: `name: value; name: value`. */
const anyText = (value: unknown, viewer: Viewer, isWithin = false): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return yesOrNo(value, viewer.locale)
  if (Array.isArray(value)) return value.map((one) => anyText(one, viewer, true)).join(', ')
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (typeof value !== 'object') return ''
  const text = Object.entries(value)
    .map(([name, one]) => [wordOver(name, viewer.locale), anyText(one, viewer, true)] as const)
    .filter(([, one]) => one !== '')
    .map(([name, one]) => `${name}: ${one}`)
    .join('; ')
  return isWithin && text !== '' ? `(${text})` : text
}

const textOf = (cell: Cell): string =>
  cell === null ? '' : typeof cell === 'string' || typeof cell === 'number' ? String(cell) : cell.text

const cellOf = (value: unknown, { kind, field, choice, element, parts = [] }: Value, viewer: Viewer): Cell => {
  if (value === null) return null
  switch (kind) {
    case 'amount':
      return new Amount(value as number)
    case 'day':
      return new Day(value as string)
    case 'instant':
      return new Moment(value as string, viewer.zone)
    case 'boolean':
      return yesOrNo(value as boolean, viewer.locale)
    case 'choice':
      return wordsFor(field, value as string, viewer.locale, choice) ?? (value as string)
    case 'list':
      return (value as unknown[]).map((one) => textOf(cellOf(one, element as Value, viewer))).join(', ') || null
    case 'records': {
      const told = (value as unknown[]).map((one) => cellsOf(one, parts, viewer).map(textOf).filter(Boolean).join(' '))
      return told.join(parts.length > 1 ? '; ' : ', ') || null
    }
    case 'any':
      return anyText(value, viewer) || null
    default:
      return value as Cell
  }
}

/** The cells of a record, one for each column. */
export const cellsOf = (
  record: unknown,
  columns: readonly Column[],
  viewer: Viewer,
  nameOf: NameOf = () => null,
): Cell[] =>
  columns.map((column) => {
    const { namesOf, path } = column
    if (namesOf === undefined) return cellOf(valueAt(record, path), column, viewer)
    const id = valueAt(record, [namesOf])
    return typeof id === 'string' ? nameOf(namesOf, id) : null
  })

/** A table as it is written: heads, and rows as they come. */
export interface Table {
  heads: readonly string[]
  pages: AsyncIterable<readonly (readonly Cell[])[]>
}
