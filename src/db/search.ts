import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { BoundedCaches } from '#kernel/bounded-cache.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import { engineOf } from './dialect.ts'
import { scopeOf, vouchFor } from './scope.ts'

/** Looking for words in a table's search_text. Both engines have an index of its trigrams (see schema-kit). */

/** Raw SQL that the tenant scope lets through, because what is written here keeps no row from being narrowed. */
const vouched = <T>(fragment: RawBuilder<T>): RawBuilder<T> => {
  const node = fragment.toOperationNode() as { sqlFragments?: readonly string[] }
  if (node.sqlFragments) vouchFor(node.sqlFragments)
  return fragment
}

/** A search looks for so many distinct words; further ones are left out. */
const MAX_WORDS = 8

/** A shorter word is found where it begins one. */
const TRIGRAM_LENGTH = 3

/** Of a longer word SQLite's index is asked for no more than its beginning: it goes through rows for every trigram. */
const MAX_PHRASE_LENGTH = 10

/**
 * With so many matches a page is found sooner by going through the list in its order than by sorting all of them. Postgres
 * weighs that by itself.
 */
const MANY_MATCHES = 1000

/** A trigram of as many rows is common: rows that have several common ones are found by going through all that have one. */
const COMMON_ROWS = 2500

/** Trigrams of a database and its tables that were found common: rows grow more, so they stay it. */
const knownCommon = new BoundedCaches<WeakKey, string, string>(10_000)

const charactersOf = (word: string): string[] => Array.from(word)

const phraseOf = (part: string): string => `"${part.replaceAll('"', '""')}"`

/** What the index has of the beginning of a word; a short one has the two blanks before it that every word has there. */
const indexedOf = (word: string): string =>
  charactersOf(' '.repeat(Math.max(0, TRIGRAM_LENGTH - charactersOf(word).length)) + word)
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

/** Whether each of the trigrams is common. Then nothing is known of how long it takes to find the rows that have all. */
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

/** The rows of a SQLite table that match, or undefined: there are many, or it would take long to tell. */
const selectiveMatch = async (db: SystemDb, table: string, words: readonly string[]): Promise<string | undefined> => {
  const indexed = words.map(indexedOf)
  if (await areCommon(db, table, new Set(indexed.flatMap(trigramsOf)))) return undefined
  const match = indexed.map(phraseOf).join(' ')
  return (await matches(db, table, match, MANY_MATCHES)) < MANY_MATCHES ? match : undefined
}

/** How words are looked for: conditions of one `form` differ in nothing but `parts`. */
export interface WordSearch {
  form: 'none' | 'like' | 'holds' | 'match'
  parts: readonly string[]
}

const isShort = (word: string): boolean => charactersOf(word).length < TRIGRAM_LENGTH

/**
 * Each of the first eight distinct words of `folded` (a query as kernel/text folds it) is to occur in the table's
 * search_text, one of one or two letters at the beginning of a word there. A query without a word finds nothing.
 */
export const planSearch = async (db: ScopedDb, table: string, folded: string): Promise<WordSearch> => {
  const words = [...new Set(folded.split(' '))].filter((word) => word !== '').slice(0, MAX_WORDS)
  if (words.length === 0) return { form: 'none', parts: [] }
  const partOf = (word: string): string => (isShort(word) ? ` ${word}` : word)
  if (engineOf(db) === 'postgres') {
    const escaped = (part: string): string => part.replaceAll(/[\\%_]/g, String.raw`\$&`)
    return { form: 'like', parts: words.map((word) => `%${escaped(partOf(word))}%`) }
  }
  const match = await selectiveMatch(scopeOf(db).db, table, words)
  if (match === undefined) return { form: 'holds', parts: words.map(partOf) }
  const long = words.filter((word) => charactersOf(word).length > MAX_PHRASE_LENGTH)
  return { form: 'match', parts: [match, ...long] }
}

/** That a row holds what is looked for. The parts may be slots for them. */
export const searchConditions = (table: string, { form, parts }: WordSearch): Expression<SqlBool>[] => {
  if (form === 'none') return [sql.lit(false)]
  // As the index has it.
  const text = vouched(sql<string>`(' ' || ${sql.ref(`${table}.search_text`)})`)
  if (form === 'like') return parts.map((pattern) => vouched(sql<SqlBool>`${text} like ${pattern}`))
  const holds = (part: string) => vouched(sql<SqlBool>`instr(${text}, ${part}) > 0`)
  if (form === 'holds') return parts.map(holds)
  const [match, ...long] = parts
  const index = sql.table(`${table}_search`)
  const rowid = sql.ref(`${table}.rowid`)
  return [
    vouched(sql<SqlBool>`${rowid} in (select rowid from ${index} where ${index} match ${match})`),
    ...long.map(holds),
  ]
}
