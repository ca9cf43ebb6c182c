import type { CompiledQuery } from 'kysely'

/** The parts of the drivers' errors that this folder reads. */
export interface DriverError {
  code?: string
  message?: string
  table?: string
  detail?: string
  /** Set by `ofStatement`: the statement was a delete. */
  deleted?: boolean
}

/**
 * Marks a driver's error with whether a delete caused it. The drivers do not report on which side a foreign key was
 * broken, except in words: in the server's language in one engine, and not at all in the other. Ids never change, so
 * the kind of the statement tells the side.
 */
export const ofStatement = (error: unknown, { query }: CompiledQuery): unknown =>
  typeof error === 'object' && error !== null
    ? Object.assign(error, { deleted: query.kind === 'DeleteQueryNode' } satisfies DriverError)
    : error

const columnsKey = (table: string, columns: readonly string[]): string =>
  `${table}(${columns.filter((column) => column !== 'tenant_id').join(',')})`

/**
 * Which unique constraint an error broke, as `table(column,column)` without tenant_id; undefined: another kind of
 * error.
 */
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
    return columnsKey(table, (/\((.*?)\)=/.exec(detail)?.[1] ?? '').replaceAll('"', '').split(', '))
  }
  return undefined
}

const FOREIGN_KEY = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503', '23001'])

/**
 * Which side of a foreign key an error broke. `named`: other rows still refer to the deleted row. `gone`: the row
 * refers to a row that does not exist. undefined: another kind of error.
 */
export const brokenForeignKey = (error: unknown): 'named' | 'gone' | undefined => {
  const { code = '', deleted } = error as DriverError
  if (!FOREIGN_KEY.has(code)) return undefined
  return deleted ? 'named' : 'gone'
}

/** Whether the error is a serialization failure or a deadlock: the transaction may simply run again. */
export const isCollision = (error: unknown): boolean => ['40001', '40P01'].includes((error as DriverError).code ?? '')
