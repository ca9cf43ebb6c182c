import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { BoundedCaches } from '#kernel/bounded-cache.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import { engineOf } from './dialect.ts'
import { scopeOf, declareSafe } from './scope.ts'

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

/**
 * Caches the trigrams that were found common, per database and table. They stay common, because rows rarely become
 * fewer.
 */
const knownCommon = new BoundedCaches<WeakKey, string, string>(10_000)

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

/** How many rows match, up to a limit. */
const matches = async (db: SystemDb, table: string, match: string, limit: number): Promise<number> => {
  const index = sql.table(`${table}_search`)
  const { rows } = await sql<{ matches: number }>`
    select count(*) as matches from (select 1 from ${index} where ${index} match ${match} limit ${limit})
  `.execute(db)
  return rows[0]?.matches ?? 0
}

/** Whether all trigrams are common. Then it may take long to find the rows that contain all of them. */
const areCommon = async (db: SystemDb, table: string, trigrams: Iterable<string>): Promise<boolean> => {
  const known = knownCommon.of(db.getExecutor().adapter)
  for (const trigram of trigrams) {
    const key = `${table} ${trigram}`
    if (known.find(key) !== undefined) continue
    if ((await matches(db, table, phraseOf(trigram), COMMON_ROWS)) < COMMON_ROWS) return false
    known.set(key, key)
  }
  return true
}

/**
 * The FTS5 expression for words that few rows of a SQLite table match; undefined: many rows match, or it would take
 * long to find out.
 */
const selectiveMatch = async (db: SystemDb, table: string, parts: readonly string[]): Promise<string | undefined> => {
  const indexed = parts.map(indexedOf)
  if (await areCommon(db, table, new Set(indexed.flatMap(trigramsOf)))) return undefined
  const match = indexed.map(phraseOf).join(' ')
  return (await matches(db, table, match, MANY_MATCHES)) < MANY_MATCHES ? match : undefined
}

/** A planned search. The conditions of two searches with the same `form` differ only in `parts`. */
export interface WordSearch {
  form: 'none' | 'like' | 'holds' | 'match'
  parts: readonly string[]
}

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
  if (words.length === 0) return { form: 'none', parts: [] }
  const parts = words.map((word) => (position === 'word-start' || isShort(word) ? ` ${word}` : word))
  if (engineOf(db) === 'postgres') {
    const escaped = (part: string): string => part.replaceAll(/[\\%_]/g, String.raw`\$&`)
    return { form: 'like', parts: parts.map((part) => `%${escaped(part)}%`) }
  }
  const match = await selectiveMatch(scopeOf(db).db, table, parts)
  if (match === undefined) return { form: 'holds', parts }
  const long = parts.filter((part) => charactersOf(part).length > MAX_PHRASE_LENGTH)
  return { form: 'match', parts: [match, ...long] }
}

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
