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

/** Commits a few pages. */
const commit = () =>
  database.write((db) => sql`insert into item values ('one')`.execute(db as unknown as Kysely<never>))
/** Commits until a checkpoint starts. @returns how many commits that took */
const commitUntilAsked = async (): Promise<number> => {
  const before = asked
  for (let commits = 1; commits < 1000; commits += 1) {
    await commit()
    if (asked > before) return commits
  }
  throw new Error('nobody asked for a checkpoint')
}

test('the log is copied when as much as SQLite lets gather may be in it, by commits', async () => {
  const commits = await commitUntilAsked()
  expect(asked).toBe(1)
  expect(commits).toBeGreaterThan(50)
  expect(sizeOfLog()).toBeLessThan(1000 * PAGE)
})

test('… and by rows', async () => {
  await database.write((db) =>
    sql`with recursive n(n) as (select 1 union all select n + 1 from n where n < 900) insert into item select n from n`.execute(
      db as unknown as Kysely<never>,
    ),
  )
  expect(asked).toBe(0)
  expect(await commitUntilAsked()).toBeLessThan(15)
})

test('one at a time; what gathers meanwhile is copied by the next', async () => {
  await commitUntilAsked()
  for (let index = 0; index < 300; index += 1) await commit()
  expect(asked).toBe(1)
  finish()
  await commit()
  expect(asked).toBe(2)
})

test('where none is ever done, SQLite keeps the log within its limit', async () => {
  const text = 'a word of some length '.repeat(1000)
  let most = 0
  for (let index = 0; index < 1000; index += 1) {
    await database.write((db) => sql`insert into item values (${text})`.execute(db as unknown as Kysely<never>))
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
