import { Kysely, type LogEvent } from 'kysely'
import type { Database as Connection } from 'better-sqlite3'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { ReadingThread } from './queries/long-reads.ts'
import { isCollision } from './broken-rules.ts'
import { Checkpoints, type Checkpointer } from './sqlite/checkpoints.ts'
import { refuseOverload } from './overload.ts'
import { DiskProbe } from './sqlite/disk-probe.ts'
import { FileGuard } from './sqlite/file-guard.ts'
import { GroupCommit } from './sqlite/group-commit.ts'
import { splitPgBouncer } from './postgres/pgbouncer.ts'
import { briefly } from './postgres/brief.ts'
import { openConnections, SILENCE_MILLIS, type PostgresOptions } from './postgres/postgres.ts'
import { openReader, openWriter, Snapshot, SqliteDialect } from './sqlite/sqlite.ts'
import type { Tables } from '#kernel/contract/tables.ts'

export type Engine = 'sqlite' | 'postgres'

export interface WriteOptions {
  /**
   * The commit may be lost in a power cut, unless a later commit survives it; the end of the process cannot undo it.
   * For changes that are made again when they are lost. Postgres ignores this: its commits are always durable.
   */
  relaxed?: boolean | undefined
  /** Refuse the change at once (Overloaded) when too many changes wait. Default: it waits as long as necessary. */
  refusable?: boolean | undefined
  /**
   * Give up at once where the change waits for locks of others, or takes long (see `briefly`). For changes of several that
   * can also be made one by one. Postgres alone: on SQLite no change waits for another's locks.
   */
  brief?: boolean | undefined
}

