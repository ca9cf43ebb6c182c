import type { CompiledQuery } from 'kysely'

/** What the drivers' errors say, as far as it is looked at. */
export interface DriverError {
  code?: string
  message?: string
  table?: string
  detail?: string
  /** Added by `ofStatement`. */
  deleted?: boolean
}

/**
 * For a driver's error on its way up: tells it whether a delete brought it about. The engines tell in words alone, one in
 * the server's language and the other not at all, on which side a foreign key was broken; a record's key never changes,
 * so the statement tells.
 */
export const ofStatement = (error: unknown, { query }: CompiledQuery): unknown =>
  typeof error === 'object' && error !== null
    ? Object.assign(error, { deleted: query.kind === 'DeleteQueryNode' } satisfies DriverError)
    : error

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
    return columnsKey(table, (/\((.*?)\)=/.exec(detail)?.[1] ?? '').replaceAll('"', '').split(', '))
  }
  return undefined
}

const FOREIGN_KEY = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503', '23001'])

/** On which side: `named`, a row that others still point at; `gone`, one that points at nothing. */
export const brokenForeignKey = (error: unknown): 'named' | 'gone' | undefined => {
  const { code = '', deleted } = error as DriverError
  if (!FOREIGN_KEY.has(code)) return undefined
  return deleted ? 'named' : 'gone'
}

/** Serialization failure and deadlock: the transaction was innocent and may simply run again. */
export const isCollision = (error: unknown): boolean => ['40001', '40P01'].includes((error as DriverError).code ?? '')
