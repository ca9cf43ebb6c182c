import { Kysely, type LogEvent } from 'kysely'
import type { Database as Connection } from 'better-sqlite3'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Pool } from 'pg'
import type { ReadingThread } from './long-reads.ts'
import { isCollision } from './broken-rules.ts'
import { Checkpoints, type Checkpointer } from './checkpoints.ts'
import { refuseOverload } from './overload.ts'
import { DiskProbe } from './disk-probe.ts'
import { FileGuard } from './file-guard.ts'
import { GroupCommit } from './group-commit.ts'
import { JsonPostgresDialect, openPool, SILENCE_MILLIS } from './postgres.ts'
import { openReader, openWriter, Snapshot, SqliteDialect } from './sqlite.ts'
import type { Tables } from '#kernel/tables.ts'

export type Engine = 'sqlite' | 'postgres'

export interface WriteOptions {
  /**
   * A power cut may undo it, as long as nothing after it was kept; the end of the process may not. For what is done again
   * when it is lost. Postgres keeps it like everything else.
   */
  relaxed?: boolean | undefined
  /** It may be refused at once (Overloaded) when too many changes wait. Default: it waits for as long as it takes. */
  refusable?: boolean | undefined
}

/** One open database. What the two engines do differently ends here and in dialect.ts. */
export interface Database {
  readonly engine: Engine
  /**
   * Committed data. For reading only: on SQLite the connection refuses to write, and what another process commits is seen
   * from the next turn of the event loop on.
   */
  readonly read: Kysely<Tables>
  /** The same, for what a change reads before it begins: a crowd of them takes no connection of those who only read. */
  readonly readForChange: Kysely<Tables>
  /**
   * Runs `work` in one transaction and resolves once it is durable. `work` may wait for nothing but the database, and
   * may run again from the start when two transactions got in each other's way.
   * @throws whatever `work` throws; then nothing of it was kept.
   */
  write<T>(work: (db: Kysely<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Another number than before once anything at all was committed, by this process or another: what was read while it
   * stood still is what would be read again. undefined: the engine cannot say.
   */
  version(): number | undefined
  /**
   * Does something real with the database, and on SQLite with the disk below it.
   * @throws StorageProblem, or what the driver says
   */
  probe(): Promise<void>
  /** The handle that migrations run on, outside any transaction of ours. */
  readonly schema: Kysely<Tables>
  /** The connection that a backup copies from; undefined on Postgres. */
  readonly sqlite: Connection | undefined
  /** Calls `listener` when another process (or this one) says on `channel` that something happened. */
  listen(channel: string, listener: () => void): Promise<() => Promise<void>>
  /** Tells the other processes on this database, if there can be any. */
  notify(channel: string): void
  close(): Promise<void>
}

/** Sees every statement that runs; tests read the plans of what they see. */
export type QueryLog = (event: LogEvent) => void

interface SqliteSettings {
  log?: QueryLog | undefined
  /** Without one, SQLite checkpoints by itself, within commits. */
  checkpointer?: Checkpointer | undefined
  /** Without one, reads that look at very many rows run on this thread like all others. */
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

export const openSqlite = (file: string, { log, checkpointer, readingThread }: SqliteSettings = {}): Database => {
  const writer = openWriter(file)
  const reader = openReader(file)
  // The first read of a connection opens the log: here, where both surely are those of one database.
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
    // One process owns the file, and inside it the caller wakes whom it must.
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

/** So many changes are under way at once, and so many reads: neither take the other's connections. */
const WRITERS = 8
const READERS = 6
const CHANGE_READERS = 3
/** A migration waits for another process that migrates for as long as that takes; a change waits no longer than this. */
const LOCK_MILLIS = 10_000

interface PostgresSettings {
  url: string
  writers?: number
  readers?: number
  log?: QueryLog
  silenceMillis?: number
}

export const openPostgres = ({
  url,
  writers = WRITERS,
  readers = READERS,
  log,
  silenceMillis = SILENCE_MILLIS,
}: PostgresSettings): Database => {
  const kyselyOver = (pool: Pool, waiting?: () => number) =>
    new Kysely<Tables>({ dialect: new JsonPostgresDialect({ pool }, waiting), ...(log && { log }) })
  const readPool = openPool({ url, max: readers, silenceMillis })
  const read = kyselyOver(readPool, () => readPool.waitingCount)
  const changeReadPool = openPool({ url, max: CHANGE_READERS, silenceMillis })
  const readForChange = kyselyOver(changeReadPool, () => changeReadPool.waitingCount)
  const db = kyselyOver(openPool({ url, max: writers, silenceMillis, lockMillis: LOCK_MILLIS }))
  const schema = kyselyOver(openPool({ url, max: 2, silenceMillis }))
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
    write: async (work, { refusable = false } = {}) => {
      if (refusable) refuseOverload(queue.size)
      return queue.add(() => transact(work))
    },
    listen: async (channel, listener) => {
      let ended = false
      let unsubscribe = () => {}
      const subscribe = async (): Promise<void> => {
        const client = await readPool.connect()
        // The server says nothing of itself for hours: it is asked whether it is still there.
        const heartbeat = setInterval(() => void client.query('select 1').catch(() => {}), silenceMillis / 2)
        let isReleased = false
        unsubscribe = () => {
          clearInterval(heartbeat)
          // A connection that the server ends may say so more than once.
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
      // The server went away: tries until it is there again. A missed wake-up only waits for the queue's next look.
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
      readPool.query('select pg_notify($1, $2)', [channel, '']).catch(() => {})
    },
    close: async () => {
      await Promise.all([read, readForChange, db, schema].map((one) => one.destroy()))
    },
  }
}
