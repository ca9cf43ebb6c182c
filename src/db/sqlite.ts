import BetterSqlite3 from 'better-sqlite3'
import type { Database as Connection, Statement } from 'better-sqlite3'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
} from 'kysely'
import { BoundedCache } from '#kernel/bounded-cache.ts'
import { withRowCount, runsOnReadingThread, RowBudget, type ReadingThread } from './long-reads.ts'
import { ofStatement } from './broken-rules.ts'

type Convert = (value: unknown) => unknown

interface PreparedStatement {
  statement: Statement
  reads: boolean
  /** Column name and converter, for the columns that were declared as something JavaScript knows better. */
  converts: readonly (readonly [string, Convert])[]
}

// SQLite keeps a declared type as free text and hands it back, also through sub-selects and RETURNING.
const CONVERTERS: Record<string, Convert> = {
  FLAG_INT: (value) => (value === null ? null : value === 1),
  JSON_TEXT: (value) => (value === null ? null : JSON.parse(value as string)),
}

const toSqlite = (value: unknown): unknown => {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) return JSON.stringify(value)
  return value
}

const literal = (value: unknown): string | undefined => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : undefined
}

/**
 * A query that is planned once. SQLite plans a join, a range or a limit again at every run, as long as the value of a
 * parameter may lead to another plan, and that takes longer than to run it. Here it sees what is always the same as it
 * is (so that it still finds the index of some rows only), and of what varies no more than that there is a value.
 * @param varies which parameters have another value each time
 */
export const plannedOnce = <Row>(
  query: CompiledQuery<Row>,
  varies: (parameter: unknown) => boolean,
): CompiledQuery<Row> => {
  const [first = '', ...rest] = query.sql.split('?')
  if (rest.length !== query.parameters.length) throw new Error('a query holds a question mark that is no parameter')
  const parameters: unknown[] = []
  let text = first
  for (const [index, part] of rest.entries()) {
    const parameter = query.parameters[index]
    const fixed = varies(parameter) ? undefined : literal(parameter)
    if (fixed === undefined) parameters.push(parameter)
    text += (fixed ?? 'coalesce(?, null)') + part
  }
  return { ...query, sql: text, parameters }
}

/**
 * What all reads of one turn of the event loop see: to take and leave the database's lock costs more than most of them.
 * Whoever commits in this process ends it, so that nobody reads what was before their own change.
 */
export class Snapshot {
  readonly #raw: Connection
  readonly #begin: Statement
  readonly #end: Statement
  readonly #dataVersion: Statement
  #version: number | undefined
  #isOpen = false

  constructor(raw: Connection) {
    this.#raw = raw
    this.#begin = raw.prepare('begin')
    this.#end = raw.prepare('commit')
    this.#dataVersion = raw.prepare('pragma data_version').pluck()
  }

  /** Another number than before when what is seen now is. */
  version(): number {
    this.open()
    return (this.#version ??= this.#dataVersion.get() as number)
  }

  open(): void {
    if (this.#isOpen) return
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.end())
  }

  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#version = undefined
    try {
      this.#end.run()
    } catch {
      // Nothing was to be kept; what is wrong with the file, the next read says to somebody who can be told.
      if (this.#raw.inTransaction) this.#raw.exec('rollback')
    }
  }
}

/** Keeps the statements of a connection prepared; values come back as JavaScript knows them. */
export class Statements {
  readonly #raw: Connection
  readonly #statements = new BoundedCache<string, PreparedStatement>(1000)

  constructor(raw: Connection) {
    this.#raw = raw
  }

  #prepare(text: string): PreparedStatement {
    const statement = this.#raw.prepare(text)
    const converts = statement.reader
      ? statement.columns().flatMap((column) => {
          const convert = column.type ? CONVERTERS[column.type.toUpperCase()] : undefined
          return convert ? [[column.name, convert] as const] : []
        })
      : []
    return { statement, reads: statement.reader, converts }
  }

  run<R>(text: string, given: readonly unknown[]): QueryResult<R> {
    const { statement, reads, converts } = this.#statements.get(text, () => this.#prepare(text))
    const parameters = given.map(toSqlite)
    if (!reads) {
      const { changes, lastInsertRowid } = statement.run(parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    }
    const rows = statement.all(parameters) as Record<string, unknown>[]
    for (const [name, convert] of converts) for (const row of rows) row[name] = convert(row[name])
    return { rows: rows as R[], numAffectedRows: BigInt(rows.length) }
  }
}

/** What a connection for reads alone has beside it. */
export interface ReaderParts {
  /** Of this connection. */
  snapshot: Snapshot
  /** Undefined: every query runs here. */
  readingThread: ReadingThread | undefined
}

/** One connection as Kysely sees it. */
class SqliteConnection implements DatabaseConnection {
  readonly #raw: Connection
  readonly #statements: Statements
  readonly #readerParts: ReaderParts | undefined
  readonly #budget: RowBudget | undefined

