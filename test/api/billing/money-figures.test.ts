import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newPhone } from '../examples/people.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: { accessTokenSeconds: 10 * 86_400 } })
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })

const begin = async () => {
  app.clock.set('2026-02-28T21:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
  app.clock.set('2026-03-02T08:00:00.000Z')
}

const draft = async (studentId: string, total: number, fields: Record<string, unknown> = {}) =>
  (
    await owner.post('/invoices', {
      studentId,
      lines: [{ description: 'March', unitAmountMinor: total }],
      dueDate: '2026-03-20',
      ...fields,
    })
  ).body
const issue = async (studentId: string, total: number, fields: Record<string, unknown> = {}) =>
  (await owner.post(`/invoices/${(await draft(studentId, total, fields)).id}/issue`)).body
const pay = async (invoiceId: string, amountMinor: number, fields: Record<string, unknown> = {}) =>
  (await owner.post(`/invoices/${invoiceId}/payments`, { amountMinor, currency: 'ILS', method: 'cash', ...fields }))
    .body
const reverse = (id: string) => owner.post(`/payments/${id}/reverse`, { reason: 'Wrong family' })
const discard = (id: string) => owner.post(`/invoices/${id}/void`, { reason: 'Entered twice' })

const addGuardian = async (studentIds: readonly string[], link: Record<string, unknown> = {}): Promise<string> => {
  const guardian = { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() }
  const { id } = (await owner.post('/guardians', guardian)).body
  const links = { guardianId: id, relationship: 'mother', isPrimary: true, isPayer: true, ...link }
  for (const studentId of studentIds) await owner.post(`/students/${studentId}/guardians`, links)
  return id
}

const attend = async (groupId: string, studentId: string, scheduledStart: string, status: string) => {
  const scheduledEnd = new Date(Date.parse(scheduledStart) + 3_600_000).toISOString()
  const sessionId = await newSession(institute, groupId, { scheduledStart, scheduledEnd })
  await owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status }] })
}

const newChild = async (fields: Record<string, unknown> = {}) => {
  const groupId = await newGroup(institute, { room: '7' })
  return { groupId, studentId: await newPupil(institute, groupId, fields) }
}

describe('a statement', () => {
  beforeAll(begin)

  const statement = async (studentId: string, query = '', client: Client = owner) =>
    (await client.get(`/students/${studentId}/statement${query}`)).body

  test('lists invoices, payments, reversals and voids with a running balance; drafts are not owed', async () => {
    const { studentId } = await newChild()
    await draft(studentId, 1)
    const discarded = await draft(studentId, 2)
    await discard(discarded.id)
    const first = await issue(studentId, 45_000, { issueDate: '2026-02-01' })
    const second = await issue(studentId, 10_000, { issueDate: '2026-02-10' })
    const abroad = await issue(studentId, 700, { currency: 'USD' })
    // The day of the institute begins two hours before that of UTC.
    const payment = await pay(first.id, 20_000, { receivedAt: '2026-02-14T22:30:00.000Z' })
    app.clock.advance(86_400)
    await reverse(payment.id)
    await discard(second.id)
    const entry = (date: string, kind: string, reference: string, debit: number, credit: number, balance: number) => ({
      date,
      kind,
      reference,
      debit: ils(debit),
      credit: ils(credit),
      balance: ils(balance),
    })
    const entries = [
      entry('2026-02-01', 'invoice', first.number, 45_000, 0, 45_000),
      entry('2026-02-10', 'invoice', second.number, 10_000, 0, 55_000),
      entry('2026-02-15', 'payment', first.number, 0, 20_000, 35_000),
      entry('2026-03-03', 'reversal', first.number, 20_000, 0, 55_000),
      entry('2026-03-03', 'void', second.number, 0, 10_000, 45_000),
    ]
    const whole = {
      studentId,
      currency: 'ILS',
      footer: null,
      openingBalance: ils(0),
      entries,
      closingBalance: ils(45_000),
      held: ils(0),
      payers: [{ guardianId: null, name: null, balance: ils(45_000) }],
    }
    expect(await statement(studentId)).toEqual(whole)
    expect(await statement(studentId, '?from=2026-02-10&to=2026-02-15')).toEqual({
      ...whole,
      openingBalance: ils(45_000),
      entries: entries.slice(1, 3),
      closingBalance: ils(35_000),
      payers: [{ guardianId: null, name: null, balance: ils(35_000) }],
    })
    expect(await statement(studentId, '?from=2027-01-01')).toMatchObject({
      openingBalance: ils(45_000),
      entries: [],
      closingBalance: ils(45_000),
    })
    expect(await statement(studentId, '?currency=USD')).toMatchObject({
      currency: 'USD',
      entries: [{ reference: abroad.number, debit: { amountMinor: 700, currency: 'USD' } }],
      closingBalance: { amountMinor: 700, currency: 'USD' },
    })
  })

  test('a void of an invoice that is dated ahead counts on the day of the invoice', async () => {
    const { studentId } = await newChild()
    const ahead = await issue(studentId, 5000, { issueDate: '2026-05-01' })
    await discard(ahead.id)
    const { entries } = await statement(studentId)
    expect(entries.map(({ date, kind }: { date: string; kind: string }) => [date, kind])).toEqual([
      ['2026-05-01', 'invoice'],
      ['2026-05-01', 'void'],
    ])
  })

  test.each([
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?from=2026-02-30', 'from'],
    ['?currency=GBP', 'currency'],
  ])('%s is 422', async (query, field) => {
    const { studentId } = await newChild()
    const { status, body } = await owner.get(`/students/${studentId}/statement${query}`)
    expect([status, body.error.details.issues[0].path]).toEqual([422, [field]])
  })

  test('of an unknown student is 404', async () => {
    expect((await owner.get(`/students/${unknown}/statement`)).status).toBe(404)
    expect((await owner.get(`/guardians/${unknown}/family-summary`)).status).toBe(404)
  })
})

