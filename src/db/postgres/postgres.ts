import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { throwOverloaded, refuseOverload } from '#db/overload.ts'
import { Pool, types } from 'pg'
import type { CustomTypesConfig, PoolClient } from 'pg'
import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  type DatabaseConnection,
  type Driver,
  type LogEvent,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { once } from '#kernel/basics/once.ts'
import { ofStatement } from '#db/broken-rules.ts'
import { commonLiteral, withConstants } from '#db/queries/constants.ts'
import { PgBouncerClient, splitPgBouncer } from './pgbouncer.ts'

const INT8 = 20
const NUMERIC = 1700
const DATE = 1082
const TIMESTAMPTZ = 1184

/** A prepared statement takes memory of the connection's server process, some 50 KB. */
const MAX_PREPARED = 200

/** Converts a timestamp as Postgres prints it in UTC ('2026-11-21 01:10:48.123+00') to '2026-11-21T01:10:48.123Z'. */
const toInstant = (text: string): string => {
  const [date, time] = text.split(' ') as [string, string]
  const [clock, fraction = ''] = time.replace(/\+00$/, '').split('.') as [string, string?]
  return `${date}T${clock}.${fraction.padEnd(3, '0')}Z`
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [NUMERIC, Number],
  [DATE, (text) => text],
  [TIMESTAMPTZ, toInstant],
])

// Read once: in the executable, each reading of what `pg` exports makes the object of its exports anew. Read late: it
// loads the driver.
const driversTypes = once(() => types)

// Values have the same JavaScript types as with the SQLite driver. These parsers leave the driver's global table
// unchanged.
const ourTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ?? driversTypes().getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
}

const toPostgres = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? JSON.stringify(value) : value

export interface PostgresOptions {
  url: string
  /** The size of the pool. */
  max: number
  /** A connection in use is considered lost when the server has sent nothing for this long. */
  silenceMillis: number
  /** How long a statement waits for a lock; default: as long as for anything else. */
  lockMillis?: number
  /** How long a transaction may do nothing before the server ends it, and its locks; default: a minute. */
  idleMillis?: number
}

const STATEMENT_MILLIS = 60_000

/** By then, a server that is alive has answered, if only with an error. */
export const SILENCE_MILLIS = STATEMENT_MILLIS + 15_000

/**
 * Closes connections in use on which the server has been silent for too long. A connection can be lost without notice
 * (a firewall forgot it, a server moved). Without this, its query would wait until the operating system gives up, after
 * a quarter of an hour.
 */
const endSilent = (pool: Pool, silenceMillis: number): void => {
  const inUse = new WeakSet<PoolClient>()
  pool.on('acquire', (client) => void inUse.add(client))
  pool.on('release', (_, client) => void inUse.delete(client))
  pool.on('connect', (client) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.setTimeout(silenceMillis, () => {
      if (inUse.has(client)) stream.destroy(new Error('Connection terminated: the server has gone silent'))
    })
  })
}

/** The time limits of a connection, in milliseconds, by the names of Postgres' settings. */
const limitsOf = ({ lockMillis, idleMillis = 60_000 }: PostgresOptions) => ({
  statement_timeout: STATEMENT_MILLIS,
  ...(lockMillis !== undefined && { lock_timeout: lockMillis }),
  idle_in_transaction_session_timeout: idleMillis,
})

/** The same limits for one transaction: PgBouncer lends no connection for longer. */
const localLimits = (options: PostgresOptions): string =>
  Object.entries(limitsOf(options))
    .map(([name, millis]) => `set local ${name} = ${millis}`)
    .join('; ')

/** Makes a connection pool with the time limits of this program. */
const openPool = (options: PostgresOptions): Pool => {
  const { max, silenceMillis } = options
  const { url, pgBouncer } = splitPgBouncer(options.url)
  const pool = new Pool({
    connectionString: url,
    max,
    types: ourTypes,
    application_name: 'institute',
    connectionTimeoutMillis: 10_000,
    ...(pgBouncer
      ? { Client: PgBouncerClient }
      : { options: '-c timezone=UTC -c datestyle=ISO', ...limitsOf(options) }),
    keepAlive: true,
  })
  // The pool replaces a connection that the server drops, and the query that used it fails. Without these listeners the
  // event would end the process: the first listener is for idle connections, the second for a connection between two
  // queries of a transaction.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  endSilent(pool, silenceMillis)
  return pool
}

/** How the connections of a pool are used. */
interface Use {
  /** Returns how many queries wait for a connection; when there are too many, further ones are refused (Overloaded). */
  waiting?: () => number
  /**
   * Whether the connections prepare queries. Those of changes do not: a plan that was made while a table was small stays
   * until Postgres looks at the table again, and an import or ten thousand new jobs do not wait for that.
   */
  prepares?: boolean
  /** Statements that run at the beginning of each transaction. */
  begins?: string | undefined
}

