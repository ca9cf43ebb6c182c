import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { type CompiledQuery, PostgresQueryCompiler } from 'kysely'
import { expect } from 'vitest'
import type { QueryLog } from '#db/database.ts'

/** Where the tests of a run record what they asked of the database; see check-statements.ts. */
export const STATEMENTS_FOLDER = '.cache/statements'

/** The test's file, and a statement that it ran, as Postgres reads it. */
export type Recorded = readonly [file: string, sql: string]

const compiler = new PostgresQueryCompiler()

const VALUES = String.raw`\(\$\d+(?:, \$\d+)*\)`

/** With as few values as it can have, so that texts that differ in how many they have are one. */
const shortened = (sql: string): string => {
  let count = 0
  return sql
    .replaceAll(/(?<= in )\(\$\d+(?:, \$\d+)+\)/g, '($1)')
    .replaceAll(new RegExp(`(?<= values ${VALUES})(?:, ${VALUES})+`, 'g'), '')
    .replaceAll(/\$\d+/g, () => `$${(count += 1)}`)
}

/** What is compiled once has only its text left, which SQLite writes with constants and as no index has it. */
const textForPostgres = (sql: string): string =>
  sql
    .replaceAll(/coalesce\(\?, null\)|\?/g, '$1')
    .replaceAll(/("is_\w+" = )([01])/g, (_, start: string, bit: string) => start + String(bit === '1'))

const forPostgres = ({ query, queryId, sql }: CompiledQuery): string =>
  ('parameters' in query && Array.isArray(query.parameters)) || 'into' in query || 'table' in query || 'from' in query
    ? compiler.compileQuery(query, queryId).sql
    : textForPostgres(sql)

/** Records each statement that a test's program runs, under the test's file. */
export const recordStatements = (): { log: QueryLog; flush(): void } => {
  const seen = new Map<string, CompiledQuery>()
  return {
    log: ({ query }) => {
      if (!seen.has(query.sql)) seen.set(query.sql, query)
    },
    flush: () => {
      const file = path.relative(process.cwd(), expect.getState().testPath ?? 'unknown')
      const texts = new Set([...seen.values()].map((query) => shortened(forPostgres(query))))
      mkdirSync(STATEMENTS_FOLDER, { recursive: true })
      appendFileSync(
        `${STATEMENTS_FOLDER}/${process.env.TEST_ENGINE ?? 'sqlite'}-${process.pid}.txt`,
        [...texts].map((sql) => `${JSON.stringify([file, sql] satisfies Recorded)}\n`).join(''),
      )
    },
  }
}
