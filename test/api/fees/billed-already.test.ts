import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute } from '#kit/institute.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup } from '../examples/sessions.ts'
import { child, family } from '../registrations/place.ts'

/** A month that other invoices have already: of a registration, or written by hand. */

let app: TestApp
let owner: Client
let branchId: string
let groupId: string
beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 100 * 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  const school = await makeInstitute(app)
  owner = school.owner
  branchId = school.branchId
  groupId = await newGroup({ owner, branchId }, { feeMinor: 45_000 })
})

const register = async (more: object = {}) => {
  const body = family(branchId, { students: [child(branchId, { groups: [{ groupId }], ...more })], invoice: 'draft' })
  const reply = await owner.post('/registrations', body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  const { student, invoices } = reply.body.students[0]
  return { studentId: student.id as string, invoice: invoices[0] }
}

/** A student who pays nothing at first. */
const enrolled = async (groups: string[] = [groupId]): Promise<string> => {
  const { id } = (await owner.post('/students', child(branchId))).body
  for (const one of groups) await owner.post('/enrollments', { studentId: id, groupId: one })
  return id
}

const byHand = async (studentId: string, description: string, unitAmountMinor: number, more: object = {}) =>
  (await owner.post('/invoices', { studentId, lines: [{ description, unitAmountMinor, ...more }] })).body

const run = async (body: object = {}) => {
  const reply = await owner.post('/billing/runs', { month: '2026-03', ...body })
  expect([200, 201], JSON.stringify(reply.body)).toContain(reply.status)
  return reply.body
}
const told = ({ skipped }: { skipped: { reason: string; mayBe: { invoiceNumber: string } | null }[] }) =>
  skipped.map(({ reason, mayBe }) => [reason, mayBe?.invoiceNumber ?? null])

describe('the first month of a registration, whose group has its fee only since', () => {
  test('at the same price is that month: a run leaves it out, and bills the next one', async () => {
    await register()
    await newFeeSchedule({ owner }, { groupId })
    expect(told(await run())).toEqual([['invoiced_by_hand', null]])
    expect(await run({ month: '2026-04' })).toMatchObject({ created: 1, skipped: [] })
  })

  test('at another price may be: it is shown with its invoice, left out, and billed where somebody says so', async () => {
    const { studentId, invoice } = await register()
    const feeScheduleId = await newFeeSchedule({ owner }, { groupId, amountMinor: 40_000 })
    const asked = await run({ dryRun: true })
    expect(asked).toMatchObject({
      created: 0,
      skipped: [
        {
          studentId,
          feeScheduleId,
          reason: 'may_be_billed',
          mayBe: {
            invoiceId: invoice.id,
            invoiceNumber: invoice.number,
            description: invoice.lines[0].description,
            amount: { amountMinor: 45_000, currency: 'ILS' },
          },
        },
      ],
    })
    expect(told(await run())).toEqual([['may_be_billed', invoice.number]])
    const billAnyway = [{ studentId, feeScheduleId }]
    expect(await run({ dryRun: true, billAnyway })).toMatchObject({ created: 1, skipped: [] })
    expect(await run({ billAnyway })).toMatchObject({ created: 1, skipped: [] })
    // What a run billed is billed, whoever looks.
    expect(told(await run({ billAnyway }))).toEqual([['already_billed', null]])
  })

  test('is the month in which the group begins, however early somebody is registered', async () => {
    groupId = await newGroup({ owner, branchId }, { feeMinor: 45_000, startsOn: '2026-05-03' })
    await register()
    await newFeeSchedule({ owner }, { groupId })
    expect(told(await run({ month: '2026-05' }))).toEqual([['invoiced_by_hand', null]])
    expect((await run({ month: '2026-06' })).created).toBe(1)
  })

  test('is billed once its invoice is void', async () => {
    const { invoice } = await register()
    await newFeeSchedule({ owner }, { groupId })
    await owner.post(`/invoices/${invoice.id}/void`, { reason: 'Entered twice' })
    expect((await run()).created).toBe(1)
  })

  test('of a fee that took the place of another one is asked about', async () => {
    const former = await newFeeSchedule({ owner }, { groupId, amountMinor: 40_000 })
    await register()
    await owner.patch(`/fee-schedules/${former}`, { isActive: false })
    await newFeeSchedule({ owner }, { groupId, name: 'Lessons' })
    expect(told(await run())).toEqual([['may_be_billed', 'INV-2026-000001']])
    expect((await run({ month: '2026-04' })).created).toBe(1)
  })
})

describe('a line by hand without a fee', () => {
  test.each([
    ['of the same price', 'First payment', 45_000],
    ['that names the month', 'חודש מרץ', 30_000],
    ['that names the fee', 'Tuition', 20_000],
  ])('%s may be the month', async (_what, description, amountMinor) => {
    const studentId = await enrolled()
    await newFeeSchedule({ owner }, { groupId })
    const { number } = await byHand(studentId, description, amountMinor)
    expect(told(await run({ dryRun: true }))).toEqual([['may_be_billed', number]])
  })

  test('of something else, of another month or for another group is not', async () => {
    const other = await newGroup({ owner, branchId }, { name: 'Evening choir' })
    const studentId = await enrolled([groupId, other])
    await newFeeSchedule({ owner }, { groupId })
    await byHand(studentId, 'A book', 3000)
    await byHand(studentId, 'April 2026', 45_000)
    await byHand(studentId, 'نيسان', 45_000)
    await byHand(studentId, 'Evening choir', 45_000)
    expect(await run({ dryRun: true })).toMatchObject({ created: 1, skipped: [] })
  })

  test('that was written the month before, and names this one, may be the month', async () => {
    const studentId = await enrolled()
    await newFeeSchedule({ owner }, { groupId })
    const { number } = await byHand(studentId, '4/2026', 30_000)
    expect(told(await run({ month: '2026-04', dryRun: true }))).toEqual([['may_be_billed', number]])
    expect((await run({ dryRun: true })).created).toBe(1)
  })
})
