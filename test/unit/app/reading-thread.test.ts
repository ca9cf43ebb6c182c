import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql, type Kysely } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readingThread } from '#app/threads/reading-thread.ts'
import type { ReadingThread } from '#db/queries/long-reads.ts'
import { openSqlite, type Database } from '#db/database.ts'

let folder: string
let file: string
let database: Database
let log: string
let aside: ReadingThread

const logger = pino({ level: 'warn' }, { write: (line) => void (log += line) })

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'reading-thread-'))
  file = path.join(folder, 'test.db')
  log = ''
  database = openSqlite(file)
  await sql`create table item (name text not null, done FLAG_INT not null, tags JSON_TEXT)`.execute(database.schema)
  aside = readingThread({ dataDir: folder, file }, logger)
})
afterEach(async () => {
  await aside.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

const write = (name: string) =>
  database.write((db) => sql`insert into item values (${name}, true, '["a"]')`.execute(db as unknown as Kysely<never>))

const ask = (text: string, ...parameters: unknown[]) => aside.run({ sql: text, parameters })
const names = async () => (await ask('select name from item order by rowid')).map(({ name }) => name)

/** `endless` counts its rows and never ends; `long` does not count them and takes some seconds. */
const endless =
  'with recursive n(n) as (select 1 union all select n + 1 from n) select count(*) as c from n where count_row(n)'
const long =
  'with recursive n(n) as (select 1 union all select n + 1 from n where n < 9000000) select sum(n) as s from n'

const threads = () => readdirSync('/proc/self/task').length

test('rows come back as they do everywhere else', async () => {
  await write('one')
  expect(await ask('select * from item where name = ? and done = ?', 'one', true)).toEqual([
    { name: 'one', done: true, tags: ['a'] },
  ])
})

test('very many rows come in their order, in parts between which others have their turn', async () => {
  const many = (count: number) =>
    ask('with recursive n(n) as (select 1 union all select n + 1 from n where n < ?) select n from n', count)
  let turns = 0
  const counting = setInterval(() => (turns += 1), 0)
  const [rows, few] = await Promise.all([many(100_000), many(3)])
  clearInterval(counting)
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 100_000 }, (_, index) => index + 1))
  expect(few).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(turns).toBeGreaterThan(20)
  expect(await many(2000)).toHaveLength(2000)
})

test('each read sees what was committed before it was asked', async () => {
  for (let count = 1; count <= 20; count += 1) {
    await write(String(count))
    expect(await names()).toHaveLength(count)
  }
})

test('what the database throws is thrown, with its code, and the next is answered', async () => {
  await expect(ask('select * from items')).rejects.toMatchObject({ message: 'no such table: items' })
  await expect(ask("insert into item values ('x', 1, null)")).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
  expect(await names()).toEqual([])
})

test('more than may wait are refused with 429 and when to come again', async () => {
  await aside.close()
  aside = readingThread({ dataDir: folder, file }, logger, { waiting: { most: 3 } })
  const replies = await Promise.allSettled(Array.from({ length: 6 }, () => names()))
  expect(replies.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected', 'rejected'])
  expect(replies.at(-1)).toMatchObject({
    reason: { spec: { code: 'RATE_LIMITED' }, headers: { 'Retry-After': '2' } },
  })
  expect(await names()).toEqual([])
})

test('a read that takes too long is ended, whether it counts its rows or not, and the next is answered', async () => {
  await aside.close()
  aside = readingThread({ dataDir: folder, file }, logger, { queryMillis: 2500 })
  expect(await names()).toEqual([])
  await expect(ask(endless)).rejects.toThrow('took too long')
  expect(log).toBe('')
  await expect(ask(long.replace('9000000', '400000000'))).rejects.toThrow('took too long')
  expect(log).toContain('given up')
  expect(await names()).toEqual([])
})

test('a thread that dies fails the read that it had, and the next starts another', async () => {
  renameSync(folder, `${folder}-away`)
  const failed = await names().catch(String)
  renameSync(`${folder}-away`, folder)
  expect(failed).toContain('Cannot open database')
  expect(await names()).toEqual([])
  expect(log).toContain('failed')
})

test('the thread is started by the first read and ended when nothing is asked', async () => {
  await aside.close()
  aside = readingThread({ dataDir: folder, file }, logger, { idleMillis: 20 })
  const before = threads()
  await names()
  expect(threads()).toBeGreaterThan(before)
  await vi.waitFor(() => expect(threads()).toBe(before), 5000)
  expect(await names()).toEqual([])
})

test('closing ends what runs and what waits, and leaves no thread', async () => {
  const before = threads()
  await names()
  const asked = [ask(long), names()].map(async (reading) => expect(reading).rejects.toThrow('was closed'))
  await aside.close()
  await Promise.all(asked)
  expect(threads()).toBe(before)
  await aside.close()
})
