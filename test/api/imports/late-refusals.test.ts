import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { countsOf, errorsOf, imported, lines } from './importing.ts'

/** Rows that are refused after they have written something: a student is there when the guardian turns out to be out of reach. */

let app: TestApp
let school: TestInstitute
let inserts = 0
beforeAll(async () => {
  app = await startApp({
    queryLog: ({ query: { sql } }) => {
      if (sql.startsWith('insert into "student" ')) inserts += 1
    },
  })
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const ROWS = 90
const HEADS = 'Name,Phone,Mother name,Mother phone'
const OF_ANOTHER_BRANCH = '0501122002'

const table = (): string =>
  lines(
    HEADS,
    ...Array.from({ length: ROWS }, (_, at) => {
      const number = String(at).padStart(4, '0')
      const mother = at % 3 === 2 ? OF_ANOTHER_BRANCH : `052311${number}`
      return `Late L${number},050311${number},Ruth R,${mother}`
    }),
  )

const countOf = async (query: { table: 'event' | 'audit_entry'; of: string; is: string }): Promise<number> => {
  const rows = app.app.database.read.selectFrom(query.table as 'event').select('id')
  const ours = rows.where('tenant_id', '=', school.tenant.id).where(query.of as 'type', '=', query.is as never)
  return (await ours.execute()).length
}

const traces = async () => ({
  students: (await school.owner.get('/students?q=late&limit=100')).body.data.length,
  guardians: (await school.owner.get('/guardians?q=ruth&limit=100')).body.data.length,
  events: await countOf({ table: 'event', of: 'type', is: 'student.created' }),
  entries: await countOf({ table: 'audit_entry', of: 'entity_type', is: 'student' }),
})

test('are tried once each, and leave no trace', async () => {
  const { body: branch } = await school.owner.post('/branches', { name: 'Nazareth', code: 'NZ' })
  const desk = await school.member({ role: 'front_desk', branchId: branch.id })
  await school.owner.post('/guardians', {
    firstName: 'Hala',
    lastName: 'Odeh',
    phone: `+972${OF_ANOTHER_BRANCH.slice(1)}`,
  })
  const before = await traces()
  expect(before).toEqual({ students: 0, guardians: 0, events: 0, entries: 0 })
  const tried = await imported(app, desk, table(), { kind: 'students', dryRun: true })
  expect(await traces()).toEqual(before)
  inserts = 0
  const done = await imported(app, desk, table(), { kind: 'students' })
  expect(countsOf(done)).toEqual({ rows: ROWS, created: 60, updated: 0, unchanged: 0, refused: 30 })
  expect(countsOf(tried)).toEqual(countsOf(done))
  expect(errorsOf(done).slice(0, 2)).toEqual([
    '4 Mother phone guardian_phone_taken',
    '7 Mother phone guardian_phone_taken',
  ])
  expect(await traces()).toEqual({ students: 60, guardians: 60, events: 60, entries: 60 })
  // On Postgres a slice may collide with other work and run again.
  expect(inserts).toBeLessThan(ROWS * 1.5)
})
