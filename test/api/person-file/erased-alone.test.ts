import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newPhone } from '../examples/people.ts'
import { create } from '../examples/sessions.ts'
import { addImport, placesOf } from './full-person.ts'

/** An erasure takes one person, and nobody who is like them. */

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  world = worldOf(app, school)
})
afterAll(() => app.close())

const leftOf = async (institute: TestInstitute) => {
  const of = app.app.database.read
  const rows = await of
    .selectFrom('import_refusal')
    .select('cells')
    .where('tenant_id', '=', institute.tenant.id)
    .execute()
  const kept = await of.selectFrom('import').select('preview').where('tenant_id', '=', institute.tenant.id).execute()
  const cells = rows.map((row) => row.cells.join('|'))
  const previews = kept.flatMap(({ preview }) => preview.map(({ values }) => Object.values(values).join('|')))
  return { cells, previews }
}

interface Written {
  firstName?: string
  lastName?: string
  email?: string
  nationalId?: string
}

/** What is left of the rows of an import after somebody was erased. */
const leftAfter = async (rows: readonly (readonly string[])[], written: Written) => {
  const institute = await makeInstitute(app)
  const one = worldOf(app, institute)
  await addImport(one, rows)
  const student = { branchId: one.branchId, firstName: 'Dana', lastName: 'Levi', ...written }
  const id = await create(one, '/students', student)
  expect((await institute.owner.post(`/students/${id}/erase`)).status).toBe(200)
  return leftOf(institute)
}

describe('imports forget', () => {
  test.each<[what: string, written: Written, theirs: string[], others: string[][]]>([
    [
      'a short name',
      { firstName: 'A', lastName: 'B' },
      ['A', 'B', ''],
      [
        ['Abla', 'Bakri', ''],
        ['Adam', 'Bar', ''],
      ],
    ],
    ['signs of patterns', { firstName: '%', lastName: '_' }, ['%', '_', ''], [['Omar', 'Bakri', '']]],
    [
      'an address with _',
      { email: 'd_l@example.org' },
      ['Dina', 'L', 'd_l@example.org'],
      [['Dina', 'L', 'dol@example.org']],
    ],
    [
      'an address as it was typed',
      { email: 'd_l@example.org' },
      ['D', 'L', 'D_L@Example.org'],
      [['D', 'L', 'x@example.org']],
    ],
    ['an Arabic name', { firstName: 'نور', lastName: 'حداد' }, ['نور', 'حداد', ''], [['نورة', 'حداد', '']]],
    ['a Hebrew name', { firstName: 'דנה', lastName: 'בר-אור' }, ['דנה', 'בר-אור', ''], [['דנה', 'אור', '']]],
    ['quotes', { firstName: 'Da"na', lastName: 'O\\Neil' }, ['Da"na', 'O\\Neil', ''], [['Dana', 'ONeill', '']]],
    ['a name in one column', {}, ['Levi, Dana', '', ''], [['Levin, Dana', '', '']]],
    ['a part of a number', { nationalId: '012345674' }, ['X', 'Y', '012345674'], [['X', 'Y', '0123456740']]],
  ])('%s, and nobody who is like it', async (_, written, theirs, others) => {
    const expected = others.map((cells) => cells.join('|'))
    expect(await leftAfter([theirs, ...others], written)).toEqual({ cells: expected, previews: expected })
  })
})

test('what a sister with the same address is known by stays', async () => {
  const email = 'ruth_levi@example.org'
  const of = { branchId: school.branchId, lastName: 'Levi', email }
  const dana = await create(world, '/students', { ...of, firstName: 'Dana' })
  await create(world, '/students', { ...of, firstName: 'Noa' })
  await addImport(world, [
    ['Dana', 'Levi', email],
    ['Noa', 'Levi', email],
  ])
  expect((await school.owner.post(`/students/${dana}/erase`)).status).toBe(200)
  expect((await leftOf(school)).cells).toEqual([`Noa|Levi|${email}`])
})

