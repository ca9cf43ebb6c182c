import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { ScopedDb, SystemDb } from '#kernel/contract/tables.ts'
import { engineOf } from '#db/dialect.ts'
import { declareSafe, underlying } from '#db/scope/scope.ts'
import {
  charactersOf,
  COMMON_ROWS,
  indexedOf,
  matches,
  phraseOf,
  rarestOf,
  rowsOfRareTrigram,
  TRIGRAM_LENGTH,
} from './trigrams.ts'

/** Full-text search in the column search_text of a table. Both engines have a trigram index on it (see schema-kit). */

/** Raw SQL that the tenant scope accepts: the expressions of searches cannot weaken it. */
export const safeSql = <T>(fragment: RawBuilder<T>): RawBuilder<T> => {
  const node = fragment.toOperationNode() as { sqlFragments?: readonly string[] }
  if (node.sqlFragments) declareSafe(node.sqlFragments)
  return fragment
}

/** A search uses at most this many distinct words and ignores the rest. */
const MAX_WORDS = 8

/**
 * With at least this many matches, reading the list in its order fills a page sooner than sorting all matches. Postgres
 * decides this by itself.
 */
const MANY_MATCHES = 1000

/** A planned search. The conditions of two searches with the same `form` differ only in `parts`. */
export interface WordSearch {
  form: 'none' | 'like' | 'holds' | 'match'
  parts: readonly string[]
}

export const NOTHING: WordSearch = { form: 'none', parts: [] }

/** The words of a folded query that a search uses. */
export const wordsOf = (folded: string): string[] =>
  [...new Set(folded.split(' '))].filter((word) => word !== '').slice(0, MAX_WORDS)

const isShort = (word: string): boolean => charactersOf(word).length < TRIGRAM_LENGTH

/** Where a word of a search may be found: anywhere, or at the beginning of a word only. */
export type WordPosition = 'anywhere' | 'word-start'

/** What a row must contain for each word. A word of one or two letters must be at the beginning of a word. */
export const partsOf = (words: readonly string[], position: WordPosition): string[] =>
  words.map((word) => (position === 'word-start' || isShort(word) ? ` ${word}` : word))

/** So that nothing in it is a sign of a pattern. */
const escaped = (part: string): string => part.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** How Postgres searches: its planner decides by itself how it finds the rows. */
export const likeAll = (parts: readonly string[]): WordSearch => {
  return { form: 'like', parts: parts.map((part) => `%${escaped(part)}%`) }
}

interface RareParts {
  rare: string[]
  /** At most this many rows match, in all institutes. */
  fewest: number
}

/** The parts that few rows have, found in SQLite's index; undefined: no row has one of the parts. */
export const rarePartsOf = async (
  db: SystemDb,
  table: string,
  parts: readonly string[],
): Promise<RareParts | undefined> => {
  const found: RareParts = { rare: [], fewest: COMMON_ROWS }
  for (const part of parts) {
    const rows = await rowsOfRareTrigram(db, table, part)
    if (rows === undefined) continue
    if (rows === 0) return undefined
    found.rare.push(part)
    found.fewest = Math.min(found.fewest, rows)
  }
  return found
}

/**
 * A search that looks up two trigrams in the index, and looks for the parts in the rows that these leave. To look up
 * all trigrams of a part, SQLite would read the rows of each, also of those that most rows have. `rows`: about how many
 * rows have the rarer trigram.
 */
export const matchRarest = async (
  db: SystemDb,
  table: string,
  { rare, parts }: { rare: readonly string[]; parts: readonly string[] },
): Promise<{ search: WordSearch; rows: number }> => {
  const { trigrams, rows } = await rarestOf(db, table, rare)
  return { search: { form: 'match', parts: [matchAll(trigrams), ...parts] }, rows }
}

/** The expression for SQLite's index that all of the parts match. */
export const matchAll = (parts: readonly string[]): string => parts.map((part) => phraseOf(indexedOf(part))).join(' ')

/** Plans a search on SQLite, which needs to know how many rows match. */
const planOnSqlite = async (db: SystemDb, table: string, parts: readonly string[]): Promise<WordSearch> => {
  const found = await rarePartsOf(db, table, parts)
  if (!found) return NOTHING
  const { rare, fewest } = found
  if (rare.length === 0) return { form: 'holds', parts }
  const isRare = fewest < MANY_MATCHES || (await matches(db, table, matchAll(parts), MANY_MATCHES)) < MANY_MATCHES
  return isRare ? (await matchRarest(db, table, { rare, parts })).search : { form: 'holds', parts }
}

/**
 * Plans a search, in the order of a list, for rows whose search_text contains each of the first eight distinct words of
 * `folded` (a query that kernel/text has folded). A query without words finds nothing.
 */
export const planSearch = async (db: ScopedDb, table: string, folded: string): Promise<WordSearch> => {
  const words = wordsOf(folded)
  if (words.length === 0) return NOTHING
  const parts = partsOf(words, 'anywhere')
  return engineOf(db) === 'postgres' ? likeAll(parts) : planOnSqlite(underlying(db), table, parts)
}

// The same expression as in the index.
export const textOf = (table: string) => safeSql(sql<string>`(' ' || ${sql.ref(`${table}.search_text`)})`)

/** The conditions for a row that contains all of the parts, which may be slots. @param find the engine's function for it */
export const holdsAll = (
  table: string,
  parts: readonly string[],
  find: 'instr' | 'strpos' = 'instr',
): Expression<SqlBool>[] => parts.map((part) => safeSql(sql<SqlBool>`${sql.raw(find)}(${textOf(table)}, ${part}) > 0`))

/** The condition for a row that contains a part, on either engine. @param pattern of `patternsOf`, or a slot for it */
export const like = (table: string, pattern: string): Expression<SqlBool> =>
  safeSql(sql<SqlBool>`${textOf(table)} like ${pattern} escape '\\'`)

/** The condition for a text that holds a part as it is written, or in small letters. */
export const holdsText = (text: Expression<string>, part: string): Expression<SqlBool> => {
  const [written, small] = [part, part.toLowerCase()].map((one) => `%${escaped(one)}%`)
  return safeSql(sql<SqlBool>`(${text} like ${written} escape '\\' or lower(${text}) like ${small} escape '\\')`)
}

/** A pattern for each word of `folded` that a search uses. */
export const patternsOf = (folded: string): readonly string[] => likeAll(partsOf(wordsOf(folded), 'anywhere')).parts

/** The conditions for a row that matches. The parts may be slots. */
export const searchConditions = (table: string, { form, parts }: WordSearch): Expression<SqlBool>[] => {
  if (form === 'none') return [sql.lit(false)]
  const text = textOf(table)
  if (form === 'like') return parts.map((pattern) => safeSql(sql<SqlBool>`${text} like ${pattern}`))
  if (form === 'holds') return holdsAll(table, parts)
  const [match, ...held] = parts
  const index = sql.table(`${table}_search`)
  const rowid = sql.ref(`${table}.rowid`)
  return [
    safeSql(sql<SqlBool>`${rowid} in (select rowid from ${index} where ${index} match ${match})`),
    ...holdsAll(table, held),
  ]
}
