import path from 'node:path'
import type { ReadingThread } from '#db/queries/long-reads.ts'
import type { Checkpointer } from '#db/sqlite/checkpoints.ts'
import { openPostgres, openSqlite, type Database, type QueryLog } from '#db/database.ts'
import type { Config } from './config/config.ts'
import { DATABASE } from './data-dir/layout.ts'

export interface DatabaseOptions {
  queryLog?: QueryLog | undefined
  /** Makes the checkpointer of a SQLite file; a program that runs for long needs one. */
  checkpointer?: (file: string) => Checkpointer
  /** Makes the thread that runs long reads of a SQLite file. */
  readingThread?: (file: string) => ReadingThread
}

export const openDatabase = (
  { databaseUrl, dataDir }: Config,
  { queryLog: log, checkpointer, readingThread }: DatabaseOptions = {},
): Database => {
  if (databaseUrl !== undefined) return openPostgres({ url: databaseUrl, ...(log && { log }) })
  const file = path.join(dataDir, DATABASE)
  return openSqlite(file, { log, checkpointer: checkpointer?.(file), readingThread: readingThread?.(file) })
}
