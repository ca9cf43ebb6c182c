import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup } from '../examples/sessions.ts'

/** What discounts and the setting for siblings take off: of runs, of registrations, and of what is proposed. */

let app: TestApp
let institute: TestInstitute
let owner: Client
let guardianId: string

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 400 * 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
})

const good = async (asked: ReturnType<Client['get']>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
const newClass = async (amountMinor: number, fee: Record<string, unknown> = {}) => {
  const groupId = await newGroup(institute, { feeMinor: amountMinor })
  const feeScheduleId = await newFeeSchedule(institute, { groupId, amountMinor, ...fee })
  return { groupId, feeScheduleId }
}
const newChild = async (
  groupIds: readonly string[],
  { enrolledAt = '2026-03-01', branchId = institute.branchId } = {},
) => {
  const { id } = await good(owner.post('/students', { branchId, firstName: 'Noor', lastName: 'Haddad' }))
  for (const groupId of groupIds) await good(owner.post('/enrollments', { studentId: id, groupId, enrolledAt }))
  return id as string
}
const paidBy = (studentId: string, payer: string) =>
  good(
    owner.post(`/students/${studentId}/guardians`, {
      guardianId: payer,
      relationship: 'mother',
      isPrimary: false,
      isPayer: true,
    }),
  )
const give = (fields: Record<string, unknown>) =>
  good(owner.post('/discounts', { kind: 'percent', value: 10, label: 'Staff', validFrom: '2026-01-01', ...fields }))
const rule = (...percents: [child: number, percent: number][]) =>
  good(owner.patch('/settings', { siblingDiscounts: percents.map(([child, percent]) => ({ child, percent })) }))

type Line = [total: number, description: string]
/** What a run comes to, by the student. */
const run = async (fields: Record<string, unknown> = {}): Promise<Record<string, Line[]>> => {
  const { invoices } = await good(owner.post('/billing/runs', { month: '2026-03', ...fields }))
  const found: Record<string, Line[]> = {}
  for (const { id, studentId } of invoices) {
    const { lines } = await good(owner.get(`/invoices/${id}`))
    found[studentId] = lines.map((line: { total: { amountMinor: number }; description: string }) => [
      line.total.amountMinor,
      line.description,
    ])
  }
  return found
}

describe('a run', () => {
  test('takes the discount off the line, and says why', async () => {
    const { groupId } = await newClass(45_001)
    const studentId = await newChild([groupId])
    await give({ studentId, value: 12.5 })
    const { invoices } = await good(owner.post('/billing/runs', { month: '2026-03' }))
    const { lines } = await good(owner.get(`/invoices/${invoices[0].id}`))
    // 5625.125 are rounded.
    expect(lines[0]).toMatchObject({
      description: 'Tuition, March 2026 · Staff 12.5%',
      unitAmount: { amountMinor: 45_001 },
      discount: { amountMinor: 5625 },
      total: { amountMinor: 39_376 },
    })
  })

  test('takes percentages of the part that is charged, and then amounts, and nothing below 0', async () => {
    const { groupId } = await newClass(3101, { proration: 'days' })
    const studentId = await newChild([groupId], { enrolledAt: '2026-03-17' })
    await give({ studentId, kind: 'amount', value: 100, label: 'Help' })
    await give({ studentId, value: 33.33, label: 'Choir', validFrom: '2026-02-01' })
    // 15 of 31 days are 1500.48, so 1500; of these 33.33 percent are 499.95, so 500; and then 100.
    expect(await run()).toEqual({
      [studentId]: [[900, 'Tuition, March 2026 (15 of 31 days) · Choir 33.33% · Help']],
    })
  })

  test('does not charge what comes to 0', async () => {
    const { groupId } = await newClass(10_000)
    const studentId = await newChild([groupId])
    guardianId = await newParent(institute, studentId, {}, { isPayer: true })
    await give({ studentId, value: 70 })
    await give({ guardianId, value: 70 })
    const { invoices, skipped } = await good(owner.post('/billing/runs', { month: '2026-03' }))
    expect([invoices, skipped[0].reason]).toEqual([[], 'no_price'])
  })

  test('goes by the first day that it charges for', async () => {
    const { groupId } = await newClass(10_000)
    const [before, since] = [await newChild([groupId]), await newChild([groupId], { enrolledAt: '2026-03-02' })]
    for (const studentId of [before, since]) {
      await give({ studentId, value: 10, validTo: '2026-03-01', label: 'Early' })
      await give({ studentId, value: 20, validFrom: '2026-03-02', label: 'Late' })
    }
    expect(await run()).toEqual({
      [before]: [[9000, 'Tuition, March 2026 · Early 10%']],
      [since]: [[8000, 'Tuition, March 2026 · Late 20%']],
    })
  })

  test('takes off what is for the course, for the group, and an amount in its currency', async () => {
    const [one, other] = [await newClass(10_000), await newClass(20_000)]
    const studentId = await newChild([one.groupId, other.groupId])
    const { courseId } = await good(owner.get(`/groups/${one.groupId}`))
    await give({ studentId, value: 10, courseId, label: 'Course' })
    await give({ studentId, value: 20, groupId: other.groupId, label: 'Group' })
    await give({ studentId, kind: 'amount', value: 500, currency: 'USD', label: 'Dollars' })
    const lines = Object.values(await run())[0]
    expect(lines?.map(([total]) => total)).toEqual([9000, 16_000])
  })

  test('says it in the language of whoever pays', async () => {
    const { groupId } = await newClass(10_000)
    const studentId = await newChild([groupId])
    await newParent(institute, studentId, { preferredLocale: 'he' }, { isPayer: true })
    await rule([2, 10])
    const second = await newChild([groupId])
    const { data } = await good(owner.get(`/students/${studentId}/guardians`))
    await paidBy(second, data[0].guardianId)
    expect(
      Object.values(await run())
        .flat()
        .at(-1)?.[1],
    ).toContain('הנחת אחים 10%')
  })
})

describe('of siblings, a run', () => {
  const newFamily = async (prices: readonly number[]) => {
    const children: string[] = []
    for (const price of prices) {
      const { groupId } = await newClass(price)
      children.push(await newChild([groupId]))
    }
    guardianId = await newParent(institute, children[0] as string, {}, { isPayer: true })
    for (const child of children.slice(1)) await paidBy(child, guardianId)
    return children
  }
  const totals = async (children: readonly string[], fields: Record<string, unknown> = {}) => {
    const found = await run(fields)
    return children.map((child) => found[child]?.[0]?.[0])
  }

  test('charges the dearest child in full, and the others by their place', async () => {
    await rule([2, 10], [3, 25])
    const children = await newFamily([10_000, 30_000, 20_000, 8000])
    expect(await totals(children)).toEqual([7500, 30_000, 18_000, 6000])
  })

  test('goes by the full price, not by the part that is charged', async () => {
    await rule([2, 10])
    const dear = await newClass(30_000, { proration: 'days' })
    const cheap = await newClass(20_000)
    const [late, whole] = [
      await newChild([dear.groupId], { enrolledAt: '2026-03-25' }),
      await newChild([cheap.groupId]),
    ]
    guardianId = await newParent(institute, late, {}, { isPayer: true })
    await paidBy(whole, guardianId)
    expect(await totals([late, whole])).toEqual([6774, 18_000])
  })

  test('is the same for each branch alone, and by some of the fees', async () => {
    await rule([2, 50])
    const branchId = (await good(owner.post('/branches', { name: 'North' }))).id
    const here = await newClass(10_000)
    const there = await newClass(20_000)
    const [one, other] = [await newChild([here.groupId]), await newChild([there.groupId], { branchId })]
    guardianId = await newParent(institute, one, {}, { isPayer: true })
    await paidBy(other, guardianId)
    expect(await totals([one, other], { branchId: institute.branchId })).toEqual([5000, undefined])
    expect(await totals([one, other], { feeScheduleIds: [there.feeScheduleId] })).toEqual([undefined, 20_000])
  })

  test('leaves their places to those who were billed, and gives who comes later the next one', async () => {
    await rule([2, 10], [3, 20])
    const children = await newFamily([10_000, 12_000])
    expect(await totals(children)).toEqual([9000, 12_000])
    const dearest = await newChild([(await newClass(50_000)).groupId])
    await paidBy(dearest, guardianId)
    expect(await totals([dearest])).toEqual([40_000])
    // A place that is void is free again.
    const { data } = await good(owner.get(`/students/${children[1]}/invoices`))
    await good(owner.post(`/invoices/${data[0].id}/void`, { reason: 'Wrong' }))
    expect(await totals(children)).toEqual([undefined, 12_000])
  })

  test('leaves the first place to who was billed before the rule', async () => {
    const children = await newFamily([10_000])
    expect(await totals(children)).toEqual([10_000])
    await rule([2, 10])
    const dearer = await newChild([(await newClass(20_000)).groupId])
    await paidBy(dearer, guardianId)
    expect(await totals([dearer])).toEqual([18_000])
  })

  test('counts children alone who are charged for the month, and of the same payer', async () => {
    await rule([2, 10])
    const [paused, other, stranger] = await newFamily([30_000, 20_000, 10_000])
    await good(owner.post(`/students/${paused}/status`, { status: 'active' }))
    await good(owner.post(`/students/${paused}/status`, { status: 'paused', pausedFrom: '2026-03-01' }))
    await newParent(institute, stranger as string, {}, { isPayer: true })
    expect(await totals([paused, other, stranger] as string[])).toEqual([undefined, 20_000, 10_000])
  })
})

test('the setting for siblings keeps its entries in order, each child once', async () => {
  expect((await rule([4, 30], [2, 10.5])).siblingDiscounts).toEqual([
    { child: 2, percent: 10.5 },
    { child: 4, percent: 30 },
  ])
  for (const entries of [[{ child: 1, percent: 10 }], [{ child: 2, percent: 0.5 }], [{ child: 2, percent: 101 }]]) {
    expect((await owner.patch('/settings', { siblingDiscounts: entries })).status).toBe(422)
  }
  const twice = [2, 2].map((child) => ({ child, percent: 10 }))
  expect((await owner.patch('/settings', { siblingDiscounts: twice })).status).toBe(422)
})

describe('a registration', () => {
  const family = (students: Record<string, unknown>[], fields: Record<string, unknown> = {}) => ({
    guardian: { firstName: 'Rana', lastName: 'Haddad', phone: '+972501112233' },
    relationship: 'mother',
    students: students.map((one, at) => ({
      branchId: institute.branchId,
      firstName: `Child ${at}`,
      lastName: 'Haddad',
      ...one,
    })),
    ...fields,
  })
  const sums = (body: { students: { invoices: { total: { amountMinor: number } }[] }[] }) =>
    body.students.map(({ invoices }) => invoices.map(({ total }) => total.amountMinor))

  test('gives siblings who come together their places, also in its dry run', async () => {
    await rule([2, 10])
    const [cheap, dear] = [await newClass(10_000), await newClass(20_000)]
    const asked = family([{ groups: [{ groupId: cheap.groupId }] }, { groups: [{ groupId: dear.groupId }] }])
    const dry = await good(owner.post('/registrations', { ...asked, dryRun: true }))
    expect(sums(dry)).toEqual([[9000], [20_000]])
    expect(dry.students[0].invoices[0].lines[0]).toMatchObject({
      description: 'Tuition، آذار 2026 · خصم الإخوة 10%',
      discount: { amountMinor: 1000 },
      siblingPlace: 2,
    })
    const made = await good(owner.post('/registrations', { ...asked, invoice: 'draft' }))
    expect(sums(made)).toEqual([[9000], [20_000]])
    // A third child in the month is the third one, whatever it costs.
    await rule([2, 10], [3, 50])
    const third = await newChild([(await newClass(90_000)).groupId])
    await paidBy(third, made.guardian.id)
    expect((await run())[third]?.[0]?.[0]).toBe(45_000)
  })

  test('takes off what the student and the guardian have already, but not of what is charged once', async () => {
    const { groupId } = await newClass(10_000)
    await newFeeSchedule(institute, {
      name: 'Registration',
      kind: 'registration',
      recurrence: 'once',
      amountMinor: 5000,
    })
    const studentId = await newChild([])
    guardianId = await newParent(institute, studentId, {}, { isPayer: true })
    await give({ studentId, value: 10 })
    await give({ guardianId, kind: 'amount', value: 300, label: 'Help' })
    const asked = {
      guardian: { id: guardianId },
      relationship: 'mother',
      students: [{ id: studentId, groups: [{ groupId }] }],
    }
    const { students } = await good(owner.post('/registrations', { ...asked, dryRun: true }))
    const lines = students[0].invoices[0].lines
    expect(lines.map((line: { discount: { amountMinor: number } }) => line.discount.amountMinor).toSorted()).toEqual([
      0, 1300,
    ])
  })
})

describe('prices', () => {
  test('say what a student pays and why', async () => {
    await rule([2, 10])
    const { groupId, feeScheduleId } = await newClass(30_000, { proration: 'days' })
    const studentId = await newChild([groupId], { enrolledAt: '2026-03-02' })
    const other = await newChild([(await newClass(40_000)).groupId])
    guardianId = await newParent(institute, studentId, {}, { isPayer: true })
    await paidBy(other, guardianId)
    const { id: discountId } = await give({ studentId, kind: 'amount', value: 500, label: 'Help' })
    const { data } = await good(owner.get(`/students/${studentId}/enrollments`))
    const prices = await good(owner.get(`/enrollments/${data[0].id}/price`))
    expect(prices).toMatchObject({ studentId, month: '2026-03' })
    expect(prices.prices).toEqual([
      {
        feeScheduleId,
        feeName: 'Tuition',
        enrollmentId: data[0].id,
        courseEnrollmentId: null,
        groupId,
        groupName: expect.stringContaining('Group'),
        courseId: null,
        courseName: null,
        state: 'due',
        charge: {
          priceOf: 'schedule',
          full: { amountMinor: 30_000, currency: 'ILS' },
          part: { of: 'days', count: 30, all: 31 },
          charged: { amountMinor: 29_032, currency: 'ILS' },
          discounts: [
            {
              discountId: null,
              kind: 'siblings',
              label: null,
              percent: 10,
              off: { amountMinor: 2903, currency: 'ILS' },
            },
            { discountId, kind: 'amount', label: 'Help', percent: null, off: { amountMinor: 500, currency: 'ILS' } },
          ],
          discount: { amountMinor: 3403, currency: 'ILS' },
          total: { amountMinor: 25_629, currency: 'ILS' },
          siblingPlace: 2,
          description: expect.stringContaining('10%'),
        },
      },
    ])
    // What a run then makes of it.
    expect((await run())[studentId]?.[0]?.[0]).toBe(25_629)
    const after = await good(owner.get(`/students/${studentId}/prices?month=2026-03`))
    expect(after.prices[0].state).toBe('already_billed')
  })

  test('make the lines of an invoice that is written by hand, which then counts', async () => {
    await rule([2, 50])
    const { groupId } = await newClass(10_000)
    const [one, other] = [await newChild([groupId]), await newChild([groupId])]
    guardianId = await newParent(institute, one, {}, { isPayer: true })
    await paidBy(other, guardianId)
    const { prices } = await good(owner.get(`/students/${other}/prices`))
    const { charge, feeScheduleId, enrollmentId } = prices[0]
    const line = {
      description: charge.description,
      unitAmountMinor: charge.charged.amountMinor,
      discountMinor: charge.discount.amountMinor,
      siblingPlace: charge.siblingPlace,
      feeScheduleId,
      enrollmentId,
    }
    const invoice = await good(owner.post('/invoices', { studentId: other, lines: [line] }))
    expect(invoice.total.amountMinor).toBe(5000)
    expect(invoice.lines[0].siblingPlace).toBe(2)
    expect(await run()).toEqual({ [one]: [[10_000, expect.any(String)]] })
  })

  test('name why a fee is not charged, and agree with what was agreed', async () => {
    const { groupId } = await newClass(10_000, { price: 'enrollment' })
    const studentId = await newChild([groupId], { enrolledAt: '2026-03-02' })
    const of = async (month: string) =>
      (await good(owner.get(`/students/${studentId}/prices?month=${month}`))).prices[0]
    expect(await of('2026-02')).toMatchObject({ state: 'enrolled_later', charge: null })
    expect(await of('2026-04')).toMatchObject({ state: 'due', charge: { priceOf: 'enrollment', part: null } })
  })

  test('are read of students whom the caller reaches', async () => {
    const nobody = '01890000-0000-7000-8000-000000000000'
    expect((await owner.get(`/students/${nobody}/prices`)).status).toBe(404)
    expect((await owner.get(`/enrollments/${nobody}/price`)).status).toBe(404)
    const { groupId } = await newClass(10_000)
    expect((await owner.get(`/students/${await newChild([groupId])}/prices?month=March`)).status).toBe(422)
  })
})
