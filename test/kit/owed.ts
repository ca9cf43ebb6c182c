import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { World } from './examples.ts'
import type { FillWords } from './fill-sql.ts'

/**
 * What a module owes the tests that hold for every table and every list. It says so in test/modules/<its name>.ts, as
 * `owed`; a test fails for a table of an institute of which nothing is said.
 */
export interface Owed {
  /** For each of its tables: what the rows of a large institute are, or why it has few. */
  tables: Readonly<Record<string, RowsOf | Few>>
  /** The module's records under the names by which filters and bodies name them; lists find something by each. */
  records?: Readonly<Record<string, MakeRecord>>
  /** For each of its lists a value of every filter, which narrows it where `tables` say the rows. */
  filters?: Readonly<Record<string, Readonly<Record<string, FilterValue>>>>
  /** Rows of an institute of an earlier version, for tables in which the kept ones have none; see test/upgrade. */
  kept?: (words: KeptWords) => Readonly<Record<string, readonly KeptRow[]>>
}

/** Each column is SQL over `n`: the n-th row belongs to the n-th of the others. Id, institute and `created_at` come by themselves. */
export type RowsOf = (words: RowWords) => Columns | Promise<Columns>
export type Columns = Readonly<Record<string, string>>
export interface Few {
  few: string
}

export interface RowWords extends FillWords {
  /** The institute’s branches in turn. */
  branch: string
  /** The owner’s account. */
  user: string
  /** When the n-th row was made. */
  at: string
  /** How many rows there are, but of students. */
  count: number
  /** The one record of that name, which is made when it is first asked for. */
  record: RecordOf
}

export type RecordOf = (name: string) => Promise<string>
/** @returns its id */
export type MakeRecord = (world: World, record: RecordOf) => Promise<string> | string

export type FilterValue = string | ((world: World) => string)

export type KeptRow = Record<string, unknown>
export interface KeptWords {
  /** The first row of a table; {} where there is none. */
  first(table: string): KeptRow
  /** A student whom the kept institute did not have. */
  studentId: string
  nth(n: number): string
  at: string
  later: string
}

const FOLDER = path.join(import.meta.dirname, '../modules')

/** What each module says, by its name. */
export const loadOwed = async (): Promise<Record<string, Owed>> => {
  const said: Record<string, Owed> = {}
  for (const file of readdirSync(FOLDER)) {
    const { owed } = (await import(/* @vite-ignore */ path.join(FOLDER, file))) as { owed: Owed }
    said[path.basename(file, '.ts')] = owed
  }
  return said
}

/** The records of one institute by their names, each made once, when it is first asked for. */
export const recordsOf = async (world: World): Promise<RecordOf> => {
  const makers: Record<string, MakeRecord> = Object.assign(
    {},
    ...Object.values(await loadOwed()).map(({ records }) => records),
  )
  const made = new Map<string, Promise<string>>()
  const record: RecordOf = (name) => {
    const make = makers[name]
    if (!make) throw new Error(`No module under test/modules says what ${name} names.`)
    const id = made.get(name) ?? (async () => make(world, record))()
    made.set(name, id)
    return id
  }
  return record
}

/** The names of all records. */
export const recordNames = async (): Promise<string[]> =>
  Object.values(await loadOwed()).flatMap(({ records = {} }) => Object.keys(records))