const startOf = ({ isolationLevel, accessMode }: TransactionSettings): string =>
  ['start transaction', isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ')

/** `migrate` takes a lock for its transaction itself. */
class NoMigrationLock extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Kysely's Postgres dialect, but objects and arrays are sent as JSON: no table has array columns. */
class JsonPostgresDialect extends PostgresDialect {
  readonly #use: Required<Use>

  constructor(config: PostgresDialectConfig, { waiting = () => 0, prepares = false, begins }: Use) {
    super(config)
    this.#use = { waiting, prepares, begins }
  }

  override createAdapter(): PostgresAdapter {
    return new NoMigrationLock()
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const wrapped = new WeakMap<DatabaseConnection, DatabaseConnection>()
    return {
      init: (...args) => driver.init(...args),
      acquireConnection: async (...args) => {
        refuseOverload(this.#use.waiting())
        const connection = await driver.acquireConnection(...args).catch(throwOverloaded)
        let outer = wrapped.get(connection)
        if (!outer) {
          outer = new JsonConnection(connection, this.#use.prepares ? MAX_PREPARED : 0)
          wrapped.set(connection, outer)
        }
        return outer
      },
      beginTransaction: async (connection, settings) => {
        const { begins } = this.#use
        if (begins === undefined) return driver.beginTransaction(inner(connection), settings)
        // One round trip for all of them.
        await inner(connection).executeQuery(CompiledQuery.raw(`${startOf(settings)}; ${begins}`))
      },
      commitTransaction: (connection) => driver.commitTransaction(inner(connection)),
      rollbackTransaction: (connection) => driver.rollbackTransaction(inner(connection)),
      releaseConnection: (connection) => driver.releaseConnection(inner(connection)),
      destroy: (...args) => driver.destroy(...args),
    }
  }
}

/** A query that a connection may prepare under this name. */
interface PreparableQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly name: string
}

const isPreparable = (query: CompiledQuery): query is PreparableQuery => 'name' in query

const literal = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? String(value) : commonLiteral(value)

/**
 * What is not prepared: `*`, because Postgres refuses a prepared statement whose columns have changed with the table; and
 * a search, because how it is best done depends on the word.
 */
const PLANNED_EACH_TIME = /(?:select|returning|\.|,) ?\*| like \$/

/**
 * Makes a query that a connection for reads prepares once: planning a list takes Postgres three times as long as running it.
 * Postgres itself decides whether one plan serves all values as well as one for each.
 * @param varies whether a parameter has another value on each run
 */
export const preparedOnce = <Row>(
  query: CompiledQuery<Row>,
  varies: (parameter: unknown) => boolean,
): CompiledQuery<Row> => {
  if (PLANNED_EACH_TIME.test(query.sql)) return query
  const fixed = withConstants(query, varies, { placeholder: /\$\d+/, literal, parameter: (position) => `$${position}` })
  const name = createHash('sha256').update(fixed.sql).digest('base64url')
  const preparable: PreparableQuery<Row> = { ...fixed, name }
  return preparable
}

/** Kysely passes `sql` on to the driver as it is, and the driver takes a statement with a name in its place. */
const named = ({ name, sql }: PreparableQuery): string => ({ name, text: sql }) as unknown as string

class JsonConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #maxPrepared: number
  readonly #prepared = new Set<string>()

  constructor(connection: DatabaseConnection, maxPrepared: number) {
    this.inner = connection
    this.#maxPrepared = maxPrepared
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const sql = isPreparable(query) && this.#mayPrepare(query.name) ? named(query) : query.sql
    try {
      return await this.inner.executeQuery<R>({ ...query, sql, parameters: query.parameters.map(toPostgres) })
    } catch (error) {
      throw ofStatement(error, query)
    }
  }

  #mayPrepare(name: string): boolean {
    if (this.#prepared.size < this.#maxPrepared) this.#prepared.add(name)
    return this.#prepared.has(name)
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>({ ...query, parameters: query.parameters.map(toPostgres) }, chunkSize)
  }
}

const inner = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof JsonConnection ? connection.inner : connection

interface OpenPostgres<T> {
  db: Kysely<T>
  pool: Pool
}

/**
 * Opens a pool of connections, which are made when they are needed, and a handle on it.
 * @param uses `refuses`: too many queries that wait are refused (Overloaded). `prepares`: see Use; never behind PgBouncer
 */
export const openConnections = <T>(
  options: PostgresOptions,
  {
    refuses = false,
    prepares = false,
    log,
  }: { refuses?: boolean; prepares?: boolean; log?: (event: LogEvent) => void },
): OpenPostgres<T> => {
  const pool = openPool(options)
  const { pgBouncer } = splitPgBouncer(options.url)
  const dialect = new JsonPostgresDialect(
    { pool },
    {
      ...(refuses && { waiting: () => pool.waitingCount }),
      prepares: prepares && !pgBouncer,
      ...(pgBouncer && { begins: localLimits(options) }),
    },
  )
  return { pool, db: new Kysely<T>({ dialect, ...(log && { log }) }) }
}
