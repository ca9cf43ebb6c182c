import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { MAX_WAITING } from '#db/overload.ts'
import { openPostgres, type Database } from '#db/database.ts'
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
