import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { BoundedCaches } from '#kernel/basics/bounded-cache.ts'
import type { ScopedDb, SystemDb } from '#kernel/contract/tables.ts'
import { scopeOf } from '#db/scope/scope.ts'
import { likeAll } from '#db/queries/search.ts'
import { COMMON_ROWS, indexedOf, trigramsOf } from '#db/queries/trigrams.ts'

/**
 * What is known on Postgres of how many rows have the parts of a search. It chooses how fast a search is, not what it
 * finds.
 */

/** An institute with fewer rows of a table is searched by reading them all. */
const LARGE_ROWS = 1000

/** For how long a count of rows is used. */
const COUNT_MILLIS = 600_000

interface AboutRows {
  rows: number
  until: number
}

/** Counts per pool. The key is the table and the institute, or the table and the part. */
const abouts = new BoundedCaches<WeakKey, string, AboutRows>(20_000)

/** The last count with a key, if it is still used. */
const lastCount = (db: SystemDb, key: string): number | undefined => {
  const last = abouts.of(db.getExecutor().adapter).find(key)
  return last && last.until > performance.now() ? last.rows : undefined
}

/** About how many rows of a table meet a condition, up to a limit. */
const aboutRows = async (
  db: SystemDb,
  { key, table, condition, limit }: { key: string; table: string; condition: RawBuilder<SqlBool>; limit: number },
): Promise<number> => {
  const last = lastCount(db, key)
  if (last !== undefined) return last
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from ${sql.table(table)} where ${condition} limit ${sql.lit(limit)}
    ) as found`.execute(db)
  const count = rows[0]?.count ?? 0
  abouts.of(db.getExecutor().adapter).set(key, { rows: count, until: performance.now() + COUNT_MILLIS })
  return count
}

/** Whether an institute has many rows of a table. */
export const isLarge = async (handle: ScopedDb, table: string): Promise<boolean> => {
  const { db, scope } = scopeOf(handle)
  const condition = sql<SqlBool>`tenant_id = ${scope.tenantId}`
  const key = `${table} of ${scope.tenantId}`
  return (await aboutRows(db, { key, table, condition, limit: LARGE_ROWS })) === LARGE_ROWS
}

/**
 * About how many rows have a part, in all institutes, up to COMMON_ROWS. While somebody types, a part becomes longer: when
 * its beginning is rare, no more rows can have all of it.
 */
const rowsWith = async (db: SystemDb, table: string, part: string): Promise<number> => {
  const keyOfPart = (one: string): string => `${table} with ${one}`
  for (let length = part.length - 1; length > 1; length -= 1) {
    const rows = lastCount(db, keyOfPart(part.slice(0, length)))
    if (rows !== undefined && rows < COMMON_ROWS) return rows
  }
  const [pattern] = likeAll([part]).parts
  const condition = sql<SqlBool>`(' ' || search_text) like ${pattern}`
  return aboutRows(db, { key: keyOfPart(part), table, condition, limit: COMMON_ROWS })
}

/** What Postgres's index knows of a part: three letters or digits, or the first one of a word. Without it, it reads all. */
const IN_INDEX = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]/v

/** What Postgres's index knows of the inside of a word. */
const TRIGRAM = /^[\p{L}\p{N}]{3}$/v

/** At most so many trigrams of a search are counted. */
const MAX_COUNTED = 16

/** Few rows have both of the fragments; they may be the same. */
interface RareFragments {
  fragments: [string, string]
  /** At most this many rows have the rarer one, in all institutes. */
  rows: number
}

/**
 * Fragments of the parts of a search by which its rows are found fastest; undefined: all are common. For a whole part
 * Postgres reads what its index has of each of its trigrams, also of those that most rows have.
 */
export const rareFragmentsOf = async (
  db: SystemDb,
  table: string,
  parts: readonly string[],
): Promise<RareFragments | undefined> => {
  const trigrams = new Set(parts.flatMap((part) => trigramsOf(indexedOf(part))).filter((one) => TRIGRAM.test(one)))
  const wholes = parts.filter((part) => IN_INDEX.test(part) && !trigrams.has(part))
  const firstRare = async (fragments: readonly string[], most: number) => {
    const rare: { fragment: string; rows: number }[] = []
    for (const fragment of fragments) {
      if (rare.length === most) break
      const rows = await rowsWith(db, table, fragment)
      if (rows < COMMON_ROWS) rare.push({ fragment, rows })
    }
    return rare
  }
  const rareTrigrams = await firstRare([...trigrams].slice(0, MAX_COUNTED), 2)
  const rare = rareTrigrams.length > 0 ? rareTrigrams : await firstRare(wholes, 1)
  const [one, other = one] = rare
  if (!one || !other) return undefined
  return { fragments: [one.fragment, other.fragment], rows: Math.min(one.rows, other.rows) }
}
