import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newGroup } from '../examples/academics.ts'
import { newApiKey } from '../examples/integrations.ts'
import { png, uploaded } from '#kit/files.ts'
import { countsOf, errorsOf, imported, lines, tableOf } from './importing.ts'

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app, { features: { integration_api: true } })
  world = worldOf(app, school)
  await imported(
    app,
    school.owner,
    lines(
      'Number,Name,Phone',
      '100001,Dana Levi,0501120001',
      '100002,Omar Aziz,0501120002',
      '100003,Yara Nasser,0501120003',
    ),
    { kind: 'students' },
  )
})
afterAll(() => app.close())

const run = (kind: string, content: string, more: object = {}) =>
  imported(app, school.owner, content, { kind, ...more })

describe('staff', () => {
  const STAFF = lines(
    'שם פרטי,שם משפחה,נייד,דוא״ל,תפקיד',
    'אמל,חדאד,0501121001,amal@example.org,מורה',
    'Sami,Odeh,0501121002,,',
    'Nobody,Knows,,,',
  )
  test('are added, known again by email or phone with the name, and changed', async () => {
    const done = await run('staff', STAFF)
    expect(countsOf(done)).toEqual({ rows: 3, created: 2, updated: 0, unchanged: 0, refused: 1 })
    expect(errorsOf(done)).toEqual(['4 שם פרטי identity_missing'])
    expect(countsOf(await run('staff', STAFF))).toMatchObject({ created: 0, unchanged: 2 })
    const changed = await run('staff', lines('Name,Phone,Job title', 'Sami Odeh,0501121002,Teacher'))
    expect(countsOf(changed)).toMatchObject({ updated: 1 })
    const { body } = await school.owner.get('/staff?q=Sami')
    expect(body.data).toMatchObject([{ title: 'Teacher', phone: '+972501121002', isActive: true }])
  })
})

describe('enrolments', () => {
  test('go by the names of groups, once each, while there are places', async () => {
    const groupId = await newGroup(world, { name: 'Physics A', capacity: 2 })
    const table = lines(
      'Student ID,Class,Start date,Price',
      '100001,physics  a,01/02/2024,"1,200.50"',
      '100002,Physics A,,',
      '100003,Physics A,,',
      '100004,Physics A,,',
      '100001,Chemistry,,',
    )
    const tried = await run('enrollments', table, { dryRun: true })
    const done = await run('enrollments', table)
    expect(countsOf(done)).toEqual({ rows: 5, created: 2, updated: 0, unchanged: 0, refused: 3 })
    expect(countsOf(tried)).toEqual(countsOf(done))
    expect(errorsOf(done).toSorted()).toEqual([
      '4 Class group_full',
      '5 Student ID unknown_student',
      '6 Class unknown_group',
    ])
    const { body } = await school.owner.get(`/groups/${groupId}/enrollments`)
    expect(body.data.map((one: { price?: object; studentNumber: string }) => one.studentNumber).toSorted()).toEqual([
      'S-100001',
      'S-100002',
    ])
    expect(countsOf(await run('enrollments', table))).toMatchObject({ created: 0, unchanged: 2, refused: 3 })
  })
})

test('enrolments go by the column of the group, and not by the class at school beside it', async () => {
  await newGroup(world, { name: 'אנגלית א׳', capacity: 5 })
  const tried = await run('enrollments', lines('מספר תלמיד,כיתה,חוג', '100001,ז,אנגלית א׳'), { dryRun: true })
  expect(tried.mapping).toMatchObject({ חוג: 'group' })
  expect(countsOf(tried)).toMatchObject({ created: 1, refused: 0 })
})

describe('opening balances', () => {
  const TABLE = lines(
    'Student number,Balance,Due date',
    'S-100001,"₪ 1,250.00",1.12.2026',
    'S-100002,0,',
    'S-100003,-5.50,',
  )
  const studentOf = async (number: string): Promise<string> =>
    (await school.owner.get(`/students?q=${number}`)).body.data[0].id
  const accountOf = async (number: string) =>
    (await school.owner.get(`/students/${await studentOf(number)}/account`)).body

  test('become one issued invoice for each student', async () => {
    const done = await run('balances', TABLE)
    expect(countsOf(done)).toEqual({ rows: 3, created: 2, updated: 0, unchanged: 1, refused: 0 })
    const { body } = await school.owner.get('/invoices?q=S-100001')
    expect(body.data).toMatchObject([
      { status: 'issued', total: { amountMinor: 125_000, currency: 'ILS' }, dueDate: '2026-12-01' },
    ])
    expect(countsOf(await run('balances', TABLE))).toMatchObject({ created: 0, unchanged: 3 })
    const other = await run('balances', lines('Student number,Balance', 'S-100001,900'))
    expect(errorsOf(other)).toEqual(['2 Balance balance_exists'])
    await school.owner.post(`/invoices/${body.data[0].id}/void`, { reason: 'Was wrong' })
    expect(countsOf(await run('balances', lines('Student number,Balance', 'S-100001,900')))).toMatchObject({
      created: 1,
    })
  })

  test('below nothing are credit of who pays, until a file says something else', async () => {
    const opened = await accountOf('S-100003')
    expect(opened).toMatchObject({ balance: { amountMinor: -550 }, credit: { amountMinor: 550 } })
    expect(opened.entries.data).toMatchObject([
      { kind: 'opening_balance', credit: { amountMinor: 550 }, balance: { amountMinor: -550 }, receiptId: null },
    ])
    const till = (await school.owner.get('/tills/today')).body
    expect([till.entries, till.lines]).toEqual([0, []])
    const said = (balance: string) => run('balances', lines('Student number,Balance', `S-100003,${balance}`))
    expect(countsOf(await said('-8'))).toMatchObject({ created: 0, updated: 1, refused: 0 })
    expect(await accountOf('S-100003')).toMatchObject({ credit: { amountMinor: 800 } })
    expect(countsOf(await said('0'))).toMatchObject({ updated: 1 })
    expect(await accountOf('S-100003')).toMatchObject({ balance: { amountMinor: 0 }, credit: { amountMinor: 0 } })
    expect(countsOf(await said('0'))).toMatchObject({ unchanged: 1 })
    expect(countsOf(await said('-8'))).toMatchObject({ created: 1 })
    // What was used is no longer taken back.
    const refund = { studentId: await studentOf('S-100003'), amountMinor: 100, method: 'cash', reason: 'Moves away' }
    expect((await school.owner.post('/refunds', refund)).status).toBe(201)
    expect(errorsOf(await said('0'))).toEqual(['2 Balance balance_exists'])
    expect(await accountOf('S-100003')).toMatchObject({ credit: { amountMinor: 700 } })
  })

  test('of a child are credit of the payer of record', async () => {
    const { body: mother } = await school.owner.post('/guardians', {
      firstName: 'Ruth',
      lastName: 'Aziz',
      phone: '0501127001',
    })
    const link = { guardianId: mother.id, relationship: 'mother', isPrimary: true, isPayer: true }
    await school.owner.post(`/students/${await studentOf('S-100002')}/guardians`, link)
    await run('balances', lines('Student number,Balance', 'S-100002,-90'))
    const { body } = await school.owner.get(`/guardians/${mother.id}/account`)
    expect(body).toMatchObject({ balance: { amountMinor: -9000 }, credit: { amountMinor: 9000 } })
    expect(await accountOf('S-100002')).toMatchObject({ credit: { amountMinor: 0 } })
  })
})

