import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 100 * 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
})

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })

const run = async (body: Record<string, unknown> = {}, client: Client = owner) => {
  const reply = await client.post('/billing/runs', { month: '2026-03', ...body })
  if (reply.status !== 201) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}
const linesOf = async (invoiceId: string) => (await owner.get(`/invoices/${invoiceId}`)).body.lines
const reasons = ({ skipped }: { skipped: { reason: string }[] }) => skipped.map(({ reason }) => reason)

const enrolled = async (studentId: string, groupId: string, price: Record<string, unknown> = {}) =>
  (await owner.post('/enrollments', { studentId, groupId, ...price })).body
const another = async (fields: Record<string, unknown> = {}): Promise<string> =>
  (await owner.post('/students', { branchId: institute.branchId, firstName: 'Omar', lastName: 'Nasser', ...fields }))
    .body.id

const nameOf = async (studentId: string): Promise<string> => (await owner.get(`/students/${studentId}`)).body.fullName

const newClass = async (fields: Record<string, unknown> = {}, enrolledAt?: string) => {
  const groupId = await newGroup(institute)
  const studentId = await another()
  await enrolled(studentId, groupId, { enrolledAt })
  const feeScheduleId = await newFeeSchedule(institute, { groupId, dueDay: 10, ...fields })
  return { groupId, studentId, feeScheduleId }
}

