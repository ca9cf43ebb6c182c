import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { compiled, compiledByKey } from '#db/queries/compiled.ts'
import { openPostgres, type Database } from '#db/database.ts'
import { createDatabase } from '#kit/postgres.ts'

/** On Postgres, a connection for reads prepares the queries that are compiled once. */

let database: Database

const run = (text: string) => sql.raw(text).execute(database.schema)

beforeAll(async () => {
  const { url } = await createDatabase(inject('postgresAdminUrl'))
  // One connection for all reads, so that the test sees what it has prepared.
  database = openPostgres({ url, readers: 1, writers: 1 })
  await run('create table branch (id text primary key, tenant_id text, name text, is_active boolean)')
  await run(String.raw`insert into branch values ('b1', 't1', 'A', true), ('b2', 't1', 'It''s 5$ \ ?', true),
    ('b3', 't2', 'A', false)`)
})
afterAll(() => database.close())

interface Prepared {
  statement: string
  generic_plans: number
}

const prepared = async (): Promise<Prepared[]> =>
  (
    await sql<Prepared>`
      select statement, generic_plans from pg_prepared_statements order by prepare_time`.execute(database.read)
  ).rows

const statements = async (): Promise<string[]> => (await prepared()).map(({ statement }) => statement)

describe('a compiled query on Postgres', () => {
  test('is planned once for all values, and its constants stand in its text', async () => {
    const named = compiled((db, { name }: { name: string }) =>
      db
        .selectFrom('branch')
        .select('id')
        .where('is_active', '=', true)
        .where('tenant_id', '=', 't1')
        .where('name', '=', name)
        .limit(10),
    )
    // Postgres compares the plan for all values with those for the first five.
    for (let times = 0; times < 6; times += 1) {
      expect(await named(database.read, { name: 'A' })).toEqual([{ id: 'b1' }])
      expect(await named(database.read, { name: String.raw`It's 5$ \ ?` })).toEqual([{ id: 'b2' }])
    }
    const [only] = await prepared()
    expect(only?.statement).toMatch(/"is_active" = true and "tenant_id" = 't1' and "name" = \$1 limit 10$/)
    expect(only?.generic_plans).toBe(7)
  })

  test('may have any text as a constant', async () => {
    const text = String.raw`It's 5$ \ ?`
    const always = compiled((db) =>
      db
        .selectFrom('branch')
        .select((eb) => ['id', eb.val(text).as('same'), eb.val(null).as('none'), eb.val(7).as('seven')])
        .where('name', '=', text),
    )
    expect(await always(database.read, {})).toEqual([{ id: 'b2', same: text, none: null, seven: 7 }])
  })

  test('is planned each time where it returns every column, or searches', async () => {
    const before = await statements()
    const all = compiled((db, { id }: { id: string }) => db.selectFrom('branch').selectAll().where('id', '=', id))
    const like = compiled((db, { name }: { name: string }) =>
      db.selectFrom('branch').select('id').where('name', 'like', name),
    )
    expect(await all(database.read, { id: 'b3' })).toMatchObject([{ id: 'b3' }])
    await run('alter table branch add column added integer')
    expect(await all(database.read, { id: 'b3' })).toMatchObject([{ id: 'b3', added: null }])
    expect(await like(database.read, { name: 'A%' })).toHaveLength(2)
    expect(await statements()).toEqual(before)
  })

  test('is planned each time within a change: the table may grow faster than Postgres looks at it again', async () => {
    const named = compiled((db, { id }: { id: string }) => db.selectFrom('branch').select('id').where('id', '=', id))
    await database.write(async (db) => {
      expect(await named(db, { id: 'b1' })).toEqual([{ id: 'b1' }])
      const { rows } = await sql`select statement from pg_prepared_statements`.execute(db)
      expect(rows).toEqual([])
    })
  })

  test('takes no more memory of the server than for 200 of them; the others are planned each time', async () => {
    const byKey = compiledByKey<{ id: string }>(300)
    const one = (index: number) =>
      byKey(
        database.read,
        {
          key: String(index),
          build: (db, { id }: { id: string }) =>
            db.selectFrom('branch').select('id').where('id', '=', id).where('name', '!=', `n${index}`),
        },
        { id: 'b1' },
      )
    for (let index = 0; index < 210; index += 1) expect(await one(index)).toEqual([{ id: 'b1' }])
    expect(await prepared()).toHaveLength(200)
    expect(await one(209)).toEqual([{ id: 'b1' }])
  })
})
