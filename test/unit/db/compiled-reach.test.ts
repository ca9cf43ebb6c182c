import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compiledByKeyInTenant, compiledInTenant } from '#db/queries/compiled.ts'
import { openSqlite, type Database } from '#db/database.ts'
import { scoped } from '#db/scope/scope.ts'
import type { ScopedDb, TableRules } from '#kernel/contract/tables.ts'

/**
 * A compiled query runs for many callers. Each must get the same rows as from a query that was built for them alone.
 */

const rules: TableRules = {
  student: {
    kind: 'tenant',
    branch: { column: 'branch_id' },
    group: { link: 'enrollment', key: 'student_id', column: 'group_id', of: 'group' },
  },
  enrollment: {
    kind: 'tenant',
    branch: { column: 'group_id', of: 'group' },
    group: { column: 'group_id', of: 'group' },
  },
  group: { kind: 'tenant', branch: { column: 'branch_id' }, group: { column: 'id' } },
}

let folder: string
let database: Database

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'compiled-reach-'))
  database = openSqlite(path.join(folder, 'test.db'))
  const run = (text: string) => sql.raw(text).execute(database.schema)
  await run('create table student (id text, tenant_id text, branch_id text, status text)')
  await run('create table enrollment (id text, tenant_id text, student_id text, group_id text)')
  await run('create table "group" (id text, tenant_id text, branch_id text)')
  // The two institutes have branches and groups with the same ids, so that only the tenant distinguishes their rows.
  for (const tenant of ['t1', 't2']) {
    for (let n = 0; n < 24; n += 1) {
      const status = n % 3 === 0 ? 'paused' : 'active'
      await run(`insert into student values ('${tenant}-s${n}', '${tenant}', 'b${n % 4}', '${status}')`)
      await run(`insert into enrollment values ('${tenant}-e${n}', '${tenant}', '${tenant}-s${n}', 'g${n % 6}')`)
    }
    for (let n = 0; n < 6; n += 1) await run(`insert into "group" values ('g${n}', '${tenant}', 'b${n % 4}')`)
  }
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

interface Who {
  tenantId?: string
  branches?: readonly string[]
  groups?: readonly string[]
  few?: readonly string[]
}

const handleOf = ({ tenantId = 't1', branches = [], groups = [], few }: Who): ScopedDb =>
  scoped(database.read, {
    tenantId,
    rules,
    reach: { branchIds: branches, groupIds: groups },
    ...(few && { smallTables: new Set(few) }),
  })

/** A compiled query for students by status, which counts how often it is built. */
const counted = () => {
  const seen = { builds: 0 }
  const students = compiledInTenant((db, { status }: { status: string }) => {
    seen.builds += 1
    return db
      .selectFrom('student')
      .select('id')
      .where('status', '=', status as 'active')
      .orderBy('id')
  })
  return { seen, students }
}

