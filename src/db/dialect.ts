import { PostgresAdapter, sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Failure } from '#kernel/errors.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import type { Engine } from './database.ts'
import { scopeOf, vouchFor } from './scope.ts'

/** The one place, with its neighbours in this folder, that knows in what the two engines differ. */

type Handle = ScopedDb | SystemDb

/** The engine behind a handle: each is a Kysely underneath, whatever its type shows of it. */
export const engineOf = (db: Handle): Engine =>
  (db as SystemDb).getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

interface DriverError {
  code?: string
  message?: string
  table?: string
  detail?: string
}

const columnsKey = (table: string, columns: readonly string[]): string =>
  `${table}(${columns.filter((column) => column !== 'tenant_id').join(',')})`

/** Which unique rule an error broke, as `table(column,column)` without the tenant; undefined: another kind of error. */
export const brokenUnique = (error: unknown): string | undefined => {
  const { code, message = '', table = '', detail = '' } = error as DriverError
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    const names = message.replace(/^.*failed: /, '').split(', ')
    const first = names[0] ?? ''
    return columnsKey(
      first.split('.')[0] ?? '',
      names.map((name) => name.split('.')[1] ?? name),
    )
  }
  if (code === '23505') {
    return columnsKey(table, (/^Key \((.*?)\)=/.exec(detail)?.[1] ?? '').replaceAll('"', '').split(', '))
  }
  return undefined
}

/** A row that others still point at, or that points at nothing. */
export const brokenForeignKey = (error: unknown): boolean => {
  const { code } = error as DriverError
  return code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || code === '23503' || code === '23001'
}

/**
 * For `.catch(…)` after a write: turns broken rules of the database into the refusals that they stand for.
 * `unique` maps `table(column,…)` (see brokenUnique); `foreignKey` is for a delete that other records forbid.
 * @throws the refusal, or the error itself.
 */
export const refusing =
  ({ unique = {}, foreignKey }: { unique?: Record<string, Failure>; foreignKey?: Failure }) =>
  (error: unknown): never => {
    const broken = brokenUnique(error)
    const refusal = broken === undefined ? undefined : unique[broken]
    if (refusal) throw refusal()
    if (foreignKey && brokenForeignKey(error)) throw foreignKey()
    throw error
  }

/** The storage itself refuses: full disk, read-only folder, database out of reach. Nothing was changed. */
export const isStorageFailure = (error: unknown): boolean => {
  const { code = '', message = '' } = error as DriverError
  return (
    // What the Postgres driver itself says of a connection that was lost has no code.
    /^(Connection terminated|Client (has encountered a connection error|was closed))/.test(message) ||
    /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|CORRUPT)/.test(code) ||
    /^(08|53|57P0|58)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'].includes(code)
  )
}

/** Raw SQL that the tenant scope lets through, because what is written here keeps no row from being narrowed. */
const vouched = <T>(fragment: RawBuilder<T>): RawBuilder<T> => {
  const node = fragment.toOperationNode() as { sqlFragments?: readonly string[] }
  if (node.sqlFragments) vouchFor(node.sqlFragments)
  return fragment
}

/** A shorter word is found where it begins one. */
const SHORTEST_INSIDE = 3

/**
 * With so many matches a page is found sooner by going through the list in its order than by sorting all of them. Postgres
 * weighs that by itself.
 */
const MANY_MATCHES = 1000

/**
 * Every word of `folded` (a query as kernel/text folds it) occurs in the table's search_text, one of one or two letters
 * at the beginning of a word there. A query without a word finds nothing.
 */
export const containsWords = async (db: ScopedDb, table: string, folded: string): Promise<Expression<SqlBool>[]> => {
  const words = folded.split(' ').filter((word) => word !== '')
  if (words.length === 0) return [sql.lit(false)]
  const missing = (word: string): number => Math.max(0, SHORTEST_INSIDE - Array.from(word).length)
  // As the index has it.
  const text = vouched(sql<string>`(' ' || ${sql.ref(`${table}.search_text`)})`)
  const parts = words.map((word) => (missing(word) > 0 ? ` ${word}` : word))
  if (engineOf(db) === 'postgres') {
    const escaped = (part: string): string => part.replaceAll(/[\\%_]/g, String.raw`\$&`)
    return parts.map((part) => vouched(sql<SqlBool>`${text} like ${`%${escaped(part)}%`}`))
  }
  const index = sql.table(`${table}_search`)
  // A trigram is three characters, and every word in the index has two blanks before it.
  const phrase = (word: string): string => `"${' '.repeat(missing(word))}${word.replaceAll('"', '""')}"`
  const all = words.map(phrase).join(' ')
  const { rows } = await sql<{ matches: number }>`
    select count(*) as matches from (select 1 from ${index} where ${index} match ${all} limit ${MANY_MATCHES})
  `.execute(scopeOf(db).db)
  if (rows[0]?.matches === MANY_MATCHES) return parts.map((part) => vouched(sql<SqlBool>`instr(${text}, ${part}) > 0`))
  const rowid = sql.ref(`${table}.rowid`)
  return [vouched(sql<SqlBool>`${rowid} in (select rowid from ${index} where ${index} match ${all})`)]
}

/**
 * Takes a row lock where rows can be locked; on SQLite the single writer already holds everything. Until the change ends,
 * nobody else changes the row, nor adds one that points at it.
 */
export const locked = <Q extends { forUpdate(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forUpdate() : query

/** As `locked`, but others may go on to add rows that point at it: who keeps its key needs no more. */
export const lockedForChange = <Q extends { forNoKeyUpdate(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forNoKeyUpdate() : query

/** Rows that may be changed, but not deleted, until this change ends: it is about to add some that point at them. */
export const keptInPlace = <Q extends { forKeyShare(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forKeyShare() : query
