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
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import { withRowCount, runsOnReadingThread, RowBudget, type ReadingThread } from '#db/queries/long-reads.ts'
import { ofStatement } from '#db/broken-rules.ts'
import { commonLiteral, withConstants } from '#db/queries/constants.ts'

type Convert = (value: unknown) => unknown

interface PreparedStatement {
  statement: Statement
  reads: boolean
  /** Names and converters of the columns whose JavaScript type is not SQLite's. */
  converts: readonly (readonly [string, Convert])[]
}

// SQLite keeps the declared type of a column and reports it for each result column, also through sub-selects and
// RETURNING.
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

const literal = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? String(toSqlite(value)) : commonLiteral(value)

/**
 * Makes a query that SQLite plans only once. SQLite plans a join, a range or a limit again on each run if a parameter's
 * value may affect the plan, and planning takes longer than running. Here, constant parameters become literals (so that
 * partial indexes still match), and variable ones are wrapped in coalesce, which hides their values from the planner.
 * @param varies whether a parameter has another value on each run
 */
export const plannedOnce = <Row>(
  query: CompiledQuery<Row>,
  varies: (parameter: unknown) => boolean,
): CompiledQuery<Row> =>
  withConstants(query, varies, { placeholder: '?', literal, parameter: () => 'coalesce(?, null)' })

/**
 * One read transaction for all reads in a turn of the event loop: acquiring and releasing the file lock takes longer
 * than most reads. A commit in this process ends it, so that nobody misses their own change.
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

  /** A number that changes when the visible data changes. */
  version(): number {
    this.open()
    return (this.#version ??= this.#dataVersion.get() as number)
  }

  /** Begins the snapshot, unless it is open. It ends with this turn of the event loop. */
  open(): void {
    if (this.#isOpen) return
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.end())
  }

  /** Ends the snapshot; the next read begins a new one. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#version = undefined
    try {
      this.#end.run()
    } catch {
      // A read transaction has nothing to keep. If something is wrong with the file, the next read reports it to its
      // caller.
      if (this.#raw.inTransaction) this.#raw.exec('rollback')
    }
  }
}

/** Caches the prepared statements of a connection, and converts values to their JavaScript types. */
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

  /** Runs a statement. @param given its parameters @throws the error of the driver */
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

/** The additional parts of a read-only connection. */
export interface ReaderParts {
  /** The snapshot of this connection. */
  snapshot: Snapshot
  /** undefined: all queries run on this connection. */
  readingThread: ReadingThread | undefined
}

/** A better-sqlite3 connection as Kysely uses it. */
export class SqliteConnection implements DatabaseConnection {
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

  /** A number that changes when the visible data changes; undefined: the connection writes. */
  dataVersion(): number | undefined {
    return this.#readerParts?.snapshot.version()
  }

  /** Returns SQLite's query plan, line by line. */
  planOf({ sql, parameters }: CompiledQuery): string[] {
    const rows = this.#raw.prepare(`explain query plan ${sql}`).all(parameters.map(() => null)) as { detail: string }[]
    return rows.map(({ detail }) => detail)
  }

  // An open cursor would stop checkpoints, so results are never streamed.
  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite results are not streamed: use keyset pagination')
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
  // `immediate` takes the write lock at once, so that no other writer comes between a migration and its bookkeeping.
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

/** All callers share one connection: each statement ends before the next one begins. */
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

/**
 * Kysely on one better-sqlite3 connection. Queries settle within the turn of the event loop in which they were started.
 */
export class SqliteDialect implements Dialect {
  readonly #connection: SqliteConnection
  readonly #countsRows: boolean

  /** @param reading the additional parts, if the connection is read-only */
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

/** Opens the file for writing, with the settings for durability. A missing file is created, unless `mustExist`. */
export const openWriter = (file: string, { mustExist = false } = {}): Connection => {
  const raw = new BetterSqlite3(file, { fileMustExist: mustExist })
  raw.pragma('journal_mode = WAL')
  raw.pragma('synchronous = FULL')
  raw.pragma('foreign_keys = ON')
  raw.pragma('busy_timeout = 5000')
  raw.pragma('journal_size_limit = 67108864')
  // The system keeps the pages of the file too: a larger one takes memory, and saves no time that can be measured.
  raw.pragma('cache_size = -16384')
  raw.pragma('temp_store = MEMORY')
  raw.pragma('trusted_schema = OFF')
  raw.pragma('automatic_index = OFF')
  return raw
}

/**
 * Opens a separate connection for reads: they see committed data only, and long writes do not block them.
 * @param cacheKilobytes the size of its page cache, which each commit of the writer empties
 */
export const openReader = (file: string, cacheKilobytes = 8192): Connection => {
  const raw = new BetterSqlite3(file, { readonly: true })
  raw.pragma('busy_timeout = 5000')
  raw.pragma(`cache_size = -${cacheKilobytes}`)
  raw.pragma('temp_store = MEMORY')
  raw.pragma('query_only = ON')
  // Every join has its index. An automatic index for a single query would take as long as reading the whole table.
  raw.pragma('automatic_index = OFF')
  return raw
}

/**
 * Takes an exclusive lock that the operating system releases when the process ends. @returns a function that releases
 * it; undefined: another process holds it
 */
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
