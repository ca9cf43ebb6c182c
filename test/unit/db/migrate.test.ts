import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite, type Database } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import type { Migration } from '#db/schema-kit.ts'

let folder: string
let database: Database

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'migrate-'))
  database = openSqlite(path.join(folder, 'test.db'))
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const first: Migration = {
  rowsOfAValue: { status: 40_000 },
  up: async (db) => {
    await sql`create table pupil (id text primary key, tenant_id text, status text)`.execute(db)
    await sql`create index pupil_status on pupil (tenant_id, status)`.execute(db)
  },
}
const second: Migration = {
  up: async (db) => void (await sql`create index pupil_all on pupil (tenant_id)`.execute(db)),
}
const broken: Migration = {
  up: async (db) => {
    await second.up(db, undefined as never)
    throw new Error('no further')
  },
}

const statistics = () => database.sqlite?.prepare('select idx, stat from sqlite_stat1 order by idx').raw().all()

test('the statistics by which SQLite plans come with the schema, and are undone with a step that fails', async () => {
  await migrate(database, { first })
  const before = [
    ['pupil_status', '200000 200000 40000 noskipscan'],
    ['sqlite_autoindex_pupil_1', '200000 1'],
  ]
  expect(statistics()).toEqual(before)
  await expect(migrate(database, { first, second: broken })).rejects.toThrow('no further')
  expect(statistics()).toEqual(before)
  expect(await migrate(database, { first, second })).toEqual(['second'])
  expect(statistics()).toEqual([['pupil_all', '200000 200000 noskipscan'], ...before])
})

test('SQLite does not look into each institute for what is not asked of one', async () => {
  await migrate(database, { first })
  const plan = database.sqlite?.prepare(`explain query plan select id from pupil where status = 'active'`).all()
  expect(plan).toMatchObject([{ detail: 'SCAN pupil' }])
})
