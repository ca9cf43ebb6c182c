import { CompiledQuery } from 'kysely'
import { BoundedCaches } from '#kernel/basics/bounded-cache.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { OneConnectionAdapter, type SqliteConnection } from '#db/sqlite/sqlite.ts'

/** What SQLite's trigram index knows of the parts of a search: how many rows have them. */

/** A shorter word matches only at the beginning of a word. */
export const TRIGRAM_LENGTH = 3

/** For a longer word, SQLite's index is only asked for its beginning: it reads rows for every trigram. */
export const MAX_PHRASE_LENGTH = 10

/**
 * A trigram in at least this many rows is common. To find rows with several common trigrams, SQLite reads all rows of
 * one of them.
 */
export const COMMON_ROWS = 2500

/** Up to this many rows are counted to choose the one of several common trigrams that has the fewest. */
export const MANY_ROWS = 25_000

/** The number of rows that match an expression, and the version of the data in which they were counted. */
interface Counted {
  rows: number
  version: number | undefined
}

/**
 * Counts per database; the key is the table, the limit and the expression. While somebody types, each letter asks for the trigrams
 * of the letters before it again.
 */
const counts = new BoundedCaches<WeakKey, string, Counted>(10_000)

export const charactersOf = (word: string): string[] => Array.from(word)

export const phraseOf = (part: string): string => `"${part.replaceAll('"', '""')}"`

/**
 * The beginning of a part as the index contains it. A short part includes the blanks before it, which the index puts
 * before every word.
 */
export const indexedOf = (part: string): string =>
  charactersOf(' '.repeat(Math.max(0, TRIGRAM_LENGTH - charactersOf(part).length)) + part)
    .slice(0, MAX_PHRASE_LENGTH)
    .join('')

export const trigramsOf = (indexed: string): string[] => {
  const characters = charactersOf(indexed)
  return characters
    .slice(TRIGRAM_LENGTH - 1)
    .map((_, index) => characters.slice(index, index + TRIGRAM_LENGTH).join(''))
}

const connectionOf = (db: SystemDb): SqliteConnection => {
  const { adapter } = db.getExecutor()
  if (!(adapter instanceof OneConnectionAdapter)) throw new Error('only SQLite has this index')
  return adapter.connection
}

const countOf = async (connection: SqliteConnection, table: string, match: string, limit: number): Promise<number> => {
  const index = `"${table}_search"`
  const text = `select count(*) as matches from (select 1 from ${index} where ${index} match ? limit ?)`
  const { rows } = await connection.executeQuery<{ matches: number }>(CompiledQuery.raw(text, [match, limit]))
  return rows[0]?.matches ?? 0
}

/**
 * How many rows match, up to a limit. A count is valid while the data does not change. What has reached the limit stays
 * there, because rows rarely become fewer.
 */
export const matches = async (db: SystemDb, table: string, match: string, limit: number): Promise<number> => {
  const connection = connectionOf(db)
  const known = counts.of(connection)
  const version = connection.dataVersion()
  const key = `${table} ${limit} ${match}`
  const last = known.find(key)
  if (last && (last.rows >= limit || (version !== undefined && last.version === version))) return last.rows
  const rows = await countOf(connection, table, match, limit)
  known.set(key, { rows, version })
  return rows
}

/**
 * The rows of the first trigram of a part that is not common, up to COMMON_ROWS; undefined: all are common, and it may
 * take long to find the rows that contain all of them.
 */
export const rowsOfRareTrigram = async (db: SystemDb, table: string, part: string): Promise<number | undefined> => {
  for (const trigram of trigramsOf(indexedOf(part))) {
    const rows = await matches(db, table, phraseOf(trigram), COMMON_ROWS)
    if (rows < COMMON_ROWS) return rows
  }
  return undefined
}

/** How many trigrams the index is asked for: with more, it takes longer to find the rows than to look into them. */
const ASKED_TRIGRAMS = 2

/** The trigrams by which the rows that have some parts are found fastest. */
interface RarestTrigrams {
  trigrams: string[]
  /** About how many rows have the rarest, up to MANY_ROWS. */
  rows: number
}

/** About how many rows have a trigram, up to MANY_ROWS. It is counted once. */
const aboutRows = async (connection: SqliteConnection, table: string, trigram: string): Promise<number> => {
  const known = counts.of(connection)
  const key = `${table} about ${trigram}`
  const last = known.find(key)
  if (last) return last.rows
  const rows = await countOf(connection, table, phraseOf(trigram), MANY_ROWS)
  known.set(key, { rows, version: undefined })
  return rows
}

/**
 * The rarest trigrams of some parts. How many rows have them was counted once: it chooses how fast a search is, not
 * what it finds.
 */
export const rarestOf = async (db: SystemDb, table: string, parts: readonly string[]): Promise<RarestTrigrams> => {
  const connection = connectionOf(db)
  const counted: { trigram: string; rows: number }[] = []
  for (const trigram of new Set(parts.flatMap((part) => trigramsOf(indexedOf(part))))) {
    counted.push({ trigram, rows: await aboutRows(connection, table, trigram) })
  }
  const rarest = counted.toSorted((one, other) => one.rows - other.rows).slice(0, ASKED_TRIGRAMS)
  return { trigrams: rarest.map(({ trigram }) => trigram), rows: rarest[0]?.rows ?? MANY_ROWS }
}
