import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openPostgres, type Database } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { postgresTrouble } from '#db/postgres/postgres-trouble.ts'
import { TenantSnapshot } from '#db/copies/tenant-snapshot.ts'
import { migrations } from '#migrations'
import { createDatabase, type Database as TestDatabase } from '#kit/postgres.ts'
import { TransactionPooler } from '#kit/transaction-pooler.ts'

const SERVER_CONNECTIONS = 3

/** Enough of them to meet the other process. */
const firstSteps = Object.fromEntries(Object.entries(migrations).slice(0, 3))

let postgres: TestDatabase
let pooler: TransactionPooler
let database: Database
const through = () => `${pooler.url}?pgbouncer=true`

beforeEach(async () => {
  postgres = await createDatabase(inject('postgresAdminUrl'), { template: inject('postgresTemplate') })
  pooler = await TransactionPooler.start(postgres.url, SERVER_CONNECTIONS)
  database = openPostgres({ url: through() })
})
afterEach(async () => {
  await database.close()
  pooler.close()
  await postgres.drop()
})

test('without the parameter, the program says that the address is of a PgBouncer and what to add', async () => {
  const direct = openPostgres({ url: pooler.url })
  const refused = await direct.probe().catch((error: unknown) => error)
  await direct.close()
  expect(postgresTrouble(refused as Error & { code: string }, pooler.url)).toEqual({
    isSetting: true,
    text: expect.stringContaining('add pgbouncer=true to it (…/institute?pgbouncer=true).'),
  })
})

test('the schema is made by two processes at once', async () => {
  const empty = await createDatabase(inject('postgresAdminUrl'))
  const lender = await TransactionPooler.start(empty.url, SERVER_CONNECTIONS)
  const both = [1, 2].map(() => openPostgres({ url: `${lender.url}?pgbouncer=true` }))
  try {
    const ran = await Promise.all(both.map((one) => migrate(one, firstSteps)))
    expect(ran.flat().toSorted()).toEqual(Object.keys(firstSteps))
  } finally {
    await Promise.all(both.map((one) => one.close()))
    lender.close()
    await empty.drop()
  }
})

test('more clients than connections of the server read and write, with times and dates in one form', async () => {
  const once = (value: number) =>
    database.write(async (db) => {
      const { rows } = await sql`
        select ${value}::int as value, timestamptz '2026-11-26 10:00+02' as at, date '2026-11-26' as day
      `.execute(db)
      return rows[0]
    })
  const read = async (value: number) => (await sql`select ${value}::int as value`.execute(database.read)).rows[0]
  const wrote = await Promise.all(Array.from({ length: 40 }, (_, value) => once(value)))
  const seen = await Promise.all(Array.from({ length: 40 }, (_, value) => read(value)))
  expect(wrote).toEqual(
    Array.from({ length: 40 }, (_, value) => ({ value, at: '2026-11-26T08:00:00.000Z', day: '2026-11-26' })),
  )
  expect(seen).toEqual(Array.from({ length: 40 }, (_, value) => ({ value })))
})

test('a transaction has its time limits, and leaves none on the connection', async () => {
  const limits = sql<{ statement: string; lock: string; idle: string }>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle
  `
  const within = await database.write(async (db) => (await limits.execute(db)).rows[0])
  expect(within).toEqual({ statement: '1min', lock: '10s', idle: '5s' })
  for (let turn = 0; turn < SERVER_CONNECTIONS; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each meets the connection that rested longest
    expect((await limits.execute(database.read)).rows[0]).toEqual({ statement: '0', lock: '0', idle: '0' })
  }
})

test('what a transaction wrote before it failed is gone, and the next begins anew', async () => {
  await database.write((db) => sql`create table kept (value int)`.execute(db))
  const failing = database.write(async (db) => {
    await sql`insert into kept values (1)`.execute(db)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const { rows } = await sql`select * from kept`.execute(database.read)
  expect(rows).toEqual([])
})

test('an export sees one moment', async () => {
  const tenantId = randomUUID()
  await database.write((db) => sql`create table note (tenant_id uuid)`.execute(db))
  const snapshot = await TenantSnapshot.open({ url: through() }, tenantId)
  try {
    await database.write((db) => sql`insert into note values (${tenantId})`.execute(db))
    expect(await snapshot.count('note', { tenantColumn: 'tenant_id' })).toBe(0)
  } finally {
    await snapshot.close()
  }
})
