import { statSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** The size of the database in bytes; on SQLite, including the write-ahead log. */
export const databaseBytes = async (database: Database): Promise<number> => {
  if (database.sqlite) {
    const file = database.sqlite.name
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
    return statSync(file).size + (log?.size ?? 0)
  }
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    database.read,
  )
  return rows[0]?.bytes ?? 0
}
