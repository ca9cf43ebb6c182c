import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { BoundedCaches } from '#kernel/bounded-cache.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { engineOf } from './dialect.ts'
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
import { MANY_ROWS, phraseOf, rarestOf } from './trigrams.ts'

/** A search that reads the newest matches, and no more of them than are wanted. */

/** How to find the newest matches. */
export interface NewestSearch {
  search: WordSearch
  /** What finds the same matches, when `search` reads too many rows; absent: nothing is faster. */
  longer?: WordSearch
  /** At most this many rows match, in all institutes; absent: not known. */
  atMost?: number
}

/** Institutes in which a search read more rows of a table than it may. Smaller ones are searched by reading all rows. */
const large = new BoundedCaches<WeakKey, string, 'large'>(10_000)

const keyOf = (db: ScopedDb, table: string): [WeakKey, string] => {
  const { db: base, scope } = scopeOf(db)
  return [base.getExecutor().adapter, `${scope.tenantId} ${table}`]
}

/** Notes that a search read too many rows: the next one asks the index which word the fewest rows have. */
export const noteLarge = (db: ScopedDb, table: string): void => {
  const [adapter, key] = keyOf(db, table)
  large.of(adapter).set(key, 'large')
}

/** Plans a search for words of which each is common. */
const planCommon = async (db: ScopedDb, table: string, parts: readonly string[]): Promise<NewestSearch> => {
  const holds: WordSearch = { form: 'holds', parts }
  const { db: base } = scopeOf(db)
  const rarest = await Promise.all(parts.map((part) => rarestOf(base, table, part)))
  const matching = (trigrams: readonly { trigram: string }[]): WordSearch => ({
    form: 'match',
    parts: [trigrams.map(({ trigram }) => phraseOf(trigram)).join(' '), ...parts],
  })
  const longer = matching(rarest)
  const [adapter, key] = keyOf(db, table)
  if (large.of(adapter).find(key) === undefined) return { search: holds, longer }
  const [fewest] = rarest.toSorted((one, other) => one.rows - other.rows)
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
  if (engineOf(db) === 'postgres') return { search: likeAll(parts) }
  const found = await rarePartsOf(scopeOf(db).db, table, parts)
  if (!found) return { search: NOTHING }
  const { rare, fewest } = found
  return rare.length === 0 ? planCommon(db, table, parts) : { search: matchRare(rare, parts), atMost: fewest }
}

/** The same query for the newest matches of a search, whose parts may be slots. */
export const newestMatches = <DB, TB extends keyof DB, Row>(
  page: SelectQueryBuilder<DB, TB, Row>,
  table: string,
  search: WordSearch,
): SelectQueryBuilder<DB, TB, Row> => {
  if (search.form !== 'match') {
    let newest = page
    for (const condition of searchConditions(table, search)) newest = newest.where(condition)
    for (const column of ['created_at', 'id']) newest = newest.orderBy(sql.ref(`${table}.${column}`), 'desc')
    return newest
  }
  // SQLite's index gives its rows in the order in which they were inserted, and is asked for no more than are wanted.
  const [match, ...held] = search.parts
  const index = safeSql(sql`${sql.table(`${table}_search`)}`).as('found')
  const rowid = sql.ref('found.rowid')
  let newest = page.innerJoin(index as never, (join) =>
    join.on(safeSql(sql<SqlBool>`${rowid} = ${sql.ref(`${table}.rowid`)}`)),
  ) as unknown as SelectQueryBuilder<DB, TB, Row>
  newest = newest.where(safeSql(sql<SqlBool>`${sql.ref(`found.${table}_search`)} match ${match}`))
  for (const condition of holdsAll(table, held)) newest = newest.where(condition)
  return newest.orderBy(rowid, 'desc')
}
