import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite, type Database } from '#db/database.ts'

let folder: string
let database: Database
let asked: number
let closed: boolean
let finish: () => void

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'checkpoints-'))
  asked = 0
  closed = false
  finish = () => {}
  const checkpointer = {
    checkpoint: () => {
      asked += 1
      return new Promise<void>((resolve) => {
        finish = resolve
      })
    },
    close: async () => {
      closed = true
    },
  }
  database = openSqlite(path.join(folder, 'test.db'), { checkpointer })
  await sql`create table item (name text not null)`.execute(database.schema)
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const PAGE = 4096
const sizeOfLog = () => statSync(path.join(folder, 'test.db-wal')).size

/** A row of this text takes about ten pages. */
const TEXT = 'a word of some length '.repeat(1850)
const PAGES_OF_ROW = 10
const insert = (rows: number) =>
  database.write((db) =>
    sql`with recursive n(n) as (select 1 union all select n + 1 from n where n < ${rows}) insert into item select ${TEXT} from n`.execute(
      db as unknown as Kysely<never>,
    ),
  )
const commits = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await insert(1)
}
/** How many rows SQLite's limit of pages is. */
const LIMIT = 1000 / PAGES_OF_ROW

test('the log is copied when it holds as much as SQLite lets gather, by many commits', async () => {
  const copies = () => asked
  while (copies() === 0) await insert(1)
  expect(sizeOfLog()).toBeGreaterThan(1000 * PAGE)
  expect(sizeOfLog()).toBeLessThan((1000 + 3 * PAGES_OF_ROW) * PAGE)
})

test('… or by one', async () => {
  await insert(LIMIT + 1)
  expect(asked).toBe(1)
})

test('one at a time; what gathers meanwhile is copied by the next', async () => {
  await insert(LIMIT + 1)
  await insert(LIMIT + 1)
  expect(asked).toBe(1)
  finish()
  await commits(1)
  expect(asked).toBe(2)
})

test.each([
  ['copied nothing, because somebody read', () => {}],
  ['copied all', () => void database.sqlite?.pragma('wal_checkpoint(passive)')],
])('after one that %s, the next waits until the log has grown as much again', async (_, copy) => {
  await insert(LIMIT + 1)
  copy()
  finish()
  await commits(LIMIT / 2)
  expect(asked).toBe(1)
  await commits(LIMIT / 2)
  expect(asked).toBe(2)
})

test('where none is ever done, SQLite keeps the log within its limit', async () => {
  let most = 0
  for (let index = 0; index < 1000; index += 1) {
    await insert(1)
    if (index % 100 === 99) most = Math.max(most, sizeOfLog())
  }
  expect(asked).toBe(1)
  expect(most).toBeGreaterThan(3000 * PAGE)
  expect(most).toBeLessThan(5000 * PAGE)
})

test('the checkpointer is closed together with the database', async () => {
  await database.close()
  expect(closed).toBe(true)
  database = openSqlite(path.join(folder, 'test.db'))
})