describe('a family summary', () => {
  beforeAll(begin)

  test('shows each child with groups, attendance and balance, and the open invoices of those it pays for', async () => {
    const [first, second] = [await newChild(), await newChild()]
    const guardianId = await addGuardian([first.studentId])
    const fatherId = await addGuardian([first.studentId], { relationship: 'father', isPrimary: false, isPayer: false })
    const link = { relationship: 'grandparent', isPrimary: false, isPayer: false }
    await owner.post(`/students/${second.studentId}/guardians`, { guardianId, ...link })
    for (const status of ['present', 'late', 'absent', 'excused'])
      await attend(first.groupId, first.studentId, `2026-03-02T1${status.length}:00:00.000Z`, status)
    const open = await issue(first.studentId, 45_000)
    await pay(open.id, 15_000)
    await issue(first.studentId, 900, { currency: 'USD', dueDate: '2026-04-01' })
    await discard((await issue(first.studentId, 70)).id)
    await issue(second.studentId, 2000)
    const { body } = await owner.get(`/guardians/${guardianId}/family-summary`)
    const { body: group } = await owner.get(`/groups/${first.groupId}`)
    expect(body.children[0]).toEqual({
      studentId: first.studentId,
      branchId: institute.branchId,
      fullName: expect.stringMatching(/^Pupil Number \d+$/),
      studentNumber: 'S-000001',
      status: 'lead',
      relationship: 'mother',
      isPrimary: true,
      isPayer: true,
      seesLearning: true,
      seesMoney: true,
      groups: [{ groupId: group.id, groupName: group.name, courseName: group.courseName }],
      attendanceRate30d: 66.7,
      balance: ils(30_000),
      openInvoices: body.financial.openInvoices,
    })
    const father = { guardianId: fatherId, firstName: 'Ruth', lastName: 'Levi', studentIds: [first.studentId] }
    expect(body.otherGuardians).toEqual([{ ...father, phone: expect.stringMatching(/^\+/) }])
    expect(body.children[1]).toMatchObject({
      openInvoices: [expect.objectContaining({ studentId: second.studentId, balance: ils(2000) })],
      relationship: 'grandparent',
      isPayer: false,
      attendanceRate30d: null,
      balance: ils(2000),
    })
    const paper = { id: open.id, number: open.number, firstLine: 'March', lineCount: 1 }
    expect(body.financial).toEqual({
      currency: 'ILS',
      balance: ils(32_000),
      openInvoices: [
        {
          ...paper,
          studentId: first.studentId,
          status: 'partially_paid',
          dueDate: '2026-03-20',
          total: ils(45_000),
          paid: ils(15_000),
          balance: ils(30_000),
        },
        expect.objectContaining({ dueDate: '2026-04-01', balance: { amountMinor: 900, currency: 'USD' } }),
      ],
    })
  })

  test('without invoices.read every money field is null; with it for one branch, money of other branches is', async () => {
    const north = (await owner.post('/branches', { name: 'North' })).body.id
    const [here, there] = [await newChild(), await newChild({ branchId: north })]
    const guardianId = await addGuardian([here.studentId, there.studentId])
    await issue(here.studentId, 300)
    await issue(there.studentId, 5000)
    const path = `/guardians/${guardianId}/family-summary`
    const balances = ({ children }: { children: { balance: unknown }[] }) => children.map(({ balance }) => balance)
    const noMoney = await institute.member({ permissions: ['guardians.read'] })
    const { body: without } = await noMoney.get(path)
    const open = ({ children }: { children: { openInvoices: unknown[] | null }[] }) =>
      children.map(({ openInvoices }) => openInvoices?.length ?? null)
    expect([balances(without), open(without), without.financial]).toEqual([[null, null], [null, null], null])

    const mixed = await institute.member({ permissions: ['guardians.read'] })
    const invoicesRole = await owner.post('/roles', { name: 'Invoices', permissions: ['invoices.read'] })
    await owner.put(`/members/${mixed.membershipId}/roles`, {
      roles: [{ roleId: mixed.roleId }, { roleId: invoicesRole.body.id, branchId: north }],
    })
    const { body: limited } = await mixed.get(path)
    expect([balances(limited), open(limited)]).toEqual([
      [null, ils(5000)],
      [null, 1],
    ])
    expect(limited.financial).toMatchObject({ balance: ils(5000), openInvoices: [{ studentId: there.studentId }] })
  })
})