describe('a run', () => {
  test('makes one draft per student with a line per fee schedule, and answers with all of them', async () => {
    const { groupId, studentId, feeScheduleId } = await newClass()
    const books = await newFeeSchedule(institute, { name: 'Books', amountMinor: 1500, groupId, dueDay: 5 })
    const other = await newPupil(institute, groupId)
    const body = await run()
    const invoice = {
      id: uuid,
      branchId: institute.branchId,
      number: 'INV-2026-000001',
      studentId,
      studentName: await nameOf(studentId),
      status: 'draft',
      issueDate: '2026-03-02',
      dueDate: '2026-03-05',
      subtotal: ils(46_500),
      discount: ils(0),
      tax: ils(0),
      total: ils(46_500),
      paid: ils(0),
      credited: ils(0),
      footer: null,
    }
    expect(body).toEqual({
      id: uuid,
      month: '2026-03',
      dryRun: false,
      created: 2,
      skipped: [],
      uncharged: [],
      invoices: [
        invoice,
        { ...invoice, studentId: other, studentName: await nameOf(other), number: 'INV-2026-000002' },
      ],
    })
    const enrollmentId = (await owner.get(`/students/${studentId}/enrollments`)).body.data[0].id
    expect(await linesOf(body.invoices[0].id)).toMatchObject([
      { description: 'Tuition, March 2026', quantity: 1, unitAmount: ils(45_000), feeScheduleId, enrollmentId },
      { description: 'Books, March 2026', total: ils(1500), feeScheduleId: books, enrollmentId },
    ])
    const [audited] = await auditOf(app, institute, 'billing.run').then((all) =>
      all.filter((e) => e.entity_id === body.id),
    )
    expect(audited).toMatchObject({ entity_type: 'billing_run', after: { created: 2, skipped: 0 } })
  })

  test('bills a student once per schedule and month, however often, while the line stands on an invoice that is not void', async () => {
    const { studentId, feeScheduleId } = await newClass({}, '2026-01-20T08:00:00.000Z')
    const first = await run()
    const skipped = [{ studentId, studentName: await nameOf(studentId), feeScheduleId, reason: 'already_billed' }]
    expect(await run()).toMatchObject({ created: 0, skipped, invoices: [] })
    await owner.patch(`/invoices/${first.invoices[0].id}`, { lines: [{ description: 'None', unitAmountMinor: 1 }] })
    const second = await run()
    expect(second).toMatchObject({ created: 1, skipped: [] })
    await owner.post(`/invoices/${second.invoices[0].id}/void`, { reason: 'Wrong month' })
    expect(await run()).toMatchObject({ created: 1, skipped: [] })
    expect(await run()).toMatchObject({ created: 0, skipped })
    const april = await run({ month: '2026-04' })
    expect(april.invoices).toMatchObject([{ number: 'INV-2026-000004', dueDate: '2026-04-10' }])
    // A month that is billed late is no reason to skip the month in which that happened.
    expect((await run({ month: '2026-02' })).created).toBe(1)
    expect((await run({ month: '2026-05' })).created).toBe(1)
  })

  test('five at once bill each student once, and no number is lost', async () => {
    const { groupId } = await newClass()
    for (let n = 0; n < 30; n += 1) await newPupil(institute, groupId)
    const runs = await Promise.all(Array.from({ length: 5 }, () => run()))
    expect(runs.reduce((sum, { created }) => sum + created, 0)).toBe(31)
    const { body } = await owner.get('/invoices?limit=100')
    const numbers = body.data.map(({ number }: { number: string }) => number).toSorted()
    expect(numbers).toEqual(Array.from({ length: 31 }, (_, n) => `INV-2026-${String(n + 1).padStart(6, '0')}`))
    expect(new Set(body.data.map((invoice: { studentId: string }) => invoice.studentId)).size).toBe(31)
  })

  test('a dry run answers 200 with what would be billed, keeps nothing and takes no number', async () => {
    const { studentId } = await newClass()
    const { status, body } = await owner.post('/billing/runs', { month: '2026-03', dryRun: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: null,
      dryRun: true,
      created: 1,
      skipped: [],
      invoices: [{ id: null, number: null, studentId, total: ils(45_000), dueDate: '2026-03-10' }],
    })
    expect((await owner.get('/invoices')).body.data).toEqual([])
    expect(await auditOf(app, institute, 'billing.run')).toEqual([])
    expect(await run()).toMatchObject({ created: 1, invoices: [{ number: 'INV-2026-000001' }] })
  })

  test('takes the enrollment’s own price where that was given, and the latest enrollment of several in a course', async () => {
    const { groupId } = await newClass()
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    const second = (await owner.post('/groups', { courseId, branchId: institute.branchId, name: 'B' })).body.id
    const ofCourse = await newFeeSchedule(institute, { name: 'Course', courseId, amountMinor: 700 })
    const [cheap, both, dollars] = [await another(), await another(), await another()]
    await enrolled(cheap, groupId, { priceMinor: 100 })
    await enrolled(both, groupId)
    app.clock.advance(1)
    await enrolled(both, second, { priceMinor: 300 })
    await enrolled(dollars, groupId, { priceMinor: 900, currency: 'USD' })
    const body = await run({ feeScheduleIds: [ofCourse] })
    const totals = Object.fromEntries(
      body.invoices.map((one: { studentId: string; total: { amountMinor: number } }) => [
        one.studentId,
        one.total.amountMinor,
      ]),
    )
    expect(totals).toMatchObject({ [cheap]: 100, [both]: 300 })
    expect(body.created).toBe(4)
    expect(body.skipped).toEqual([])
    const ofDollars = body.invoices.find((one: { studentId: string }) => one.studentId === dollars)
    expect(ofDollars.total.currency).toBe('USD')
  })

  test('makes one draft per student and currency, each with its own lines and due date', async () => {
    const { groupId, studentId, feeScheduleId } = await newClass()
    const fee = (name: string, currency: string, dueDay: number) =>
      newFeeSchedule(institute, { name, amountMinor: 1500, currency, groupId, dueDay })
    const [books, exam, trip] = [
      await fee('Books', 'USD', 20),
      await fee('Exam', 'USD', 15),
      await fee('Trip', 'EUR', 5),
    ]
    const dry = (await owner.post('/billing/runs', { month: '2026-03', dryRun: true })).body
    const body = await run()
    const shown = (one: { studentId: string; total: unknown; dueDate: string }) => [
      one.studentId,
      one.total,
      one.dueDate,
    ]
    const expected = [
      [studentId, ils(45_000), '2026-03-10'],
      [studentId, { amountMinor: 3000, currency: 'USD' }, '2026-03-15'],
      [studentId, { amountMinor: 1500, currency: 'EUR' }, '2026-03-05'],
    ]
    expect(body.invoices.map(shown)).toEqual(expected)
    expect(dry.invoices.map(shown)).toEqual(expected)
    expect([dry.created, body.created, body.skipped]).toEqual([3, 3, []])
    const numbers = body.invoices.map(({ number }: { number: string }) => number)
    expect(numbers).toEqual(['INV-2026-000001', 'INV-2026-000002', 'INV-2026-000003'])
    const lines = await Promise.all(body.invoices.map(({ id }: { id: string }) => linesOf(id)))
    expect(lines.map((of) => of.map((line: { feeScheduleId: string }) => line.feeScheduleId))).toEqual([
      [feeScheduleId],
      [books, exam],
      [trip],
    ])
    const again = await run()
    expect([again.created, reasons(again)]).toEqual([0, Array(4).fill('already_billed')])
    // Another currency is no other fee: what was billed for the month stays billed.
    expect((await owner.patch(`/fee-schedules/${trip}`, { currency: 'USD' })).status).toBe(200)
    expect((await run()).created).toBe(0)
  })

  test('leaves out what is inactive, one-off, registration, once, of nothing, or per course without grants', async () => {
    const { groupId, studentId } = await newClass({ isActive: false })
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    for (const fields of [
      { kind: 'one_off' },
      { kind: 'registration' },
      { recurrence: 'once' },
      { groupId: null },
      { kind: 'per_course', groupId: null, courseId },
      { kind: 'per_course' },
    ]) {
      await newFeeSchedule(institute, { groupId, ...fields })
    }
    await newFeeSchedule(institute, { groupId, validTo: '2026-02-28' })
    const nothing = { created: 0, skipped: [], invoices: [] }
    const whys = ({ uncharged }: { uncharged: { reason: string }[] }) => uncharged.map(({ reason }) => reason)
    const inUse = ['by_hand', 'at_registration', 'at_registration', 'by_hand', 'nobody', 'by_hand', 'not_in_month']
    for (const dryRun of [true, false]) {
      const made = (await owner.post('/billing/runs', { month: '2026-03', dryRun })).body
      expect([made, whys(made)]).toEqual([expect.objectContaining(nothing), inUse])
    }
    const fees: { id: string; name: string; chargedBy: string }[] = (await owner.get('/fee-schedules')).body.data
    const by = ['run', 'hand', 'run', 'hand', 'registration', 'registration', 'hand', 'run']
    expect(fees.map(({ chargedBy }) => chargedBy)).toEqual(by)
    const ofAll = await run({ feeScheduleIds: fees.map(({ id }) => id) })
    expect([ofAll, whys(ofAll)]).toEqual([expect.objectContaining(nothing), ['inactive', ...inUse]])
    // In the order in which they were made.
    expect(ofAll.uncharged.map((one: { feeScheduleId: string }) => one.feeScheduleId)).toEqual(
      fees.map(({ id }) => id).toReversed(),
    )
    expect(ofAll.uncharged[0].name).toBe(fees.at(-1)?.name)
    expect((await owner.get(`/students/${studentId}/invoices`)).body.data).toEqual([])
  })

  test('charges per course those who were granted it, with the grant in the line', async () => {
    const { groupId, studentId } = await newClass({ isActive: false })
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    const feeScheduleId = await newFeeSchedule(institute, { kind: 'per_course', courseId, amountMinor: 900 })
    const gone = await another()
    const grant = (await owner.post(`/courses/${courseId}/enrollments`, { studentId })).body
    const dropped = (await owner.post(`/courses/${courseId}/enrollments`, { studentId: gone })).body
    await owner.delete(`/course-enrollments/${dropped.id}`)
    const body = await run()
    expect(body.invoices).toMatchObject([{ studentId, total: ils(900) }])
    expect(await linesOf(body.invoices[0].id)).toMatchObject([
      { feeScheduleId, enrollmentId: null, courseEnrollmentId: grant.id },
    ])
    const again = await run()
    expect([reasons(again), again.uncharged]).toEqual([['already_billed'], []])
  })

  test('a fee that was invoiced by hand for the month is not billed again, until that invoice is void', async () => {
    const { studentId, feeScheduleId } = await newClass()
    const lines = [{ description: 'March', unitAmountMinor: 45_000, feeScheduleId }]
    const { body: byHand } = await owner.post('/invoices', { studentId, lines })
    expect(reasons(await run())).toEqual(['invoiced_by_hand'])
    expect((await run({ month: '2026-04' })).created).toBe(1)
    await owner.post(`/invoices/${byHand.id}/void`, { reason: 'Entered twice' })
    expect((await run()).created).toBe(1)
  })

  test('per term bills once per term, of which the start dates stand in the settings', async () => {
    const { studentId, feeScheduleId } = await newClass({ recurrence: 'per_term' }, '2025-10-01T08:00:00.000Z')
    expect(reasons(await run())).toEqual(['no_term'])
    const autumn = { name: 'Autumn', startsOn: '2025-09-10' }
    const spring = { name: 'Spring', startsOn: '2026-03-15' }
    await owner.patch('/settings', { terms: [autumn, spring] })
    const february = await run({ month: '2026-02' })
    expect(await linesOf(february.invoices[0].id)).toMatchObject([{ description: 'Tuition, Autumn' }])
    expect(reasons(await run({ month: '2026-01' }))).toEqual(['already_billed'])
    const march = await run()
    expect(await linesOf(march.invoices[0].id)).toMatchObject([{ description: 'Tuition, Spring', feeScheduleId }])
    expect(reasons(await run({ month: '2026-06' }))).toEqual(['already_billed'])
    // A start that is moved is the same term.
    await owner.patch('/settings', { terms: [autumn, { ...spring, startsOn: '2026-03-20' }] })
    expect(reasons(await run({ month: '2026-04' }))).toEqual(['already_billed'])
    expect((await owner.get(`/students/${studentId}/invoices`)).body.data).toHaveLength(2)
  })

  test.each([
    ['2026-02', 31, '2026-03-02'],
    ['2026-04', 31, '2026-04-30'],
    ['2028-02', 30, '2028-02-29'],
    ['2026-03', 1, '2026-03-02'],
    ['2026-03', 31, '2026-03-31'],
  ])('of %s with dueDay %i is due on %s', async (month, dueDay, dueDate) => {
    await newClass({ dueDay }, '2026-02-20T08:00:00.000Z')
    expect((await run({ month })).invoices).toMatchObject([{ dueDate }])
  })

  test('without dueDay is due as many days from today as the settings say', async () => {
    await newClass({ dueDay: null })
    await owner.patch('/settings', { invoiceDueDays: 30 })
    expect((await run()).invoices).toMatchObject([{ dueDate: '2026-04-01' }])
  })

  test.each([
    [{ month: '2026-13' }, 'month'],
    [{ month: '2026-00' }, 'month'],
    [{ month: '2026-3' }, 'month'],
    [{ month: '2026-03-01' }, 'month'],
    [{ month: 'March' }, 'month'],
    [{ month: undefined }, 'month'],
    [{ feeScheduleIds: [] }, 'feeScheduleIds'],
    [{ feeScheduleIds: ['x'] }, 'feeScheduleIds.0'],
    [{ dryRun: 'yes' }, 'dryRun'],
  ])('with %j is 422', async (fields, field) => {
    const { status, body } = await owner.post('/billing/runs', { month: '2026-03', ...fields })
    expect([status, body.error.details.issues[0].path.join('.')]).toEqual([422, field])
  })

  test('an unknown fee schedule or branch is 404', async () => {
    const { feeScheduleId } = await newClass()
    for (const fields of [{ feeScheduleIds: [feeScheduleId, unknown] }, { branchId: unknown }]) {
      expect((await owner.post('/billing/runs', { month: '2026-03', ...fields })).status).toBe(404)
    }
    expect((await owner.get('/invoices')).body.data).toEqual([])
  })

  test('a repeat with the same Idempotency-Key answers the same and bills nobody', async () => {
    await newClass()
    const headers = { 'idempotency-key': 'run-march' }
    const send = () => owner.send('POST', '/billing/runs', { body: { month: '2026-03' }, headers })
    const first = await send()
    const again = await send()
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })
})

describe('who may', () => {
  test('a branch’s manager bills the students of the own branch only; another branch is 404', async () => {
    const { groupId, studentId } = await newClass()
    const north = (await owner.post('/branches', { name: 'North' })).body.id
    const there = await another({ branchId: north })
    await enrolled(there, groupId)
    const manager = await institute.member({ role: 'branch_manager', branchId: north })
    expect((await manager.post('/billing/runs', { month: '2026-03', branchId: institute.branchId })).status).toBe(404)
    expect((await run({}, manager)).invoices).toMatchObject([{ studentId: there, branchId: north }])
    expect((await run({ branchId: institute.branchId })).invoices).toMatchObject([{ studentId }])
    expect(reasons(await run())).toEqual(['already_billed', 'already_billed'])
  })

  test.each([
    ['accountant', 201],
    ['front_desk', 403],
    ['teacher', 403],
    ['guardian', 403],
    ['student', 403],
  ] as const)('%s: %i', async (role, status) => {
    const client = await institute.member({ role })
    expect((await client.post('/billing/runs', { month: '2026-03' })).status).toBe(status)
  })
})
