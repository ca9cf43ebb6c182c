import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { MAX_WAITING } from '#db/overload.ts'
import { openPostgres, type Database } from '#db/database.ts'
import { isStorageFailure } from '#db/dialect.ts'
import { createDatabase } from '#kit/postgres.ts'

let postgres: Awaited<ReturnType<typeof createDatabase>>
let database: Database
/** Lets the changes end: until then, they wait for `held`. */
let release: () => void
let held: Promise<void>

beforeEach(async () => {
  postgres = await createDatabase(inject('postgresAdminUrl'))
  database = openPostgres({ url: postgres.url, writers: 2, readers: 2 })
  held = new Promise((resolve) => {
    release = resolve
  })
})
afterEach(async () => {
  await database.close()
  await postgres.drop()
})

const overloaded = { spec: { code: 'RATE_LIMITED', status: 429 }, headers: { 'Retry-After': '1' } }

test('the number of waiting changes is limited, and reads still work', async () => {
  const change = () => database.write(() => held, { refusable: true })
  const crowd = Array.from({ length: 2 + MAX_WAITING }, change)
  await expect(change()).rejects.toMatchObject(overloaded)
  expect((await sql`select 1 as one`.execute(database.read)).rows).toEqual([{ one: 1 }])
  release()
  await Promise.all(crowd)
  await change()
})

test('the number of waiting reads is limited, and further ones are refused', async () => {
  const waiting = sql`select pg_sleep(0.02)`
  const settled = await Promise.allSettled(
    Array.from({ length: 2 + MAX_WAITING + 10 }, () => waiting.execute(database.read)),
  )
  const refused = settled.filter((one) => one.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const one of refused) expect(one.reason).toMatchObject(overloaded)
})

test.each([
  ['53100', 'its disk is full'],
  ['53200', 'its memory is used up'],
  ['53300', 'its connections are'],
  ['57P01', 'it is being stopped'],
  ['58030', 'its disk fails'],
])('what it refuses with %s, as %s, is trouble of the storage', async (code) => {
  const refused = sql.raw(`do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`)
  await expect(refused.execute(database.read)).rejects.toSatisfy(isStorageFailure)
})

test('what is wrong with a statement is no trouble of the storage', async () => {
  await expect(sql`select 1 / 0`.execute(database.read)).rejects.not.toSatisfy(isStorageFailure)
})
