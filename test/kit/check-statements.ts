/**
 * Runs after all API tests, most of which run on SQLite alone: Postgres must be able to prepare each statement that they
 * ran, so that none names what it does not have or compares what it cannot. Prints those that it refuses, and exits with 1.
 */
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import pg from 'pg'
import { setup } from './postgres-setup.ts'
import { createDatabase } from './postgres.ts'
import { STATEMENTS_FOLDER, type Recorded } from './statements.ts'

/** What the program asks of SQLite alone, and what tests ask of it by hand. */
const OF_SQLITE =
  /\b(?:match|instr|rowid|strftime|printf|octet_length|json_each|json_extract|json_group_array|count_row|noted_write|sqlite_\w+|pragma\w*|glob|iif)\b|_search"|"reference_to_|^(?!\s*(?:select|insert|update|delete|with)\b)/i

/**
 * The text of an insert that is compiled once holds SQLite's 0 and 1 in place of false and true; a table that no step
 * makes is a test's own.
 */
const IS_OF_TESTS =
  /^column "\w+" is of type boolean but expression is of type integer$|^relation "\w+" does not exist$/

const recorded = (engine: string): Map<string, string> => {
  const files = readdirSync(STATEMENTS_FOLDER).filter((file) => file.startsWith(engine))
  const lines = files.flatMap((file) => readFileSync(`${STATEMENTS_FOLDER}/${file}`, 'utf8').split('\n'))
  return new Map(
    lines
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Recorded)
      .map(([file, sql]) => [sql, file]),
  )
}

/** A constant of a statement that is compiled once stands in it as the engine writes it. */
const asPostgresWritesIt = (sql: string): string => sql.replaceAll(/ = ([01])\b/g, (_, bit) => ` = ${bit === '1'}`)

const IS_OF_CONSTANTS = /^operator does not exist: boolean = integer$/

const met = recorded('postgres')
const toPrepare = [...recorded('sqlite')].filter(([sql]) => !met.has(sql) && !OF_SQLITE.test(sql))

const provided = new Map<string, unknown>()
const stop = await setup({ provide: (key: string, value: unknown) => void provided.set(key, value) } as never)
const refused: string[] = []

/** Why Postgres cannot; undefined: it can. */
const refusalOf = async (client: pg.Client, sql: string): Promise<string | undefined> => {
  try {
    await client.query(`prepare tried as ${sql}`)
    await client.query('deallocate tried')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

try {
  const template = String(provided.get('postgresTemplate'))
  const { url } = await createDatabase(String(provided.get('postgresAdminUrl')), { template })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [sql, file] of toPrepare) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    let refusal = await refusalOf(client, sql)
    // oxlint-disable-next-line no-await-in-loop
    if (refusal && IS_OF_CONSTANTS.test(refusal)) refusal = await refusalOf(client, asPostgresWritesIt(sql))
    if (refusal && !IS_OF_TESTS.test(refusal)) refused.push(`  ${file}: ${refusal}\n    ${sql}`)
  }
  await client.end()
} finally {
  await stop()
}
console.log(`${met.size} statements ran on Postgres, which prepared ${toPrepare.length - refused.length} more.`)
if (refused.length > 0) {
  console.log(`Postgres refuses what ran on SQLite:\n${refused.join('\n')}`)
  process.exit(1)
}
