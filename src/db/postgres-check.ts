import { sql } from 'kysely'
import type { SystemDb } from '#kernel/tables.ts'
import type { Database } from './database.ts'

const LEAST_VERSION = 15

/** @throws an Error where a Postgres server is of a version with which this program does not work */
export const assertPostgresVersion = async ({ engine, read }: Database): Promise<void> => {
  if (engine !== 'postgres') return
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(read)
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) < LEAST_VERSION) {
    throw new Error(
      `Postgres ${version} is too old: bring it to version ${LEAST_VERSION} or newer (pg_upgrade), or name another in INSTITUTE_DATABASE_URL.`,
    )
  }
}

/**
 * Returns what prevents this program from working well on a Postgres server; empty: nothing. Search uses trigrams of
 * letters, and the database's character type decides what a letter is: with type C, only Latin letters are.
 */
export const problemsOfPostgres = async (db: SystemDb): Promise<string[]> => {
  const { rows } = await sql<{ arabic: number; hebrew: number }>`
    select cardinality(show_trgm(${'سلام'})) as arabic, cardinality(show_trgm(${'שלום'})) as hebrew
  `.execute(db)
  const finds = rows[0] !== undefined && rows[0].arabic > 0 && rows[0].hebrew > 0
  return finds
    ? []
    : [
        'names in Arabic and Hebrew are not found by search: make the database anew with a UTF-8 character type (LC_CTYPE), such as C.UTF-8',
      ]
}
