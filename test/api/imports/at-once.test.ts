import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { Gate } from '#kit/pairs/gate.ts'
import { Ring } from '#kit/pairs/race.ts'
import { countsOf, lines, runAsWorker, tableOf } from './importing.ts'

/**
 * Imports beside each other, and beside others who add the same people. The queue runs one of an institute at a time; what
 * is tested here holds also where a worker that was thought dead goes on beside its successor.
 */

const gate = new Gate()
let app: TestApp
let school: TestInstitute
let ring: Ring
beforeAll(async () => {
  app = await startApp({ wrap: gate.wrap })
  school = await makeInstitute(app)
  ring = new Ring(app, gate, [])
})
afterAll(() => app.close())

const begin = async (kind: string, table: string): Promise<string> => {
  const fileId = await tableOf(app, school.owner, table)
  const { status, body } = await school.owner.post('/imports', { kind, fileId })
  expect(status).toBe(202)
  return body.id
}

const runByHand = (importId: string): Promise<Reply['body']> => runAsWorker(app, school, importId)

/** Two imports of one table at the same moment. @returns what became of the rows of both */
const twice = async (kind: string, table: string) => {
  const ids = [await begin(kind, table), await begin(kind, table)]
  const both = await Promise.all(ids.map(runByHand))
  const sum = (name: 'created' | 'unchanged' | 'refused') => both.reduce((total, one) => total + one[name], 0)
  return { created: sum('created'), unchanged: sum('unchanged'), refused: sum('refused') }
}

const ROWS = 40
const numbered = (row: (number: string) => string): string[] =>
  Array.from({ length: ROWS }, (_, at) => row(String(at).padStart(5, '0')))

const rowsOf = async (of: 'student' | 'guardian' | 'staff' | 'invoice'): Promise<number> =>
  (await app.app.database.read.selectFrom(of).select('id').where('tenant_id', '=', school.tenant.id).execute()).length

describe('two imports of one file at once', () => {
  test('add each student and guardian once', async () => {
    const table = lines(
      'Name,Phone,Mother name,Mother phone',
      ...numbered((n) => `Dana D${n},05011${n},Ruth R${n},05211${n}`),
    )
    expect(await twice('students', table)).toEqual({ created: ROWS, unchanged: ROWS, refused: 0 })
    expect([await rowsOf('student'), await rowsOf('guardian')]).toEqual([ROWS, ROWS])
  })

  test('add each member of the staff once', async () => {
    const table = lines('Name,Phone', ...numbered((n) => `Sami S${n},05012${n}`))
    expect(await twice('staff', table)).toEqual({ created: ROWS, unchanged: ROWS, refused: 0 })
    expect(await rowsOf('staff')).toBe(ROWS)
  })

  test('make one opening balance for each student', async () => {
    const table = lines('Name,Phone,Balance', ...numbered((n) => `Dana D${n},05011${n},100`))
    expect(await twice('balances', table)).toEqual({ created: ROWS, unchanged: ROWS, refused: 0 })
    expect(await rowsOf('invoice')).toBe(ROWS)
  })
})

/** Who has a phone, under either country code. */
const holdersOf = async (local: string): Promise<{ guardians: number; children: number }> => {
  const whole = app.app.database.read
  const guardians = await whole
    .selectFrom('guardian')
    .select('id')
    .where('tenant_id', '=', school.tenant.id)
    .where(
      'phone',
      'in',
      ['+972', '+970'].map((code) => code + local.slice(1)),
    )
    .execute()
  const links = await whole
    .selectFrom('guardian_link')
    .select('student_id')
    .where(
      'guardian_id',
      'in',
      guardians.map(({ id }) => id),
    )
    .execute()
  return { guardians: guardians.length, children: links.length }
}

/** More statements than the import of one row has until its end. */
const STATEMENTS = 44

