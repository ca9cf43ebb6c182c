import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql, type Kysely } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkpointThread } from '#app/threads/checkpoint-thread.ts'
import type { Checkpointer } from '#db/sqlite/checkpoints.ts'
import { openSqlite, type Database } from '#db/database.ts'

const PAGE = 4096

let folder: string
let file: string
let database: Database
let checkpointer: Checkpointer
let log: string

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'checkpoint-thread-'))
  file = path.join(folder, 'test.db')
  log = ''
  checkpointer = checkpointThread(folder, file, pino({ level: 'warn' }, { write: (line) => void (log += line) }))
  database = openSqlite(file)
  await sql`create table item (name text not null)`.execute(database.schema)
})
afterEach(async () => {
  await checkpointer.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

const write = (name: string) =>
  database.write((db) => sql`insert into item values (${name})`.execute(db as unknown as Kysely<never>))

test('copies what was committed into the file, also while somebody writes', async () => {
  for (let index = 0; index < 50; index += 1) await write('a word of some length '.repeat(1000))
  expect(statSync(file).size).toBeLessThan(10 * PAGE)
  const [writing] = [write('meanwhile'), await checkpointer.checkpoint()]
  await writing
  expect(statSync(file).size).toBeGreaterThan(200 * PAGE)
  await checkpointer.checkpoint()
  const { rows } = await sql<{ count: number }>`select count(*) as count from item`.execute(database.read)
  expect(rows).toEqual([{ count: 51 }])
  expect(log).toBe('')
})

test('a failed checkpoint is logged, and the next one runs on a new thread', async () => {
  renameSync(folder, `${folder}-away`)
  await checkpointer.checkpoint()
  expect(log).toContain('a checkpoint of the database failed')
  renameSync(`${folder}-away`, folder)
  log = ''
  for (let index = 0; index < 50; index += 1) await write('a word of some length '.repeat(1000))
  await checkpointer.checkpoint()
  expect(statSync(file).size).toBeGreaterThan(200 * PAGE)
  expect(log).toBe('')
})

test('starts a thread with the first, and ends it', async () => {
  const threads = () => readdirSync('/proc/self/task').length
  await checkpointer.close()
  const before = threads()
  await checkpointer.checkpoint()
  expect(threads()).toBeGreaterThan(before)
  await checkpointer.close()
  expect(threads()).toBe(before)
  await checkpointer.close()
})
