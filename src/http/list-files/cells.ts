import { localTime } from '#kernel/zone.ts'
import type { Column } from './columns.ts'

/** A value as a spreadsheet has it. null: the cell is empty. */
export type Cell = string | number | boolean | Amount | Day | Moment | null

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

const valueAt = (record: unknown, path: readonly string[]): unknown => {
  let value = record
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value ?? null
}

const cellOf = (value: unknown, { kind }: Column, zone: string): Cell => {
  if (value === null) return null
  switch (kind) {
    case 'amount':
      return new Amount(value as number)
    case 'day':
      return new Day(value as string)
    case 'instant':
      return new Moment(value as string, zone)
    case 'list':
      return (value as unknown[]).join(', ')
    case 'json':
      return JSON.stringify(value)
    default:
      return value as Cell
  }
}

/** The cells of a record, one for each column. */
export const cellsOf = (record: unknown, columns: readonly Column[], zone: string): Cell[] =>
  columns.map((column) => cellOf(valueAt(record, column.path), column, zone))

/** A table as it is written: heads, and rows as they come. */
export interface Table {
  heads: readonly string[]
  pages: AsyncIterable<readonly (readonly Cell[])[]>
}
