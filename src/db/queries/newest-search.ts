import { sql, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { BoundedCaches } from '#kernel/basics/bounded-cache.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { engineOf } from '#db/dialect.ts'
import { isLarge, rareFragmentsOf } from '#db/postgres/postgres-counts.ts'
import { RowBudgetExceeded } from './long-reads.ts'
import { scopeOf } from '#db/scope/scope.ts'
import {
  holdsAll,
  likeAll,
  matchAll,
  matchRarest,
  NOTHING,
  partsOf,
  rarePartsOf,
  safeSql,
  searchConditions,
  textOf,
  wordsOf,
  type WordPosition,
  type WordSearch,
} from './search.ts'
import { MANY_ROWS } from './trigrams.ts'

/** A search that reads the newest matches, and no more of them than are wanted. */

/**
 * A planned search for the newest matches. The queries of two of them with the same `form` differ only in `parts`. On
 * Postgres, `newest-first` reads an institute from its newest row on, `recent` does so for the newest rows only, `rare`
 * looks up the first two parts and looks for the others in what it finds, and `collected` finds all matches before it sorts
 * them. Postgres makes one plan of the first three for all words; of `like` and `collected` it makes one for each word.
 */
export interface NewestWords {
  form: WordSearch['form'] | 'newest-first' | 'recent' | 'rare' | 'collected'
  parts: readonly string[]
}

/** How to find the newest matches. */
export interface NewestSearch {
  search: NewestWords
  /**
   * Returns what finds the same matches when `search` reads too many rows, or is `recent` and finds too few, and remembers
   * that it was needed.
   */
  longer?: () => NewestWords
  /** About how many rows match at most, in all institutes; absent: not known. */
  atMost?: number
  /** It may take long, and nothing else is faster. */
  isLong?: true
  /** The institute has so few rows that to find all matches takes no longer than to find some. */
  isSmall?: true
}

/** Institutes in which a search read more rows of a table than it may. Smaller ones are searched by reading all rows. */
const large = new BoundedCaches<WeakKey, string, 'large'>(10_000)

const keyOf = (db: ScopedDb, table: string): [WeakKey, string] => {
  const { db: base, scope } = scopeOf(db)
  return [base.getExecutor().adapter, `${scope.tenantId} ${table}`]
}

/** On Postgres, common words are looked for in this many of the newest rows first. */
const RECENT_ROWS = 2000

/** For how long it is known that too few of the newest rows match. It chooses how fast a search is, not what it finds. */
const OLD_MILLIS = 600_000

/** The searches that did not find enough among the newest rows. The key is the institute, the table and the parts. */
const olds = new BoundedCaches<WeakKey, string, { until: number }>(10_000)

const oldKeyOf = (db: ScopedDb, table: string, parts: readonly string[]): [WeakKey, string] => {
  const [adapter, key] = keyOf(db, table)
  return [adapter, `${key} ${JSON.stringify(parts)}`]
}

const isOld = (db: ScopedDb, table: string, parts: readonly string[]): boolean => {
  const [adapter, key] = oldKeyOf(db, table, parts)
  return (olds.of(adapter).find(key)?.until ?? 0) > performance.now()
}

const rememberOld = (db: ScopedDb, table: string, parts: readonly string[]): void => {
  // A caller with a small reach may find too few among the newest rows where others find enough.
  if (scopeOf(db).scope.reach !== 'all') return
  const [adapter, key] = oldKeyOf(db, table, parts)
  olds.of(adapter).set(key, { until: performance.now() + OLD_MILLIS })
}

/**
 * Plans a search on Postgres. Its own planner estimates how many rows have a word, which takes longer than most searches:
 * it compares the word with a sample of a thousand rows. And it expects that the rows with several words are spread
 * evenly over time, and may read an institute to its beginning.
 */
const planOnPostgres = async (handle: ScopedDb, table: string, parts: readonly string[]): Promise<NewestSearch> => {
  if (!(await isLarge(handle, table))) return { search: { form: 'newest-first', parts }, isSmall: true }
  const rare = await rareFragmentsOf(scopeOf(handle).db, table, parts)
  if (rare) return { search: { form: 'rare', parts: [...likeAll(rare.fragments).parts, ...parts] }, atMost: rare.rows }
  const whole: NewestWords = parts.length === 1 ? likeAll(parts) : { ...likeAll(parts), form: 'collected' }
  if (isOld(handle, table, parts)) return { search: whole }
  const longer = (): NewestWords => {
    rememberOld(handle, table, parts)
    return whole
  }
  return { search: { form: 'recent', parts }, longer }
}

/** Plans a search on SQLite for words that are all common. */
const planCommon = async (db: ScopedDb, table: string, parts: readonly string[]): Promise<NewestSearch> => {
  const holds: WordSearch = { form: 'holds', parts }
  // The index finds words that stand in no row of the newest faster than the rows are read.
  const whole: WordSearch = { form: 'match', parts: [matchAll(parts), ...parts] }
  const longer = (): NewestWords => {
    rememberOld(db, table, parts)
    return whole
  }
  const [adapter, key] = keyOf(db, table)
  if (large.of(adapter).find(key) === undefined) return { search: holds, longer }
  if (isOld(db, table, parts)) return { search: whole, isLong: true }
  const { search, rows } = await matchRarest(scopeOf(db).db, table, { rare: parts, parts })
  return { search: rows < MANY_ROWS ? search : holds, longer }
}

/** Plans a search for the newest of the rows that `planSearch` finds. @param position where each word may stand */
export const planNewest = async (
  db: ScopedDb,
  table: string,
  { folded, position }: { folded: string; position: WordPosition },
): Promise<NewestSearch> => {
  const words = wordsOf(folded)
  if (words.length === 0) return { search: NOTHING }
  const parts = partsOf(words, position)
  if (engineOf(db) === 'postgres') return planOnPostgres(db, table, parts)
  const { db: base } = scopeOf(db)
  const found = await rarePartsOf(base, table, parts)
  if (!found) return { search: NOTHING }
  const { rare, fewest } = found
  if (rare.length === 0) return planCommon(db, table, parts)
  const { search, rows } = await matchRarest(base, table, { rare, parts })
  return { search, atMost: Math.min(fewest, rows) }
}

/**
 * Reads the newest matches of a planned search. @param read runs the query of `newestMatches` for words; `expected` is
 * what a compiled query is told
 */
export const readNewest = async (
  db: ScopedDb,
  { table, limit, plan: { search, longer, isLong } }: { table: string; limit: number; plan: NewestSearch },
  read: (words: NewestWords, expected?: 'short' | 'long') => Promise<NewestMatch[]>,
): Promise<NewestMatch[]> => {
  if (search.form === 'none') return []
  if (!longer) return read(search, isLong && 'long')
  if (search.form === 'recent') {
    const recent = await read(search)
    return recent.length < limit ? read(longer()) : recent
  }
  try {
    return await read(search, 'short')
  } catch (error) {
    if (!(error instanceof RowBudgetExceeded)) throw error
    const [adapter, key] = keyOf(db, table)
    large.of(adapter).set(key, 'large')
    return read(longer(), 'long')
  }
}

/** A row that matches. */
export interface NewestMatch {
  id: string
  search_text: string
  /** When it was created. */
  newest_at: string
  label: string
  sublabel: string | null
}

/** The columns of a match. */
export const MATCH_COLUMNS = ['id', 'search_text', 'newest_at', 'label', 'sublabel'] as const

/** What a query for the newest matches is built of. */
interface NewestPage<DB, TB extends keyof DB> {
  table: string
  search: NewestWords
  /** Selects the columns of a match. */
  page: SelectQueryBuilder<DB, TB, NewestMatch>
}

/** Reads the newest rows of an institute, and only so many of them as the matches that are wanted need. */
const amongRecent = <DB, TB extends keyof DB>(
  db: ScopedDb,
  { table, search: { parts }, page }: NewestPage<DB, TB>,
): SelectQueryBuilder<DB, TB, NewestMatch> => {
  const createdAt = sql.ref<string>(`${table}.created_at`)
  const recent = page
    .orderBy(createdAt, 'desc')
    .orderBy(sql.ref(`${table}.id`), 'desc')
    .limit(sql.lit(RECENT_ROWS))
    .as('recent')
  const shown = db.selectFrom(recent as never).select(MATCH_COLUMNS.map((column) => `recent.${column}`) as never)
  const found = shown as unknown as SelectQueryBuilder<DB, TB, NewestMatch>
  return holdsAll('recent', parts, 'strpos')
    .reduce((query, condition) => query.where(condition), found)
    .orderBy(sql.ref('recent.newest_at'), 'desc')
    .orderBy(sql.ref('recent.id'), 'desc')
}

/** A query for the newest matches of a search, whose parts may be slots. */
export const newestMatches = <DB, TB extends keyof DB>(
  db: ScopedDb,
  of: NewestPage<DB, TB>,
): SelectQueryBuilder<DB, TB, NewestMatch> => {
  const { table, page, search } = of
  const { form, parts } = search
  const [first, ...others] = parts
  const [second] = others
  const createdAt = sql.ref<string>(`${table}.created_at`)
  // No index has this order, so the matches are found first.
  const unindexed = safeSql(sql`(${createdAt} at time zone 'UTC')`)
  const where = (conditions: readonly Expression<SqlBool>[], from = page) =>
    conditions.reduce((query, condition) => query.where(condition), from)
  const inOrder = (query: SelectQueryBuilder<DB, TB, NewestMatch>, by: Expression<unknown> = createdAt) =>
    query.orderBy(by, 'desc').orderBy(sql.ref(`${table}.id`), 'desc')
  switch (form) {
    case 'match': {
      // SQLite's index gives its rows in the order in which they were inserted, and is asked for no more than are
      // wanted.
      const index = safeSql(sql`${sql.table(`${table}_search`)}`).as('found')
      const rowid = sql.ref('found.rowid')
      const matching = safeSql(sql<SqlBool>`${sql.ref(`found.${table}_search`)} match ${first}`)
      const joined = page.innerJoin(index as never, (join) =>
        join.on(safeSql(sql<SqlBool>`${rowid} = ${sql.ref(`${table}.rowid`)}`)),
      ) as unknown as SelectQueryBuilder<DB, TB, NewestMatch>
      return where([matching, ...holdsAll(table, others)], joined).orderBy(rowid, 'desc')
    }
    case 'rare': {
      // What a subquery returns is not compared with the sample.
      const areLike = [first, second].map((part) => safeSql(sql<SqlBool>`${textOf(table)} like (select ${part}::text)`))
      return inOrder(where([...areLike, ...holdsAll(table, others.slice(1), 'strpos')]), unindexed)
    }
    case 'newest-first':
      return inOrder(where(holdsAll(table, parts, 'strpos')))
    case 'recent':
      return amongRecent(db, of)
    case 'collected':
      return inOrder(where(searchConditions(table, { form: 'like', parts })), unindexed)
    default:
      return inOrder(where(searchConditions(table, { form, parts })))
  }
}

/** Whether searches on such handles may be parts of one query: on Postgres, by somebody who reaches the whole institute. */
export const mayShareQuery = (db: ScopedDb): boolean => engineOf(db) === 'postgres' && scopeOf(db).scope.reach === 'all'
