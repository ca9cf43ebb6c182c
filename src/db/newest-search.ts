import { sql, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { BoundedCaches } from '#kernel/bounded-cache.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import { engineOf } from './dialect.ts'
import { RowBudgetExceeded } from './long-reads.ts'
import { scopeOf } from './scope.ts'
import {
  holdsAll,
  likeAll,
  matchRare,
  NOTHING,
  partsOf,
  rarePartsOf,
  safeSql,
  searchConditions,
  wordsOf,
  type WordPosition,
  type WordSearch,
} from './search.ts'
import { COMMON_ROWS, MANY_ROWS, phraseOf, rarestOf } from './trigrams.ts'

/** A search that reads the newest matches, and no more of them than are wanted. */

/**
 * A planned search for the newest matches. The queries of two of them with the same `form` differ only in `parts`. On
 * Postgres, `like-first` looks up the first part and looks for the others in what it finds, `recent` looks among the
 * newest rows only, and `collected` finds all matches before it sorts them.
 */
export interface NewestWords {
  form: WordSearch['form'] | 'like-first' | 'recent' | 'collected'
  parts: readonly string[]
}

/** How to find the newest matches. */
export interface NewestSearch {
  search: NewestWords
  /** Plans what finds the same matches when `search` reads too many rows, or when it is `recent` and finds too few. */
  longer?: () => Promise<NewestWords>
  /** At most this many rows match, in all institutes; absent: not known. */
  atMost?: number
}

/** Institutes in which a search read more rows of a table than it may. Smaller ones are searched by reading all rows. */
const large = new BoundedCaches<WeakKey, string, 'large'>(10_000)

const keyOf = (db: ScopedDb, table: string): [WeakKey, string] => {
  const { db: base, scope } = scopeOf(db)
  return [base.getExecutor().adapter, `${scope.tenantId} ${table}`]
}

/** On Postgres, several common words are looked for in this many of the newest rows first. */
const RECENT_ROWS = 2000

/** For how long a count of rows is used on Postgres. It chooses how fast a search is, not what it finds. */
const COUNT_MILLIS = 600_000

interface AboutRows {
  rows: number
  until: number
}

/** Counts per pool; the key is the table and the part. */
const abouts = new BoundedCaches<WeakKey, string, AboutRows>(10_000)

/** About how many rows have a part, in all institutes, up to COMMON_ROWS. */
const aboutRows = async (db: SystemDb, table: string, part: string): Promise<number> => {
  const known = abouts.of(db.getExecutor().adapter)
  const key = `${table} ${part}`
  const last = known.find(key)
  const now = performance.now()
  if (last && last.until > now) return last.rows
  const [pattern] = likeAll([part]).parts
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from ${sql.table(table)} where (' ' || search_text) like ${pattern} limit ${sql.lit(COMMON_ROWS)}
    ) as found`.execute(db)
  const count = rows[0]?.count ?? 0
  known.set(key, { rows: count, until: now + COUNT_MILLIS })
  return count
}

/**
 * Plans a search on Postgres. For one word, its planner decides how to find the newest rows. Of several words it expects
 * that the rows with all of them are spread evenly over time, and may read an institute to its beginning.
 */
const planOnPostgres = async (db: SystemDb, table: string, parts: readonly string[]): Promise<NewestSearch> => {
  if (parts.length === 1) return { search: likeAll(parts) }
  for (const part of parts) {
    if ((await aboutRows(db, table, part)) >= COMMON_ROWS) continue
    return { search: { form: 'like-first', parts: [...likeAll([part]).parts, ...parts.filter((one) => one !== part)] } }
  }
  return { search: { form: 'recent', parts }, longer: async () => ({ form: 'collected', parts: likeAll(parts).parts }) }
}

/** Plans a search for words of which each is common, on SQLite. */
const planCommon = async (db: ScopedDb, table: string, parts: readonly string[]): Promise<NewestSearch> => {
  const holds: WordSearch = { form: 'holds', parts }
  const { db: base } = scopeOf(db)
  const rarest = () => Promise.all(parts.map((part) => rarestOf(base, table, part)))
  const matching = (trigrams: readonly { trigram: string }[]): WordSearch => ({
    form: 'match',
    parts: [trigrams.map(({ trigram }) => phraseOf(trigram)).join(' '), ...parts],
  })
  const longer = async () => matching(await rarest())
  const [adapter, key] = keyOf(db, table)
  if (large.of(adapter).find(key) === undefined) return { search: holds, longer }
  const [fewest] = (await rarest()).toSorted((one, other) => one.rows - other.rows)
  return { search: fewest && fewest.rows < MANY_ROWS ? matching([fewest]) : holds, longer }
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
  if (engineOf(db) === 'postgres') return planOnPostgres(scopeOf(db).db, table, parts)
  const found = await rarePartsOf(scopeOf(db).db, table, parts)
  if (!found) return { search: NOTHING }
  const { rare, fewest } = found
  return rare.length === 0 ? planCommon(db, table, parts) : { search: matchRare(rare, parts), atMost: fewest }
}

/**
 * Reads the newest matches of a planned search. @param read runs the query of `newestMatches` for words; `expected` is
 * what a compiled query is told
 */
export const readNewest = async <Row>(
  db: ScopedDb,
  { table, limit, plan: { search, longer } }: { table: string; limit: number; plan: NewestSearch },
  read: (words: NewestWords, expected?: 'short' | 'long') => Promise<Row[]>,
): Promise<Row[]> => {
  if (search.form === 'none') return []
  if (!longer) return read(search)
  if (search.form === 'recent') {
    const recent = await read(search)
    return recent.length < limit ? read(await longer()) : recent
  }
  try {
    return await read(search, 'short')
  } catch (error) {
    if (!(error instanceof RowBudgetExceeded)) throw error
    const [adapter, key] = keyOf(db, table)
    large.of(adapter).set(key, 'large')
    return read(await longer(), 'long')
  }
}

/** A query for the newest matches of a search, whose parts may be slots. @param page selects the rows */
export const newestMatches = <DB, TB extends keyof DB, Row>(
  db: ScopedDb,
  page: SelectQueryBuilder<DB, TB, Row>,
  { table, search }: { table: string; search: NewestWords },
): SelectQueryBuilder<DB, TB, Row> => {
  const { form, parts } = search
  const [first, ...others] = parts
  const createdAt = sql.ref<string>(`${table}.created_at`)
  const where = (conditions: readonly Expression<SqlBool>[], from = page) =>
    conditions.reduce((query, condition) => query.where(condition), from)
  const inOrder = (query: SelectQueryBuilder<DB, TB, Row>, by: Expression<unknown> = createdAt) =>
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
      ) as unknown as SelectQueryBuilder<DB, TB, Row>
      return where([matching, ...holdsAll(table, others)], joined).orderBy(rowid, 'desc')
    }
    case 'like-first':
      return inOrder(
        where([
          ...searchConditions(table, { form: 'like', parts: [first as string] }),
          ...holdsAll(table, others, 'strpos'),
        ]),
      )
    case 'recent': {
      const bound = db
        .selectFrom(table as never)
        .select(sql<string>`created_at`.as('created_at'))
        .orderBy(sql`created_at`, 'desc')
        .offset(sql.lit(RECENT_ROWS))
        .limit(sql.lit(1))
      const isRecent = safeSql(sql<SqlBool>`${createdAt} >= coalesce(${bound}, '-infinity')`)
      return inOrder(where([isRecent, ...holdsAll(table, parts, 'strpos')]))
    }
    case 'collected':
      // No index has this order, so the matches are found first.
      return inOrder(
        where(searchConditions(table, { form: 'like', parts })),
        safeSql(sql`(${createdAt} at time zone 'UTC')`),
      )
    default:
      return inOrder(where(searchConditions(table, { form, parts })))
  }
}
