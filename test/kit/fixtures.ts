import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { World } from './examples.ts'
import type { FillWords } from './fill-sql.ts'

/**
 * What a module provides for the tests of all tables and all lists, as `fixtures` in test/fixtures/<its name>.ts. A test
 * fails for a table that no module names.
 */
export interface ModuleFixtures {
  /** For each of its tables: the rows of a large institute, or why it has few. */
  tables: Readonly<Record<string, RowsOf | Few>>
  /** The module's records, by the names that filters and bodies use for them; lists find at least one row by each. */
  records?: Readonly<Record<string, MakeRecord>>
  /** For each of its lists, a value of every filter; with the rows of `tables` it must narrow the list. */
  filters?: Readonly<Record<string, Readonly<Record<string, FilterValue>>>>
  /** Rows for institutes of earlier versions, for tables in which the kept ones have none; see test/upgrade. */
  kept?: (words: KeptWords) => Readonly<Record<string, readonly KeptRow[]>>
}

/**
 * Each column is SQL over `n`: the n-th row belongs to the n-th rows of the other tables. Id, institute and
 * `created_at` are added to it.
 */
export type RowsOf = (words: RowWords) => Columns | Promise<Columns>
export type Columns = Readonly<Record<string, string>>
export interface Few {
  few: string
}

export interface RowWords extends FillWords {
  /** SQL that takes the institute's branches in turn. */
  branch: string
  /** The owner's user id. */
  user: string
  /** When the n-th row was made. */
  at: string
  /** The number of rows in each table except students. */
  count: number
  /** The id of the record with that name, which is made on the first call. */
  record: RecordOf
}

export type RecordOf = (name: string) => Promise<string>
/** @returns its id */
export type MakeRecord = (world: World, record: RecordOf) => Promise<string> | string

/** For a read by id, also by the id that is read. */
export type FilterValue = string | ((world: World, id: string) => Promise<string> | string)

export type KeptRow = Record<string, unknown>
export interface KeptWords {
  /** The first row of a table; {} when it has none. */
  first(table: string): KeptRow
  /** A student whom the kept institute did not have. */
  studentId: string
  /** A member of the staff whom it did not have either. */
  staffId: string
  nth(n: number): string
  at: string
  later: string
}

const FOLDER = path.join(import.meta.dirname, '../fixtures')

/** The fixtures of every module, by its name. */
export const loadFixtures = async (): Promise<Record<string, ModuleFixtures>> => {
  const found: Record<string, ModuleFixtures> = {}
  for (const file of readdirSync(FOLDER)) {
    const { fixtures } = (await import(/* @vite-ignore */ path.join(FOLDER, file))) as { fixtures: ModuleFixtures }
    found[path.basename(file, '.ts')] = fixtures
  }
  return found
}

/** The records of one institute by name, each made on its first use. */
export const recordsOf = async (world: World): Promise<RecordOf> => {
  const makers: Record<string, MakeRecord> = Object.assign(
    {},
    ...Object.values(await loadFixtures()).map(({ records }) => records),
  )
  const made = new Map<string, Promise<string>>()
  const record: RecordOf = (name) => {
    const make = makers[name]
    if (!make) throw new Error(`test/fixtures has no record ${name}.`)
    const id = made.get(name) ?? (async () => make(world, record))()
    made.set(name, id)
    return id
  }
  return record
}

/** The names of all records. */
export const recordNames = async (): Promise<string[]> =>
  Object.values(await loadFixtures()).flatMap(({ records = {} }) => Object.keys(records))
