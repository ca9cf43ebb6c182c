import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const monthly = { name: 'Tuition', kind: 'per_group', amountMinor: 45_000, currency: 'ILS', recurrence: 'monthly' }

const messages = (body: { error: { details: { issues: { path: string[]; message: string }[] } } }) =>
  body.error.details.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

const invoiceOf = async (feeScheduleId: string, more: Record<string, unknown> = {}) => {
  const studentId = await newPupil(institute, await newGroup(institute))
  const line = { description: 'Tuition', unitAmountMinor: 45_000, feeScheduleId }
  return owner.post('/invoices', { studentId, dueDate: '2026-03-20', lines: [{ ...line, ...more }] })
}

describe('a fee schedule', () => {
  test('has the contract’s fields; it is active, of no group, no course and no day unless they are given', async () => {
    const { status, body } = await owner.post('/fee-schedules', { ...monthly, name: '  Tuition  ' })
    const now = app.clock.now()
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Tuition',
        kind: 'per_group',
        amount: { amountMinor: 45_000, currency: 'ILS' },
        recurrence: 'monthly',
        courseId: null,
        groupId: null,
        dueDay: null,
        isActive: true,
        price: 'schedule',
        validFrom: null,
        validTo: null,
        proration: 'none',
        chargedBy: 'hand',
        createdAt: now,
        updatedAt: now,
      },
    ])
    expect((await owner.get(`/fee-schedules/${body.id}`)).body).toEqual(body)
  })

  test('of a group of another branch is neither listed nor read under a role for one branch', async () => {
    const north = (await owner.post('/branches', { name: 'North' })).body.id
    const groupId = await newGroup({ ...institute, branchId: north })
    const [ofNorth, ofAll] = [await newFeeSchedule(institute, { groupId }), await newFeeSchedule(institute)]
    const permissions = ['invoices.read'] as const
    const reads = async (branchId: string) => {
      const member = await institute.member({ permissions: [...permissions], branchId })
      const { data } = (await member.get('/fee-schedules?limit=100')).body
      const listed = data.map(({ id }: { id: string }) => id)
      const statuses = [ofNorth, ofAll].map(async (id) => (await member.get(`/fee-schedules/${id}`)).status)
      return [listed.includes(ofNorth), listed.includes(ofAll), ...(await Promise.all(statuses))]
    }
    expect(await reads(north)).toEqual([true, true, 200, 200])
    expect(await reads(institute.branchId)).toEqual([false, true, 404, 200])
  })

  test('is changed field by field, audited once, and not at all where nothing differs', async () => {
    const groupId = await newGroup(institute)
    const id = await newFeeSchedule(institute)
    const { body } = await owner.patch(`/fee-schedules/${id}`, { groupId, dueDay: 31, amountMinor: 0, isActive: false })
    expect(body).toMatchObject({ groupId, dueDay: 31, amount: { amountMinor: 0 }, isActive: false, name: 'Tuition' })
    expect((await owner.patch(`/fee-schedules/${id}`, { groupId: null, dueDay: null })).body).toMatchObject({
      groupId: null,
      dueDay: null,
    })
    app.clock.advance(60)
    const before = (await owner.get(`/fee-schedules/${id}`)).body
    expect((await owner.patch(`/fee-schedules/${id}`, { amountMinor: 0 })).body).toEqual(before)
    const audited = (await auditOf(app, institute, 'fee-schedules.update')).filter((entry) => entry.entity_id === id)
    expect(audited.map(({ entity_type }) => entity_type)).toEqual(Array(3).fill('fee_schedule'))
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(151) }, 'name'],
    [{ kind: 'weekly' }, 'kind'],
    [{ amountMinor: -1 }, 'amountMinor'],
    [{ amountMinor: 1.5 }, 'amountMinor'],
    [{ amountMinor: undefined }, 'amountMinor'],
    [{ currency: 'GBP' }, 'currency'],
    [{ currency: undefined }, 'currency'],
    [{ recurrence: 'yearly' }, 'recurrence'],
    [{ dueDay: 0 }, 'dueDay'],
    [{ dueDay: 32 }, 'dueDay'],
  ])('with %j is 422', async (fields, field) => {
    const { status, body } = await owner.post('/fee-schedules', { ...monthly, ...fields })
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(messages(body)).toEqual([expect.stringMatching(new RegExp(`^${field}: `))])
  })

  test.each(['ILS', 'USD', 'EUR'])(
    'is in %s, at once or later, whatever the institute’s currency is',
    async (currency) => {
      const made = await owner.post('/fee-schedules', { ...monthly, currency })
      expect(made).toMatchObject({ status: 201, body: { amount: { currency } } })
      for (const first of ['ILS', 'USD', 'EUR']) {
        const id = await newFeeSchedule(institute, { currency: first })
        const { status, body } = await owner.patch(`/fee-schedules/${id}`, { currency })
        expect([status, body.amount.currency]).toEqual([200, currency])
      }
    },
  )

  test('of an unknown course or group, or with an unknown id, is 404', async () => {
    for (const field of ['courseId', 'groupId']) {
      expect((await owner.post('/fee-schedules', { ...monthly, [field]: unknown })).status).toBe(404)
      const id = await newFeeSchedule(institute)
      expect((await owner.patch(`/fee-schedules/${id}`, { [field]: unknown })).status).toBe(404)
    }
    expect((await owner.get(`/fee-schedules/${unknown}`)).status).toBe(404)
    expect((await owner.patch(`/fee-schedules/${unknown}`, {})).status).toBe(404)
    expect((await owner.delete(`/fee-schedules/${unknown}`)).status).toBe(404)
  })

  test('is deleted while no invoice line refers to it; from then on it is 409', async () => {
    const unused = await newFeeSchedule(institute)
    expect(await owner.delete(`/fee-schedules/${unused}`)).toMatchObject({ status: 200, body: { ok: true } })
    const used = await newFeeSchedule(institute)
    const { body: invoice } = await invoiceOf(used)
    const refused = await owner.delete(`/fee-schedules/${used}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    await owner.patch(`/invoices/${invoice.id}`, { lines: [{ description: 'Books', unitAmountMinor: 1000 }] })
    expect((await owner.delete(`/fee-schedules/${used}`)).status).toBe(200)
  })

  test('keeps its group from being deleted (409)', async () => {
    const groupId = await newGroup(institute)
    const id = await newFeeSchedule(institute, { groupId })
    expect((await owner.delete(`/groups/${groupId}`)).status).toBe(409)
    await owner.delete(`/fee-schedules/${id}`)
    expect((await owner.delete(`/groups/${groupId}`)).status).toBe(200)
  })

  test('is listed newest first, by kind and by whether it is active', async () => {
    const other = await makeInstitute(app)
    const ids: string[] = []
    for (const fields of [{}, { kind: 'per_course' }, { isActive: false }])
      ids.push(await newFeeSchedule(other, fields))
    const listed = async (query = '') =>
      (await other.owner.get(`/fee-schedules${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await listed()).toEqual(ids.toReversed())
    expect(await listed('?kind=per_course')).toEqual([ids[1]])
    expect(await listed('?isActive=false')).toEqual([ids[2]])
    expect(await listed('?isActive=true&kind=per_group')).toEqual([ids[0]])
  })
})

