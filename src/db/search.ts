import { CompiledQuery, sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { BoundedCaches } from '#kernel/bounded-cache.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import { engineOf } from './dialect.ts'
import { declareSafe, underlying } from './scope.ts'
import { OneConnectionAdapter, type SqliteConnection } from './sqlite.ts'

/** Full-text search in the column search_text of a table. Both engines have a trigram index on it (see schema-kit). */

/** Raw SQL that the tenant scope accepts: the expressions in this file cannot weaken it. */
const safeSql = <T>(fragment: RawBuilder<T>): RawBuilder<T> => {
  const node = fragment.toOperationNode() as { sqlFragments?: readonly string[] }
  if (node.sqlFragments) declareSafe(node.sqlFragments)
  return fragment
}

/** A search uses at most this many distinct words and ignores the rest. */
const MAX_WORDS = 8

/** A shorter word matches only at the beginning of a word. */
const TRIGRAM_LENGTH = 3

/** For a longer word, SQLite's index is only asked for its beginning: it reads rows for every trigram. */
const MAX_PHRASE_LENGTH = 10

/**
 * With at least this many matches, reading the list in its order fills a page sooner than sorting all matches. Postgres
 * decides this by itself.
 */
const MANY_MATCHES = 1000

/**
 * A trigram in at least this many rows is common. To find rows with several common trigrams, SQLite reads all rows of
 * one of them.
 */
const COMMON_ROWS = 2500

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

const charactersOf = (word: string): string[] => Array.from(word)

const phraseOf = (part: string): string => `"${part.replaceAll('"', '""')}"`

/**
 * The beginning of a part as the index contains it. A short part includes the blanks before it, which the index puts
 * before every word.
 */
const indexedOf = (part: string): string =>
  charactersOf(' '.repeat(Math.max(0, TRIGRAM_LENGTH - charactersOf(part).length)) + part)
    .slice(0, MAX_PHRASE_LENGTH)
    .join('')

const trigramsOf = (indexed: string): string[] => {
  const characters = charactersOf(indexed)
  return characters
    .slice(TRIGRAM_LENGTH - 1)
    .map((_, index) => characters.slice(index, index + TRIGRAM_LENGTH).join(''))
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
const matches = async (db: SystemDb, table: string, match: string, limit: number): Promise<number> => {
  const { adapter } = db.getExecutor()
  if (!(adapter instanceof OneConnectionAdapter)) throw new Error('only SQLite has this index')
  const { connection } = adapter
  const known = counts.of(adapter)
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
const rowsOfRareTrigram = async (db: SystemDb, table: string, part: string): Promise<number | undefined> => {
  for (const trigram of trigramsOf(indexedOf(part))) {
    const rows = await matches(db, table, phraseOf(trigram), COMMON_ROWS)
    if (rows < COMMON_ROWS) return rows
  }
  return undefined
}

const matchOf = (parts: readonly string[]): string => parts.map((part) => phraseOf(indexedOf(part))).join(' ')

/** Plans a search on SQLite, which needs to know how many rows match. */
const planOnSqlite = async (db: SystemDb, table: string, parts: readonly string[]): Promise<WordSearch> => {
  const rare: string[] = []
  let fewest = COMMON_ROWS
  for (const part of parts) {
    const rows = await rowsOfRareTrigram(db, table, part)
    if (rows === undefined) continue
    if (rows === 0) return NOTHING
    rare.push(part)
    fewest = Math.min(fewest, rows)
  }
  if (rare.length === 0) return { form: 'holds', parts }
  const isLong = (part: string): boolean => charactersOf(part).length > MAX_PHRASE_LENGTH
  if (fewest < MANY_MATCHES) {
    // Looking for a common word in the rows that the rare ones leave is faster than looking it up in the index.
    const held = parts.filter((part) => !rare.includes(part) || isLong(part))
    return { form: 'match', parts: [matchOf(rare), ...held], atMost: fewest }
  }
  const match = matchOf(parts)
  const rows = await matches(db, table, match, MANY_MATCHES)
  if (rows >= MANY_MATCHES) return { form: 'holds', parts }
  return { form: 'match', parts: [match, ...parts.filter(isLong)], atMost: rows }
}

/** A planned search. The conditions of two searches with the same `form` differ only in `parts`. */
export interface WordSearch {
  form: 'none' | 'like' | 'holds' | 'match'
  parts: readonly string[]
  /** At most this many rows match, in all institutes; absent: not known. */
  atMost?: number
}

const NOTHING: WordSearch = { form: 'none', parts: [] }

/** The words of a folded query that a search uses. */
export const wordsOf = (folded: string): string[] =>
  [...new Set(folded.split(' '))].filter((word) => word !== '').slice(0, MAX_WORDS)

const isShort = (word: string): boolean => charactersOf(word).length < TRIGRAM_LENGTH

/** Where a word of a search may be found: anywhere, or at the beginning of a word only. */
export type WordPosition = 'anywhere' | 'word-start'

/**
 * Plans a search for rows whose search_text contains each of the first eight distinct words of `folded` (a query that
 * kernel/text has folded). A word of one or two letters must be at the beginning of a word. A query without words finds
 * nothing.
 */
export const planSearch = async (
  db: ScopedDb,
  table: string,
  folded: string,
  position: WordPosition = 'anywhere',
): Promise<WordSearch> => {
  const words = wordsOf(folded)
  if (words.length === 0) return NOTHING
  const parts = words.map((word) => (position === 'word-start' || isShort(word) ? ` ${word}` : word))
  if (engineOf(db) === 'postgres') {
    const escaped = (part: string): string => part.replaceAll(/[\\%_]/g, String.raw`\$&`)
    return { form: 'like', parts: parts.map((part) => `%${escaped(part)}%`) }
  }
  return planOnSqlite(underlying(db), table, parts)
}

/**
 * What puts the newest matches first. SQLite finds matches in the order of their rowids, in which the rows were inserted:
 * it reads no more of them than are wanted, and sorts none.
 */
export const newestMatches = (table: string, { form }: WordSearch): Expression<unknown>[] =>
  (form === 'match' ? ['rowid'] : ['created_at', 'id']).map((column) => safeSql(sql`${sql.ref(`${table}.${column}`)}`))

/** The conditions for a row that matches. The parts may be slots. */
export const searchConditions = (table: string, { form, parts }: WordSearch): Expression<SqlBool>[] => {
  if (form === 'none') return [sql.lit(false)]
  // The same expression as in the index.
  const text = safeSql(sql<string>`(' ' || ${sql.ref(`${table}.search_text`)})`)
  if (form === 'like') return parts.map((pattern) => safeSql(sql<SqlBool>`${text} like ${pattern}`))
  const holds = (part: string) => safeSql(sql<SqlBool>`instr(${text}, ${part}) > 0`)
  if (form === 'holds') return parts.map(holds)
  const [match, ...long] = parts
  const index = sql.table(`${table}_search`)
  const rowid = sql.ref(`${table}.rowid`)
  return [
    safeSql(sql<SqlBool>`${rowid} in (select rowid from ${index} where ${index} match ${match})`),
    ...long.map(holds),
  ]
}