describe('the dashboard', () => {
  beforeAll(begin)

  test('of an institute without anything is all zeros', async () => {
    expect((await owner.get('/dashboard')).body).toEqual({
      studentsActive: 0,
      studentsNewThisMonth: 0,
      attendanceRate30d: null,
      outstandingMinor: 0,
      currency: 'ILS',
      overdueCount: 0,
      todaySessions: [],
    })
  })

  test('counts students, attendance, money and the sessions of today by hand-computed figures', async () => {
    app.clock.set('2026-02-28T21:59:00.000Z')
    const old = await newChild()
    await owner.post(`/students/${old.studentId}/status`, { status: 'active' })
    app.clock.set('2026-02-28T22:00:00.000Z')
    const { studentId, groupId } = await newChild()
    await newChild()
    app.clock.set('2026-03-02T08:00:00.000Z')
    await owner.post(`/students/${studentId}/status`, { status: 'active' })
    await attend(groupId, studentId, '2026-03-02T21:59:00.000Z', 'absent')
    await attend(groupId, studentId, '2026-03-02T22:00:00.000Z', 'present')
    await attend(groupId, studentId, '2026-03-01T22:00:00.000Z', 'late')
    const cancelled = await newSession(institute, groupId, {
      scheduledStart: '2026-03-02T15:00:00.000Z',
      scheduledEnd: '2026-03-02T16:00:00.000Z',
    })
    await owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: 'Holiday' })
    const overdue = await issue(studentId, 45_000, { dueDate: '2026-02-01' })
    await pay(overdue.id, 5000)
    await issue(old.studentId, 800, { currency: 'USD', dueDate: '2026-02-01' })
    await issue(old.studentId, 300)
    await draft(old.studentId, 9)
    const gone = await pay((await issue(old.studentId, 70)).id, 70)
    await reverse(gone.id)
    app.clock.advance(3600)
    const { body: group } = await owner.get(`/groups/${groupId}`)
    const expected = {
      studentsActive: 2,
      studentsNewThisMonth: 2,
      // One late, one absent; the session of tomorrow, which was marked ahead, is not of the last 30 days.
      attendanceRate30d: 50,
      outstandingMinor: 40_000 + 300 + 70,
      currency: 'ILS',
      overdueCount: 0,
      todaySessions: [
        { id: expect.any(String), groupName: group.name, start: '2026-03-01T22:00:00.000Z', room: '7' },
        { id: expect.any(String), groupName: group.name, start: '2026-03-02T21:59:00.000Z', room: '7' },
      ],
    }
    expect((await owner.get('/dashboard')).body).toEqual(expected)
    const { sweepOverdueJob } = await import('#modules/billing/sweep.ts')
    await app.app.database.write(async (db) => {
      const now = app.clock.now()
      await db
        .insertInto('job')
        .values({
          id: unknown,
          tenant_id: null,
          kind: sweepOverdueJob.name,
          lane: 'sweep',
          payload: {},
          run_at: now,
          max_attempts: 1,
          lease_until: null,
          unique_key: null,
          last_error: null,
          created_at: now,
          finished_at: null,
        })
        .execute()
    })
    await app.drain()
    expect((await owner.get('/dashboard')).body).toEqual({ ...expected, overdueCount: 2 })
  })
})

