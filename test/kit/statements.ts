import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { QueryLog } from '#db/database.ts'

/** Where all tests of a run record the statements that they ran, to tell which of them met both engines. */
export const STATEMENTS_FOLDER = '.cache/statements'

/**
 * The statement without what differs between engines and runs but not in what the database has to do: how values,
 * literals and limits are written, how many values a list or how many rows an insert has, SQLite's counter of the rows that
 * a read looks at, and the locks that SQLite with its one writer needs none of.
 */
export const statementOf = (sql: string): string =>
  sql
    .replaceAll(/count_row\(octet_length\("\w+"\."\w+"\)\) and /g, '')
    .replaceAll(/ where count_row\(octet_length\("\w+"\."\w+"\)\)/g, '')
    .replaceAll(/coalesce\(\?, null\)|\$\d+/g, '?')
    .replaceAll(/(?<=[\s(])(?:\d+|true|false|null)(?=[\s,)]|$)/g, '?')
    .replaceAll(/\?(?:, \?)+/g, '?')
    .replaceAll(/\(\?\)(?:, \(\?\))+/g, '(?)')
    .replaceAll(/ for (?:no key update|update|key share|share)(?: of (?:"\w+"(?:, )?)+)?(?: skip locked| nowait)?/g, '')

/** Records each statement that a test's program runs, under the test's file. */
export const recordStatements = (): { log: QueryLog; flush(): void } => {
  const seen = new Set<string>()
  return {
    log: ({ query }) => seen.add(query.sql),
    flush: () => {
      const file = path.relative(process.cwd(), expect.getState().testPath ?? 'unknown')
      mkdirSync(STATEMENTS_FOLDER, { recursive: true })
      const lines = [...new Set([...seen].map((sql) => statementOf(sql)))].map((sql) => JSON.stringify([file, sql]))
      appendFileSync(
        `${STATEMENTS_FOLDER}/${process.env.TEST_ENGINE ?? 'sqlite'}-${process.pid}.txt`,
        `${lines.join('\n')}\n`,
      )
    },
  }
}