  constructor(raw: Connection, reading: ReaderParts | undefined) {
    this.#raw = raw
    this.#statements = new Statements(raw)
    this.#readerParts = reading
    this.#budget = reading?.readingThread && new RowBudget(raw)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { readingThread, snapshot } = this.#readerParts ?? {}
    if (readingThread && runsOnReadingThread(query)) return { rows: (await readingThread.run(query)) as R[] }
    snapshot?.open()
    this.#budget?.renew()
    try {
      return this.#statements.run<R>(query.sql, query.parameters)
    } catch (error) {
      throw ofStatement(error, query)
    }
  }

  /** How a query is gone about, line by line. */
  planOf({ sql, parameters }: CompiledQuery): string[] {
    const rows = this.#raw.prepare(`explain query plan ${sql}`).all(parameters.map(() => null)) as { detail: string }[]
    return rows.map(({ detail }) => detail)
  }

  // A statement that is being iterated pins the log, so nothing is ever streamed.
  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite results are not streamed: page by keyset')
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  // `immediate`, so that a migration and its bookkeeping are one transaction that no other writer can come between.
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** Of the one connection, which any number of callers share: a statement has ended before another begins. */
export class OneConnectionAdapter extends SqliteAdapter {
  readonly connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    super()
    this.connection = connection
  }

  override get supportsMultipleConnections(): boolean {
    return true
  }
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class CountingCompiler extends SqliteQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    return super.compileQuery(withRowCount(node), queryId)
  }
}

/** Kysely over one better-sqlite3 connection. Queries settle within the event-loop turn in which they were asked. */
export class SqliteDialect implements Dialect {
  readonly #connection: SqliteConnection
  readonly #countsRows: boolean

  /** @param reading of a connection that is for reads alone */
  constructor(raw: Connection, reading?: ReaderParts) {
    this.#connection = new SqliteConnection(raw, reading)
    this.#countsRows = reading?.readingThread !== undefined
  }

  createAdapter(): SqliteAdapter {
    return new OneConnectionAdapter(this.#connection)
  }
  createDriver(): Driver {
    return new SqliteDriver(this.#connection)
  }
  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db)
  }
  createQueryCompiler(): SqliteQueryCompiler {
    return this.#countsRows ? new CountingCompiler() : new SqliteQueryCompiler()
  }
}

/** Opens the file for writing, made when missing unless it must exist, with the settings that durability needs. */
export const openWriter = (file: string, { mustExist = false } = {}): Connection => {
  const raw = new BetterSqlite3(file, { fileMustExist: mustExist })
  raw.pragma('journal_mode = WAL')
  raw.pragma('synchronous = FULL')
  raw.pragma('foreign_keys = ON')
  raw.pragma('busy_timeout = 5000')
  raw.pragma('journal_size_limit = 67108864')
  raw.pragma('cache_size = -32768')
  raw.pragma('temp_store = MEMORY')
  raw.pragma('trusted_schema = OFF')
  raw.pragma('automatic_index = OFF')
  return raw
}

/**
 * A second connection for reads, so that they see committed data only and a long write does not hold them.
 * @param cacheKilobytes of the file that it may keep in memory
 */
export const openReader = (file: string, cacheKilobytes = 32_768): Connection => {
  const raw = new BetterSqlite3(file, { readonly: true })
  raw.pragma('busy_timeout = 5000')
  raw.pragma(`cache_size = -${cacheKilobytes}`)
  raw.pragma('temp_store = MEMORY')
  raw.pragma('query_only = ON')
  // Every join has its index; one that is built for a single query costs as much as the whole table.
  raw.pragma('automatic_index = OFF')
  return raw
}

/** Takes an exclusive lock that ends with the process. @returns how to release it; undefined when another holds it */
export const openLockFile = (file: string): (() => void) | undefined => {
  const raw = new BetterSqlite3(file)
  raw.pragma('busy_timeout = 0')
  try {
    raw.pragma('locking_mode = EXCLUSIVE')
    raw.exec('begin exclusive')
  } catch (error) {
    raw.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
  return () => raw.close()
}