describe('who sees what', () => {
  let studentId: string
  let guardianId: string
  let people: Record<string, Client>

  beforeAll(async () => {
    await begin()
    const north = (await owner.post('/branches', { name: 'North' })).body.id
    const { groupId, studentId: id } = await newChild()
    studentId = id
    guardianId = await addGuardian([studentId])
    await issue(studentId, 500)
    await owner.post(`/students/${studentId}/status`, { status: 'active' })
    const role = (name: 'teacher' | 'accountant' | 'front_desk' | 'guardian' | 'student') =>
      institute.member({ role: name })
    const [teacher, guardian, student] = [await role('teacher'), await role('guardian'), await role('student')]
    const { id: teacherStaffId } = (
      await owner.post('/staff', {
        branchId: institute.branchId,
        firstName: 'Tamar',
        lastName: 'T',
        userId: teacher.userId,
      })
    ).body
    await owner.patch(`/groups/${groupId}`, { teacherStaffId })
    await owner.patch(`/guardians/${guardianId}`, { userId: guardian.userId })
    people = {
      owner,
      'the branch’s manager': await institute.member({ role: 'branch_manager', branchId: institute.branchId }),
      'another branch’s manager': await institute.member({ role: 'branch_manager', branchId: north }),
      accountant: await role('accountant'),
      'front desk': await role('front_desk'),
      teacher,
      guardian,
      student,
    }
  })

  // The statement needs invoices.read, the summary guardians.read, the dashboard reports.read; a figure is what is owed.
  test.each([
    ['owner', 500, 500, 500],
    ['the branch’s manager', 500, 500, 500],
    ['another branch’s manager', 404, 404, 0],
    ['accountant', 500, 500, 500],
    ['front desk', 500, 500, 403],
    ['teacher', 403, 403, 403],
    ['guardian', 403, 403, 403],
    ['student', 403, 403, 403],
  ])('%s: statement %s, family summary %s, dashboard %s', async (who, statement, family, dashboard) => {
    const client = people[who] as Client
    const seen = async (path: string, owed: (body: never) => number) => {
      const { status, body } = await client.get(path)
      return status === 200 ? owed(body as never) : status
    }
    type Amount = { amountMinor: number }
    expect([
      await seen(
        `/students/${studentId}/statement`,
        (body: { closingBalance: Amount }) => body.closingBalance.amountMinor,
      ),
      await seen(
        `/guardians/${guardianId}/family-summary`,
        (body: { financial: { balance: Amount } }) => body.financial.balance.amountMinor,
      ),
      await seen('/dashboard', (body: { outstandingMinor: number }) => body.outstandingMinor),
    ]).toEqual([statement, family, dashboard])
  })

  test('a manager’s dashboard counts students and sessions of the own branch only', async () => {
    const other = await (people['another branch’s manager'] as Client).get('/dashboard')
    expect(other.body).toMatchObject({ studentsActive: 0, studentsNewThisMonth: 0, todaySessions: [] })
    const own = await (people['the branch’s manager'] as Client).get('/dashboard')
    expect(own.body).toMatchObject({ studentsActive: 1, studentsNewThisMonth: 1 })
  })
})