describe.skipIf(engine === 'sqlite')('an import that stops anywhere', () => {
  test('adds nobody whom another one of the same list adds meanwhile', async () => {
    for (let after = 1; after <= STATEMENTS; after += 4) {
      const n = String(after).padStart(5, '0')
      const table = lines('Name,Mother name,Mother phone', `Dana D${n},Ruth R${n},05231${n}`)
      const ids = [await begin('students', table), await begin('students', table)] as const
      const both = await ring.stopped(
        () => runByHand(ids[0]),
        () => runByHand(ids[1]),
        after,
      )
      expect(both.map(({ created, unchanged }) => [created, unchanged]).toSorted()).toEqual([
        [0, 1],
        [1, 0],
      ])
      expect(await holdersOf(`05231${n}`)).toEqual({ guardians: 1, children: 1 })
    }
  })

  test('adds no second mother beside the desk, which registers a brother under her other country code', async () => {
    for (let after = 1; after <= STATEMENTS; after += 4) {
      const n = String(after).padStart(5, '0')
      const id = await begin('students', lines('Name,Mother name,Mother phone', `Dana D${n},Ruth R${n},05971${n}`))
      const family = {
        guardian: { firstName: 'Ruth', lastName: `R${n}`, phone: `+9705971${n}` },
        relationship: 'mother',
        students: [{ firstName: 'Omar', lastName: `D${n}`, branchId: school.branchId }],
      }
      const replies = await ring.stopped<Reply>(
        () => runByHand(id),
        () => school.owner.post('/registrations', family),
        after,
      )
      expect(countsOf(replies[0] as never)).toEqual({ rows: 1, created: 1, updated: 0, unchanged: 0, refused: 0 })
      // The desk is told who was there a moment before.
      const isFirst = replies[1].status === 201
      if (!isFirst) expect(replies[1].body.error.details.reason).toBe('guardian_phone_taken')
      expect(await holdersOf(`05971${n}`)).toEqual({ guardians: 1, children: isFirst ? 2 : 1 })
    }
  })
})

const DESK = [
  {
    kind: 'students',
    path: '/students',
    of: 'a phone',
    says: { phone: '+972501300001' },
    others: { phone: '+972501300002' },
    row: ['Phone', '0501300001'],
  },
  {
    kind: 'students',
    path: '/students',
    of: 'an identity number and a number of their own',
    says: { nationalId: '300000007', studentNumber: 'S-900001' },
    others: { nationalId: '300000015', studentNumber: 'S-900002' },
    row: ['National ID', '300000007'],
  },
  {
    kind: 'staff',
    path: '/staff',
    of: 'an email',
    says: { email: 'noor@example.org' },
    others: { email: 'other@example.org' },
    row: ['Email', 'noor@example.org'],
  },
] as const

describe.skipIf(engine === 'sqlite')('an import beside the desk', () => {
  test.each(DESK)('waits for one of the $kind with $of who is just being added, and knows them', async (desk) => {
    const { kind, path, says, others, row } = desk
    const person = { branchId: school.branchId, firstName: 'Noor', lastName: 'Haddad', isActive: true }
    // The first of an institute takes more statements than others.
    await school.owner.post(path, { ...person, firstName: 'First' })
    const counted = gate.hold(0)
    expect((await school.owner.post(path, { ...person, ...others, firstName: 'Other' })).status).toBe(201)
    counted.resume()
    const id = await begin(kind, lines(`Name,${row[0]}`, `Noor Haddad,${row[1]}`))
    const before = await rowsOf(kind === 'staff' ? 'staff' : 'student')
    // It stops where all is written, and nothing committed.
    const [added, done] = await ring.stopped<Reply>(
      () => school.owner.post(path, { ...person, ...says }),
      () => runByHand(id),
      counted.seen,
    )
    expect(added.status).toBe(201)
    expect(countsOf(done as never)).toEqual({ rows: 1, created: 0, updated: 0, unchanged: 1, refused: 0 })
    expect(await rowsOf(kind === 'staff' ? 'staff' : 'student')).toBe(before + 1)
  })
})

test('requests at once leave no more than eight under way', async () => {
  const { owner } = await makeInstitute(app)
  const fileIds = await Promise.all(
    Array.from({ length: 12 }, () => tableOf(app, owner, lines('Name,Phone', 'Dana Levi,0501140001'))),
  )
  const replies = await Promise.all(fileIds.map((fileId) => owner.post('/imports', { kind: 'students', fileId })))
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(8)
})
