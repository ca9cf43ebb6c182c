import { setImmediate as nextTurn } from 'node:timers/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite, type Database } from '#db/database.ts'
import { scoped } from '#db/scope/scope.ts'
import { plannedOnce } from '#db/sqlite/sqlite.ts'
import type { Reach } from '#kernel/rights/permissions.ts'
import type { ScopedDb, SystemDb, TableRules } from '#kernel/contract/tables.ts'
import { compiled, compiledByIds, compiledInsert, compiledInTenant } from '#db/queries/compiled.ts'

let folder: string
let database: Database
const rules: TableRules = { branch: { kind: 'tenant', branch: { column: 'id' } } }

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'compiled-'))
  database = openSqlite(path.join(folder, 'test.db'))
  await sql`create table branch (id text, tenant_id text, name text)`.execute(database.schema)
  await sql`insert into branch values ('b1', 't1', 'A'), ('b2', 't1', 'B'), ('b3', 't2', 'A')`.execute(database.schema)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const inTenant = (tenantId: string, reach: Reach = 'all') => scoped(database.read, { tenantId, rules, reach })
const named = compiledInTenant((db, { name }: { name: string }) =>
  db.selectFrom('branch').select('id').where('name', '=', name),
)

describe('a query that is compiled once', () => {
  test('runs with the values of each call', async () => {
    const find = compiled((db, { id }: { id: string }) => db.selectFrom('branch').select('name').where('id', '=', id))
    expect(await find(database.read, { id: 'b1' })).toEqual([{ name: 'A' }])
    expect(await find(database.read, { id: 'b2' })).toEqual([{ name: 'B' }])
  })

  test('stays inside the institute of the handle it runs on', async () => {
    expect(await named(inTenant('t1'), { name: 'A' })).toEqual([{ id: 'b1' }])
    expect(await named(inTenant('t2'), { name: 'A' })).toEqual([{ id: 'b3' }])
    expect(await named(inTenant('t3'), { name: 'A' })).toEqual([])
  })

  test('is narrowed to the reach of the handle, also after it ran for a whole institute', async () => {
    await named(inTenant('t1'), { name: 'A' })
    expect(await named(inTenant('t1', { branchIds: ['b2'], groupIds: [] }), { name: 'A' })).toEqual([])
    expect(await named(inTenant('t1', { branchIds: ['b2'], groupIds: [] }), { name: 'B' })).toEqual([{ id: 'b2' }])
  })

  test('matches constants of any type', async () => {
    const text = "O'Brien? ''"
    await database.write((db) => sql`insert into branch values ('b7', 't7', ${text})`.execute(db))
    const always = compiled((db, { id }: { id: string }) =>
      db
        .selectFrom('branch')
        .select((eb) => ['name', eb.val(null).as('none'), eb.val(7).as('seven'), eb.val(0.5).as('half')])
        .where('name', '=', text)
        .where('id', '=', id)
        .limit(1),
    )
    expect(await always(database.read, { id: 'b7' })).toEqual([{ name: text, none: null, seven: 7, half: 0.5 }])
    expect(await always(database.read, { id: 'b1' })).toEqual([])
  })

  test('shows SQLite no value that could change its plan, and every one that cannot', () => {
    const query = { ...CompiledQuery.raw('select 1 where a = ? and b = ? and c = ? limit ?', ['x', 'queued', true, 9]) }
    expect(plannedOnce(query, (parameter) => parameter === 'x' || parameter === 9)).toMatchObject({
      sql: "select 1 where a = coalesce(?, null) and b = 'queued' and c = 1 limit coalesce(?, null)",
      parameters: ['x', 9],
    })
    const strange = CompiledQuery.raw("select '?' where a = ?", ['x'])
    expect(() => plannedOnce(strange, () => true)).toThrow('a query holds the sign of a parameter that is none')
  })

  test('that changes something says which rows, and is refused by a handle whose change has ended', async () => {
    const rename = compiled((db, { id, name }: { id: string; name: string }) =>
      db.updateTable('branch').set({ name }).where('id', '=', id).returning('id'),
    )
    const handle = await database.write(async (db) => {
      expect(await rename(db, { id: 'b3', name: 'C' })).toEqual([{ id: 'b3' }])
      expect(await rename(db, { id: 'nobody', name: 'C' })).toEqual([])
      return { db }
    })
    await expect(rename(handle.db, { id: 'b3', name: 'D' })).rejects.toThrow('this transaction has ended')
    expect(await named(inTenant('t2'), { name: 'C' })).toEqual([{ id: 'b3' }])
    await database.write((db) => rename(db, { id: 'b3', name: 'A' }))
  })

  test('that adds rows adds as many as it is given, whatever it was compiled for', async () => {
    interface Row {
      id: string
      tenant_id: string
      name: string
    }
    const add = compiledInsert((db: SystemDb, rows: Row[]) => db.insertInto('branch' as never).values(rows))
    const rows = (count: number, tenant: string) =>
      Array.from({ length: count }, (_, index) => ({ id: `${tenant} ${index}`, tenant_id: tenant, name: 'N' }))
    for (const count of [1, 3, 1, 3, 9, 20]) {
      const tenant = `of ${count} ${Math.random()}`
      await database.write((db) => add(db, rows(count, tenant)))
      const added = (await named(inTenant(tenant), { name: 'N' })).map(({ id }) => id)
      expect(added.toSorted()).toEqual(
        rows(count, tenant)
          .map(({ id }) => id)
          .toSorted(),
      )
    }
  })

  test('finds records by any number of ids, each once, in the institute of the handle alone', async () => {
    const ids = Array.from({ length: 70 }, (_, index) => `i${index}`)
    await database.write((db) =>
      db
        .insertInto('branch' as never)
        .values(ids.map((id) => ({ id, tenant_id: 't9', name: 'I' })) as never)
        .execute(),
    )
    const found = compiledByIds((db, some) => db.selectFrom('branch').select('id').where('id', 'in', some))
    for (const count of [0, 1, 2, 3, 64, 65, 70]) {
      const some = ids.slice(0, count)
      const rows = await found(inTenant('t9'), [...some, ...some, 'b1'])
      expect(rows.map(({ id }) => id).toSorted()).toEqual(some.toSorted())
    }
    expect(await found(inTenant('t9', { branchIds: ['i2'], groupIds: [] }), ['i1', 'i2'])).toEqual([{ id: 'i2' }])
    await database.write((db) => sql`delete from branch where tenant_id = 't9'`.execute(db))
  })

  test('that adds rows to an institute adds them to that of the handle', async () => {
    const add = compiledInsert((db: ScopedDb, rows: { id: string; name: string }[]) =>
      db
        .insertInto('branch')
        .values(rows as never)
        .returning('id'),
    )
    for (const count of [1, 2, 9, 20]) {
      const rows = Array.from({ length: count }, (_, index) => ({ id: `${count} ${index}`, name: `of ${count}` }))
      const ids = rows.map(({ id }) => ({ id }))
      const tenantId = `t ${count}`
      const added = await database.write((db) => add(scoped(db, { tenantId, rules, reach: 'all' }), rows))
      expect(added).toEqual(ids)
      expect(await named(inTenant(tenantId), { name: `of ${count}` })).toEqual(ids)
    }
  })
})

test('the version of a database changes with every commit, of this connection or another', async () => {
  const before = database.version()
  expect(database.version()).toBe(before)
  const other = openSqlite(path.join(folder, 'test.db'))
  await sql`insert into branch values ('b4', 't4', 'D')`.execute(other.schema)
  await other.close()
  // Commits of other connections become visible in the next turn of the event loop, and commits of this process at
  // once.
  await nextTurn()
  const after = database.version()
  expect(after).not.toBe(before)
  await database.write((db) => sql`insert into branch values ('b5', 't5', 'E')`.execute(db))
  expect(database.version()).not.toBe(after)
})

test('all reads of one turn see the same, unless this process commits', async () => {
  const count = async () => (await database.read.selectFrom('branch').select('id').execute()).length
  const before = await count()
  const other = openSqlite(path.join(folder, 'test.db'))
  await sql`insert into branch values ('b6', 't6', 'F')`.execute(other.schema)
  await other.close()
  expect(await count()).toBe(before)
  await nextTurn()
  expect(await count()).toBe(before + 1)
  await database.write((db) => sql`insert into branch values ('b7', 't7', 'G')`.execute(db))
  expect(await count()).toBe(before + 2)
})