test('an invoice line keeps its fee schedule and its enrollment; an unknown fee schedule is 404', async () => {
  const feeScheduleId = await newFeeSchedule(institute)
  const { body: invoice } = await invoiceOf(feeScheduleId)
  expect(invoice.lines[0]).toMatchObject({ feeScheduleId, enrollmentId: null, courseEnrollmentId: null })
  const read = (await owner.get(`/invoices/${invoice.id}`)).body
  expect(read.lines).toEqual(invoice.lines)
  const line = { description: 'Tuition', unitAmountMinor: 45_000 }
  const without = await owner.patch(`/invoices/${invoice.id}`, { lines: [line] })
  expect(without.body.lines[0].feeScheduleId).toBeNull()
  const again = await owner.patch(`/invoices/${invoice.id}`, { lines: [{ ...line, feeScheduleId }] })
  expect(again.body.lines[0].feeScheduleId).toBe(feeScheduleId)
  expect((await invoiceOf(unknown)).status).toBe(404)
  expect((await owner.patch(`/invoices/${invoice.id}`, { lines: [{ ...line, feeScheduleId: unknown }] })).status).toBe(
    404,
  )
})

test('an invoice line keeps the course grant of its student; another student’s is 404', async () => {
  const groupId = await newGroup(institute)
  const [studentId, other] = [await newPupil(institute, groupId), await newPupil(institute, groupId)]
  const { courseId } = (await owner.get(`/groups/${groupId}`)).body
  const { body: grant } = await owner.post(`/courses/${courseId}/enrollments`, { studentId })
  const lines = [{ description: 'Videos', unitAmountMinor: 900, courseEnrollmentId: grant.id }]
  const { body: invoice } = await owner.post('/invoices', { studentId, lines })
  expect((await owner.get(`/invoices/${invoice.id}`)).body.lines[0].courseEnrollmentId).toBe(grant.id)
  expect((await owner.post('/invoices', { studentId: other, lines })).status).toBe(404)
})

describe('who may', () => {
  const place = async (who: TestInstitute) => ({
    manager: await who.member({ role: 'branch_manager', branchId: who.branchId }),
    accountant: await who.member({ role: 'accountant' }),
    'front desk': await who.member({ role: 'front_desk' }),
    teacher: await who.member({ role: 'teacher' }),
    guardian: await who.member({ role: 'guardian' }),
    student: await who.member({ role: 'student' }),
  })

  test.each([
    ['manager', 200, 403],
    ['accountant', 200, 201],
    ['front desk', 200, 403],
    ['teacher', 403, 403],
    ['guardian', 403, 403],
    ['student', 403, 403],
  ] as const)('%s: reading is %i, adding is %i', async (who, reads, adds) => {
    const client = (await place(institute))[who]
    const id = await newFeeSchedule(institute)
    const found = [await client.get('/fee-schedules'), await client.get(`/fee-schedules/${id}`)]
    expect(found.map(({ status }) => status)).toEqual([reads, reads])
    expect((await client.post('/fee-schedules', monthly)).status).toBe(adds)
    const changed = adds === 201 ? 200 : adds
    expect((await client.patch(`/fee-schedules/${id}`, { name: 'Fee' })).status).toBe(changed)
    expect((await client.delete(`/fee-schedules/${id}`)).status).toBe(changed)
  })
})
