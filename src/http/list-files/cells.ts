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
    const digits = String(Math.abs(minor)).padStart(3, '0')
    this.text = `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
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
export interface Place {
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
const anyText = (value: unknown, place: Place, isWithin = false): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return yesOrNo(value, place.locale)
  if (Array.isArray(value)) return value.map((one) => anyText(one, place, true)).join(', ')
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (typeof value !== 'object') return ''
  const text = Object.entries(value)
    .map(([name, one]) => [wordOver(name, place.locale), anyText(one, place, true)] as const)
    .filter(([, one]) => one !== '')
    .map(([name, one]) => `${name}: ${one}`)
    .join('; ')
  return isWithin && text !== '' ? `(${text})` : text
}

const textOf = (cell: Cell): string =>
  cell === null ? '' : typeof cell === 'string' || typeof cell === 'number' ? String(cell) : cell.text

const cellOf = (value: unknown, { kind, field, element, parts = [] }: Value, place: Place): Cell => {
  if (value === null) return null
  switch (kind) {
    case 'amount':
      return new Amount(value as number)
    case 'day':
      return new Day(value as string)
    case 'instant':
      return new Moment(value as string, place.zone)
    case 'boolean':
      return yesOrNo(value as boolean, place.locale)
    case 'choice':
      return wordsFor(field, value as string, place.locale) ?? (value as string)
    case 'list':
      return (value as unknown[]).map((one) => textOf(cellOf(one, element as Value, place))).join(', ') || null
    case 'records': {
      const told = (value as unknown[]).map((one) => cellsOf(one, parts, place).map(textOf).filter(Boolean).join(' '))
      return told.join(parts.length > 1 ? '; ' : ', ') || null
    }
    case 'any':
      return anyText(value, place) || null
    default:
      return value as Cell
  }
}

/** The cells of a record, one for each column. */
export const cellsOf = (
  record: unknown,
  columns: readonly Column[],
  place: Place,
  nameOf: NameOf = () => null,
): Cell[] =>
  columns.map((column) => {
    const { namesOf, path } = column
    if (namesOf === undefined) return cellOf(valueAt(record, path), column, place)
    const id = valueAt(record, [namesOf])
    return typeof id === 'string' ? nameOf(namesOf, id) : null
  })

/** A table as it is written: heads, and rows as they come. */
export interface Table {
  heads: readonly string[]
  pages: AsyncIterable<readonly (readonly Cell[])[]>
}