const builtAnew = async (db: ScopedDb, status: string): Promise<string[]> =>
  (
    await db
      .selectFrom('student')
      .select('id')
      .where('status', '=', status as 'active')
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

/**
 * Runs the compiled query for each caller, repeatedly, and compares the rows with those of a query built for that
 * caller.
 */
const expectTheirs = async (callers: readonly Who[]): Promise<number> => {
  const { seen, students } = counted()
  for (const status of ['active', 'paused', 'active']) {
    for (const who of callers) {
      const db = handleOf(who)
      const found = (await students(db, { status })).map(({ id }) => id)
      expect(found, JSON.stringify(who)).toEqual(await builtAnew(db, status))
      for (const id of found) expect(id.startsWith(`${who.tenantId ?? 't1'}-`)).toBe(true)
    }
  }
  return seen.builds
}

describe('a query that is compiled once for a kind of reach', () => {
  test('shows each of two branches its own', async () => {
    const { students } = counted()
    const of = async (branch: string) =>
      (await students(handleOf({ branches: [branch] }), { status: 'paused' })).map(({ id }) => id)
    expect(await of('b0')).toEqual(['t1-s0', 't1-s12'])
    expect(await of('b1')).toEqual(['t1-s21', 't1-s9'])
    expect(await of('b0')).toEqual(['t1-s0', 't1-s12'])
    expect(await of('nowhere')).toEqual([])
    expect(await expectTheirs([{ branches: ['b0'] }, { branches: ['b1'] }, { branches: ['b2'] }])).toBe(1)
  })

  test('never shows rows of another institute, even if its branches have the same ids', async () => {
    const both = [{ branches: ['b0'] }, { tenantId: 't2', branches: ['b0'] }, { tenantId: 't3', branches: ['b0'] }]
    expect(await expectTheirs(both)).toBe(1)
  })

  test.each([
    ['one, two and three branches', [['b0'], ['b0', 'b1'], ['b0', 'b1', 'b2'], ['b3', 'b2', 'b1', 'b0']], 3],
    [
      'three branches and four by the same',
      [
        ['b2', 'b1', 'b0'],
        ['b0', 'b1', 'b2', 'b3'],
        ['b1', 'b2', 'b3'],
      ],
      1,
    ],
  ])('shows %s theirs', async (_, reaches, builds) => {
    expect(await expectTheirs(reaches.map((branches) => ({ branches })))).toBe(builds)
  })

  test('shows teachers the rows of their groups', async () => {
    const callers = [{ groups: ['g0'] }, { groups: ['g5'] }, { groups: ['g1', 'g2'] }, { groups: ['g4', 'g5', 'g0'] }]
    expect(await expectTheirs(callers)).toBe(3)
  })

  test('shows a teacher who also manages a branch both, and shows nothing to a caller without any reach', async () => {
    const callers = [{ branches: ['b1'], groups: ['g2', 'g4'] }, { branches: ['b3'], groups: ['g0', 'g1'] }, {}]
    expect(await expectTheirs(callers)).toBe(2)
    expect(await counted().students(handleOf({}), { status: 'active' })).toEqual([])
  })

  test('is another where it begins at few records', async () => {
    const callers = [
      { branches: ['b1'] },
      { branches: ['b1'], few: ['group'] },
      { branches: ['b2'], few: ['group', 'student'] },
    ]
    expect(await expectTheirs(callers)).toBe(3)
  })

  test('is built anew for a reach that is very wide', async () => {
    const many = Array.from({ length: 65 }, (_, n) => `b${n}`)
    expect(await expectTheirs([{ branches: many }])).toBeGreaterThan(1)
    expect(await expectTheirs([{ branches: many.slice(1) }])).toBe(1)
  })

  test('is one for the whole institute, and never the one for a part of it', async () => {
    const { seen, students } = counted()
    const whole = scoped(database.read, { tenantId: 't1', rules, reach: 'all' })
    expect(await students(whole, { status: 'paused' })).toHaveLength(8)
    expect(await students(handleOf({ branches: ['b0'] }), { status: 'paused' })).toHaveLength(2)
    expect(await students(whole, { status: 'paused' })).toHaveLength(8)
    expect(seen.builds).toBe(2)
  })
})

test('of several queries the oldest are forgotten, and made again', async () => {
  const rows = compiledByKeyInTenant<{ id: string }>(2)
  let builds = 0
  const ask = async (key: string) => {
    const build = (db: ScopedDb, { id }: { id: string }) => {
      builds += 1
      return db
        .selectFrom('student')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', key as 'active')
    }
    return rows(handleOf({ branches: ['b0'] }), { key, build }, { id: 't1-s0' })
  }
  for (const key of ['active', 'paused', 'active', 'paused']) await ask(key)
  expect(builds).toBe(2)
  expect(await ask('lead')).toEqual([])
  expect(await ask('paused')).toEqual([{ id: 't1-s0' }])
  expect(await ask('active')).toEqual([])
  expect(builds).toBe(4)
})