/** An open database. The differences between the two engines are hidden here and in dialect.ts. */
export interface Database {
  readonly engine: Engine
  /**
   * Reads committed data. On SQLite, the connection refuses writes, and commits of other processes become visible in
   * the next turn of the event loop.
   */
  readonly read: Kysely<Tables>
  /**
   * Like `read`, for reads that precede a change. On Postgres it has a connection pool of its own, so that many waiting
   * changes cannot use up the connections of requests that only read.
   */
  readonly readForChange: Kysely<Tables>
  /**
   * Runs `work` in one transaction and resolves once the commit is durable. `work` must not wait for anything but the
   * database. It may run again from the start after a conflict with another transaction.
   * @throws whatever `work` throws; the transaction is then rolled back
   */
  write<T>(work: (db: Kysely<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * A number that changes whenever a transaction commits, in this process or another. While it stays the same, repeated
   * reads return the same rows. undefined: the engine cannot tell.
   */
  version(): number | undefined
  /**
   * Checks that the database works, and on SQLite also that its disk accepts writes.
   * @throws StorageProblem, or the error of the driver
   */
  probe(): Promise<void>
  /** The time on the clock of the database server, in milliseconds since 1970; with SQLite, that of this machine. */
  serverMillis(): Promise<number>
  /** The handle for migrations. It is outside any transaction of this program. */
  readonly schema: Kysely<Tables>
  /** The connection that backups copy from; undefined on Postgres. */
  readonly sqlite: Connection | undefined
  /**
   * Calls `listener` when this process or another one calls `notify` on `channel`. @returns a function that stops it
   */
  listen(channel: string, listener: () => void): Promise<() => Promise<void>>
  /** Notifies the processes that listen on `channel`. Does nothing on SQLite, where there is only this process. */
  notify(channel: string): void
  close(): Promise<void>
}

/** Called with each statement that runs; tests check the query plans of these statements. */
export type QueryLog = (event: LogEvent) => void

interface SqliteSettings {
  log?: QueryLog | undefined
  /** Without a checkpointer, SQLite runs checkpoints itself, within commits. */
  checkpointer?: Checkpointer | undefined
  /** Without a reading thread, reads of very many rows run on this thread, like all others. */
  readingThread?: ReadingThread | undefined
}

const PROBE_FILE = '.probe'

const touch = async (db: Kysely<Tables>): Promise<void> => {
  await db
    .selectFrom('schema_migration' as never)
    .selectAll()
    .limit(1)
    .execute()
}

/** Opens a SQLite database file, which is created if it does not exist. */
export const openSqlite = (file: string, { log, checkpointer, readingThread }: SqliteSettings = {}): Database => {
  const writer = openWriter(file)
  const reader = openReader(file)
  // The first read of a connection opens the write-ahead log. Do it now, while the file and its log surely belong
  // together.
  for (const raw of [writer, reader]) raw.prepare('select 1 from sqlite_schema').get()
  const guard = new FileGuard(file, writer)
  const disk = new DiskProbe(path.join(path.dirname(file), PROBE_FILE))
  const schema = new Kysely<Tables>({ dialect: new SqliteDialect(writer), ...(log && { log }) })
  const snapshot = new Snapshot(reader)
  const read = new Kysely<Tables>({
    dialect: new SqliteDialect(reader, { snapshot, readingThread }),
    ...(log && { log }),
  })
  const checkpoints = checkpointer && new Checkpoints(writer, checkpointer)
  const groupCommit = new GroupCommit(writer, schema, {
    check: () => guard.check(),
    endReads: () => snapshot.end(),
    committed: () => checkpoints?.committed(),
  })
  return {
    engine: 'sqlite',
    read,
    readForChange: read,
    schema,
    sqlite: writer,
    version: () => snapshot.version(),
    write: async (work, { relaxed = false, refusable = false } = {}) => {
      if (refusable) refuseOverload(groupCommit.waiting)
      return groupCommit.run(work, relaxed)
    },
    probe: async () => {
      guard.check()
      await touch(read)
      await disk.probe()
    },
    // Only this process uses the file, and within it the caller wakes the listeners itself.
    serverMillis: async () => Date.now(),
    listen: async () => async () => {},
    notify: () => {},
    close: async () => {
      if (checkpoints) await checkpoints.close()
      await readingThread?.close()
      snapshot.end()
      reader.close()
      writer.close()
    },
  }
}

const RETRIES = 5

const RESUBSCRIBE_MILLIS = 1000

/** Connections of the pools for changes and for reads. They are separate, so that neither can use up the other's. */
const WRITERS = 8
const READERS = 6
const CHANGE_READERS = 3
/** A change waits this long for a lock. Migrations have no such limit: they wait until another process has migrated. */
const LOCK_MILLIS = 10_000
/**
 * A process that stands still within a change (stopped, swapped out, on a machine that is paused) loses it after this time:
 * the changes of other processes that wait for its locks get them, and are not refused.
 */
const STANDSTILL_MILLIS = 5_000

interface PostgresSettings {
  url: string
  writers?: number
  readers?: number
  log?: QueryLog
  silenceMillis?: number
  standstillMillis?: number
}

/**
 * Opens connection pools to a Postgres database; connections are made when they are needed. `writers` and `readers` are
 * the sizes of the pools, `silenceMillis` is explained in PostgresOptions.
 */
export const openPostgres = ({
  url,
  writers = WRITERS,
  readers = READERS,
  log,
  silenceMillis = SILENCE_MILLIS,
  standstillMillis = STANDSTILL_MILLIS,
}: PostgresSettings): Database => {
  const { pgBouncer } = splitPgBouncer(url)
  const opened = (
    options: Pick<PostgresOptions, 'max' | 'lockMillis' | 'idleMillis'>,
    uses: { refuses?: boolean; prepares?: boolean } = {},
  ) => openConnections<Tables>({ url, silenceMillis, ...options }, { ...uses, ...(log && { log }) })
  const { db: read, pool: readPool } = opened({ max: readers }, { refuses: true, prepares: true })
  const { db: readForChange } = opened({ max: CHANGE_READERS }, { refuses: true, prepares: true })
  const { db } = opened({ max: writers, lockMillis: LOCK_MILLIS, idleMillis: standstillMillis })
  const { db: schema } = opened({ max: 2 })
  const queue = new PQueue({ concurrency: writers })
  const transact = async <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await db.transaction().execute(work)
      } catch (error) {
        if (!isCollision(error) || attempt >= RETRIES) throw error
        await pause(Math.random() * 20 * attempt)
      }
    }
  }
  return {
    engine: 'postgres',
    read,
    readForChange,
    schema,
    sqlite: undefined,
    version: () => undefined,
    probe: () => touch(db),
    serverMillis: async () => {
      const { rows } = await readPool.query<{ millis: number }>(
        'select (extract(epoch from clock_timestamp()) * 1000)::float8 as millis',
      )
      return rows[0]?.millis as number
    },
    write: async (work, { refusable = false, brief = false } = {}) => {
      if (refusable) refuseOverload(queue.size)
      return queue.add(() => transact(brief ? briefly(work) : work))
    },
    listen: async (channel, listener) => {
      // PgBouncer lends no connection to listen on. The queue also polls.
      if (pgBouncer) return async () => {}
      let ended = false
      let unsubscribe = () => {}
      const subscribe = async (): Promise<void> => {
        const client = await readPool.connect()
        // The server may send nothing for hours, so ask regularly whether the connection still works.
        const heartbeat = setInterval(() => void client.query('select 1').catch(() => {}), silenceMillis / 2)
        let isReleased = false
        unsubscribe = () => {
          clearInterval(heartbeat)
          // The driver may report the end of one connection more than once.
          if (!isReleased) client.release(true)
          isReleased = true
        }
        client.on('notification', listener)
        client.on('error', () => {
          if (!isReleased) void resubscribe()
          unsubscribe()
        })
        try {
          await client.query(`listen "${channel}"`)
        } catch (error) {
          unsubscribe()
          throw error
        }
      }
      // The connection was lost: subscribe again until it succeeds. A missed notification does no harm, because the
      // queue also polls.
      const resubscribe = async (): Promise<void> => {
        await pause(RESUBSCRIBE_MILLIS)
        if (!ended) await subscribe().catch(resubscribe)
      }
      await subscribe()
      return async () => {
        ended = true
        unsubscribe()
      }
    },
    notify: (channel) => {
      if (!pgBouncer) readPool.query('select pg_notify($1, $2)', [channel, '']).catch(() => {})
    },
    close: async () => {
      await Promise.all([read, readForChange, db, schema].map((one) => one.destroy()))
    },
  }
}
