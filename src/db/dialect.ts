import { PostgresAdapter } from 'kysely'
import type { Failure } from '#kernel/errors.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import type { Engine } from './database.ts'

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