describe('who may', () => {
  test('needs what the rows need', async () => {
    const desk = await school.member({ permissions: ['students.write', 'files.write'] })
    for (const [kind, permission] of [
      ['staff', 'staff.write'],
      ['enrollments', 'enrollments.write'],
      ['balances', 'invoices.write'],
    ]) {
      const reply = await desk.post('/imports', { kind, fileId: await tableOf(app, desk, 'a,b\r\n') })
      expect([reply.status, reply.body.error.details]).toEqual([
        403,
        { reason: 'permission_missing', permissions: [permission] },
      ])
    }
    const done = await imported(
      app,
      desk,
      lines('Name,Phone,Mother name,Mother phone', 'A B,0501122001,C D,0501122002'),
      {
        kind: 'students',
      },
    )
    expect(errorsOf(done)).toEqual(['null Mother phone permission_missing'])
    expect(done).toMatchObject({ status: 'failed', created: 0 })
  })

  test('takes only a table that the caller uploaded or may read', async () => {
    const other = await school.member({ permissions: ['students.write'] })
    const fileId = await tableOf(app, school.owner, 'a,b\r\n')
    expect((await other.post('/imports', { kind: 'students', fileId })).status).toBe(404)
    // A list is of the whole institute: who reads the files of one branch has no sight of it.
    const { branchId } = school
    const reader = await school.member({ permissions: ['students.write', 'files.read'], branchId })
    expect((await reader.post('/imports', { kind: 'students', fileId })).status).toBe(404)
    const { body: picture } = await uploaded(app, school.owner, { bytes: png() })
    const reply = await school.owner.post('/imports', { kind: 'students', fileId: picture.id })
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([422, ['fileId']])
  })

  test('reaches the own branches alone, and sees the own imports alone', async () => {
    const { body: branch } = await school.owner.post('/branches', { name: 'Nazareth', code: 'NZ' })
    const desk = await school.member({ role: 'front_desk', branchId: branch.id })
    const done = await imported(
      app,
      desk,
      lines(
        'Name,Phone,Branch',
        'Own Branch,0501123001,',
        'Own Code,0501123002,nz',
        'Other Branch,0501123003,Main',
        'Dana Levi,0501120001,',
      ),
      { kind: 'students' },
    )
    expect(countsOf(done)).toMatchObject({ created: 2, refused: 2 })
    expect(errorsOf(done)).toEqual(['4 Branch unknown_branch', '5 Name out_of_reach'])
    const { body } = await school.owner.get('/students?q=own')
    expect(new Set(body.data.map((one: { branchId: string }) => one.branchId))).toEqual(new Set([branch.id]))
    const mine = await desk.get('/imports')
    expect(mine.body.data.map(({ id }: { id: string }) => id)).toEqual([done.id])
    const all = await school.owner.get('/imports?kind=students')
    const others = all.body.data.filter(({ id }: { id: string }) => id !== done.id)
    expect(others.length).toBeGreaterThan(1)
    expect((await desk.get(`/imports/${others[0].id}`)).status).toBe(404)
    expect((await desk.get(`/imports/${others[0].id}/refused`)).status).toBe(404)
  })

  test('may be an API key, while it is not revoked', async () => {
    const { id, key } = await newApiKey(world, { kind: 'secret', permissions: ['students.write', 'files.write'] })
    const program = app.as(key as string)
    const table = (n: number) => lines('Name,Phone', `Key Made${n},050112400${n}`)
    expect(countsOf(await imported(app, program, table(1), { kind: 'students' }))).toMatchObject({ created: 1 })
    const fileId = await tableOf(app, program, table(2))
    const { body } = await program.post('/imports', { kind: 'students', fileId })
    await school.owner.delete(`/api-keys/${id}`)
    await app.drain()
    const ended = (await school.owner.get(`/imports/${body.id}`)).body
    expect([ended.status, errorsOf(ended)]).toEqual(['failed', ['null null no_longer_allowed']])
  })
})
