import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scoped } from '#db/scope/scope.ts'
import type { Reach } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { fillInstitute } from '#kit/fill-institute.ts'
import { idAt, nthId, runSql, text } from '#kit/fill.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** Callers of every kind of reach request the same lists in turn: each sees what they reach, and nothing more. */

interface Caller {
  client: Client
  reach: Reach
}

let app: TestApp
let institute: TestInstitute
let branches: [string, string, string]
let callers: Caller[]

const TAUGHT = [4, 9, 10]
const statements: string[] = []

beforeAll(async () => {
  app = await startApp({ queryLog: ({ query }) => statements.push(query.sql) })
  institute = await makeInstitute(app)
  const { owner, branchId, roles } = institute
  const made = [await owner.post('/branches', { name: 'North' }), await owner.post('/branches', { name: 'South' })]
  branches = [branchId, ...made.map(({ body }) => body.id as string)] as [string, string, string]
  await fillInstitute(app, institute, { students: 60, others: 40, branchIds: branches })
  const manager = async (...of: string[]) => {
    const client = await institute.member({ role: 'branch_manager', branchId: of[0] as string })
    const held = of.map((id) => ({ roleId: roles.branch_manager, branchId: id }))
    expect((await owner.put(`/members/${client.membershipId}/roles`, { roles: held })).status).toBe(200)
    return { client, reach: { branchIds: of, groupIds: [] } }
  }
  const teacher = await institute.member({ role: 'teacher' })
  await runSql(app, `update "staff" set user_id = ${text(teacher.userId)} where id = ${nthId('staff', 4)}`)
  for (const n of TAUGHT) {
    await runSql(app, `update "group" set teacher_staff_id = ${nthId('staff', 4)} where id = ${nthId('group', n)}`)
  }
  const other = await makeInstitute(app)
  await other.owner.post('/students', { firstName: 'Dana', lastName: 'Levi', branchId: other.branchId })
  const [a, b, c] = branches
  callers = [
    { client: owner, reach: 'all' },
    await manager(a),
    await manager(b),
    await manager(c),
    await manager(a, b),
    await manager(c, b),
    await manager(a, b, c),
    { client: teacher, reach: { branchIds: [], groupIds: TAUGHT.map((n) => idAt('group', n)) } },
  ]
})
afterAll(() => app.close())

const LISTS: [path: string, table: string, narrow?: (row: Record<string, unknown>) => boolean][] = [
  ['/students', 'student'],
  ['/students?status=active', 'student', (row) => row['status'] === 'active'],
  ['/students?q=levi', 'student'],
  ['/guardians', 'guardian'],
  ['/staff', 'staff'],
  ['/staff?isActive=true', 'staff'],
  ['/staff?isActive=false', 'staff', () => false],
  ['/groups', 'group'],
  ['/groups?status=planned', 'group', (row) => row['status'] === 'planned'],
  ['/enrollments', 'enrollment'],
  ['/invoices', 'invoice'],
  ['/invoices?status=overdue', 'invoice', (row) => row['status'] === 'overdue'],
  ['/payments', 'payment'],
  ['/receipts', 'receipt'],
  ['/online-payments', 'online_payment'],
  ['/cheques', 'cheque'],
  ['/cheques?status=held', 'cheque', (row) => row['status'] === 'held'],
  ['/cheques/deposits', 'cheque_deposit'],
]

/** The expected rows, from a query that is built for this caller alone. */
const reached = async (table: string, reach: Reach): Promise<Record<string, unknown>[]> => {
  const { rules, database } = app.app.runtime
  const db: ScopedDb = scoped(database.read, { tenantId: institute.tenant.id, rules, reach })
  return db
    .selectFrom(table as 'student')
    .selectAll()
    .execute()
}

const shown = async (client: Client, path: string): Promise<string[] | undefined> => {
  const ids: string[] = []
  let cursor = ''
  do {
    const { status, body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=7${cursor}`)
    if (status === 403) return undefined
    expect(status, JSON.stringify(body)).toBe(200)
    ids.push(...(body.data as { id: string }[]).map(({ id }) => id))
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor as string)}`
  } while (cursor !== '')
  return ids
}

describe('every caller sees what they reach', () => {
  test.each(LISTS)('of %s', async (path, table, narrow = () => true) => {
    let seen = 0
    for (const { client, reach } of [...callers, ...callers.toReversed()]) {
      const ids = await shown(client, path)
      if (ids === undefined) continue
      const right = (await reached(table, reach)).filter(narrow).map(({ id }) => id as string)
      expect(ids.toSorted(), JSON.stringify(reach)).toEqual(right.toSorted())
      seen += ids.length
    }
    if (path !== '/staff?isActive=false') expect(seen).toBeGreaterThan(0)
  })
})

test('a list under a record of another branch is not found', async () => {
  const [first, second] = callers.slice(1) as [Caller, Caller]
  // The n-th student is in the n-th branch in turn.
  const { body } = await institute.owner.get(`/students/${idAt('student', 1)}`)
  const [own, other] = body.branchId === branches[0] ? [first, second] : [second, first]
  for (const list of ['invoices', 'enrollments', 'guardians', 'attendance']) {
    const path = `/students/${idAt('student', 1)}/${list}`
    for (const [caller, status] of [
      [own, 200],
      [other, 404],
      [own, 200],
    ] as const) {
      expect((await caller.client.get(path)).status, path).toBe(status)
    }
  }
})

test('the size of a branch is counted for its first list, and again after a minute', async () => {
  const { client } = callers[1] as Caller
  const counted = async () => {
    statements.length = 0
    expect((await client.get('/students')).status).toBe(200)
    return statements.some((statement) => statement.includes('as "one"'))
  }
  app.clock.advance(61)
  expect([await counted(), await counted()]).toEqual([true, false])
  app.clock.advance(59)
  expect(await counted()).toBe(false)
  app.clock.advance(2)
  expect([await counted(), await counted()]).toEqual([true, false])
})