test('a family of which two are erased at the same moment', async () => {
  for (let round = 0; round < 5; round += 1) {
    const studentId = await create(world, '/students', {
      branchId: school.branchId,
      firstName: 'Dana',
      lastName: 'Levi',
    })
    const guardianId = await create(world, '/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() })
    const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
    expect((await school.owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
    expect((await school.owner.post(`/students/${studentId}/status`, { status: 'withdrawn' })).status).toBe(200)
    const both = await Promise.all([
      school.owner.post(`/guardians/${guardianId}/erase`),
      school.owner.post(`/students/${studentId}/erase`),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
  }
})

test('of an erasure and what would add to the record at the same moment, one is refused', async () => {
  const lines = [{ description: 'March', unitAmountMinor: 5000 }]
  for (let round = 0; round < 5; round += 1) {
    const make = () => create(world, '/students', { branchId: school.branchId, firstName: 'Dana', lastName: 'Levi' })
    for (const act of [
      (id: string) => school.owner.post('/invoices', { studentId: id, dueDate: '2030-01-31', lines }),
      (id: string) =>
        school.owner.post('/payments', {
          amountMinor: 100,
          currency: 'ILS',
          method: 'cash',
          allocations: [],
          paidBy: { studentId: id },
        }),
      async (id: string) => school.owner.post(`/students/${await make()}/merge`, { otherId: id }),
      (id: string) => school.owner.patch(`/students/${id}`, { notes: 'x' }),
    ]) {
      const id = await make()
      const [erased, other] = await Promise.all([school.owner.post(`/students/${id}/erase`), act(id)])
      if (erased.status === 200) {
        const { status, erasedAt, notes } = (await school.owner.get(`/students/${id}`)).body
        expect({ status, notes, isErased: erasedAt !== null }).toEqual({
          status: 'withdrawn',
          notes: null,
          isErased: true,
        })
      } else expect([404, 409], JSON.stringify(erased.body)).toContain(erased.status)
      // A change of the record itself may come first, and goes with it.
      if (other.status >= 400) expect(other.status, JSON.stringify(other.body)).toBe(409)
      expect(other.status < 400 && erased.status < 400 && act.toString().includes('merge')).toBe(false)
    }
  }
})

test('the log refuses every change but that of an erasure, and to delete an entry', async () => {
  const { database } = app.app
  const one = await database.read.selectFrom('audit_entry').select('id').limit(1).executeTakeFirstOrThrow()
  const erased = { metadata: { erased: true } }
  const changes: Record<string, object> = {
    'the words alone': { before: null, after: null },
    'who did it': { ...erased, actor_user_id: crypto.randomUUID() },
    'where from': { ...erased, ip: '10.0.0.1' },
    'of what': { ...erased, entity_id: crypto.randomUUID() },
    'what was done': { ...erased, action: 'x' },
    when: { ...erased, created_at: '2020-01-01T00:00:00.000Z' },
    whose: { ...erased, tenant_id: null },
    'erased as a word': { metadata: { erased: 'yes' } },
    'no metadata': { metadata: null },
  }
  for (const [what, columns] of Object.entries(changes)) {
    const update = database.write((db) =>
      db
        .updateTable('audit_entry')
        .set(columns as never)
        .where('id', '=', one.id)
        .execute(),
    )
    await expect(update, what).rejects.toThrow()
  }
  await expect(database.write((db) => db.deleteFrom('audit_entry').execute())).rejects.toThrow()
})

test('a message that waits while they are erased does not go out, and goes to the others', async () => {
  const [gone, staying] = await Promise.all(
    ['plantedgone', 'plantedstays'].map((word) =>
      create(world, '/guardians', {
        firstName: word,
        lastName: 'Levi',
        phone: newPhone(),
        email: `${word}@example.org`,
      }),
    ),
  )
  const sent = await school.owner.post('/notifications/send', {
    templateKey: 'message',
    channels: ['email'],
    data: { title: 'Trip', message: 'Bring water.' },
    recipients: { guardianIds: [gone, staying] },
  })
  expect(sent.body).toMatchObject({ queued: 2 })
  expect((await school.owner.post(`/guardians/${gone}/erase`)).status).toBe(200)
  await app.drain()
  const messages = app.app.database.read.selectFrom('notification').select('address')
  const written = await messages.where('recipient_id', 'in', [gone as string, staying as string]).execute()
  expect(written).toEqual([{ address: 'plantedstays@example.org' }])
  expect(await placesOf(app, 'plantedgone')).toEqual([])
})
