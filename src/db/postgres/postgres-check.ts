import { sql } from 'kysely'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { Database } from '#db/database.ts'

const LEAST_VERSION = 15

/**
 * @throws an Error where a Postgres server is of a version with which this program does not work, or a pooler in front of
 * it takes no transactions
 */
export const assertPostgresWorks = async ({ engine, write }: Database): Promise<void> => {
  if (engine !== 'postgres') return
  const { rows } = await write((db) => sql<{ server_version: string }>`show server_version`.execute(db))
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) < LEAST_VERSION) {
    throw new Error(
      `Postgres ${version} is too old: bring it to version ${LEAST_VERSION} or newer (pg_upgrade), or name another in INSTITUTE_DATABASE_URL.`,
    )
  }
}

interface Letters {
  name: string
  encoding: string
  ctype: string
}

/** The name can stand in SQL without quotes, and is short enough for a longer one. */
const PLAIN_NAME = /^[a-z_][a-z\d_]{0,50}$/

/** Says what is lost, and how a database is made that loses nothing. */
const problemOf = ({ name, encoding, ctype }: Letters): string => {
  const better = `${PLAIN_NAME.test(name) ? name : 'institute'}_utf8`
  const command = `create database ${better} template template0 encoding 'UTF8' locale_provider libc locale 'C.UTF-8'`
  return `the database ${name} loses Arabic and Hebrew: its encoding is ${encoding} and its character type ${ctype}, with which search finds no name in them; make another there (psql -c "${command}"), bring over what this one holds (pg_dump, pg_restore), and name it in INSTITUTE_DATABASE_URL`
}

const finding = async (db: SystemDb): Promise<boolean> => {
  const { rows } = await sql<{ arabic: number; hebrew: number }>`
    select cardinality(show_trgm(${'سلام'})) as arabic, cardinality(show_trgm(${'שלום'})) as hebrew
  `.execute(db)
  return rows[0] !== undefined && rows[0].arabic > 0 && rows[0].hebrew > 0
}

const hasTrigrams = async (db: SystemDb): Promise<boolean> => {
  const { rows } = await sql`select from pg_extension where extname = 'pg_trgm'`.execute(db)
  return rows.length > 0
}

/** Thrown to roll back the transaction in which the check created the extension. */
class Seen extends Error {
  readonly finds: boolean

  constructor(finds: boolean) {
    super('This was only a look.')
    this.finds = finds
  }
}

/** Looks in a database that is still empty: with the extension, which is not kept. */
const findingBeforeFirst = async (database: Database): Promise<boolean> => {
  try {
    return await database.write(async (db) => {
      await sql`create extension pg_trgm`.execute(db)
      throw new Seen(await finding(db))
    })
  } catch (error) {
    if (error instanceof Seen) return error.finds
    // Another process has created it meanwhile.
    if (await hasTrigrams(database.read)) return finding(database.read)
    throw error
  }
}

/**
 * Returns what prevents this program from working well on a Postgres server; empty: nothing. Search uses trigrams of
 * letters, and the database's encoding and character type decide what a letter is: with type C, only Latin letters are.
 */
export const problemsOfPostgres = async (database: Database): Promise<string[]> => {
  const { rows } = await sql<Letters>`
    select datname as name, pg_encoding_to_char(encoding) as encoding, datctype as ctype
    from pg_database where datname = current_database()
  `.execute(database.read)
  const letters = rows[0] as Letters
  const look = async () => ((await hasTrigrams(database.read)) ? finding(database.read) : findingBeforeFirst(database))
  return letters.encoding === 'UTF8' && (await look()) ? [] : [problemOf(letters)]
}

/** @throws an Error where names in Arabic and Hebrew would be lost; nothing was made or changed */
export const assertPostgresLetters = async (database: Database): Promise<void> => {
  if (database.engine !== 'postgres') return
  const [problem] = await problemsOfPostgres(database)
  if (problem !== undefined) throw new Error(`${problem.replace(/^t/, 'T')}. Nothing was changed.`)
}
