import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newParent } from '#kit/family.ts'
import { newGroup, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

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
const newClass = async (fee: Record<string, unknown>, enrollment: Record<string, unknown> = {}) => {
  const groupId = await newGroup(institute, { feeMinor: 30_000 })
  const person = { branchId: institute.branchId, firstName: 'Omar', lastName: 'Nasser' }
  const studentId = (await good(owner.post('/students', person))).id
  const { id: enrollmentId } = await good(owner.post('/enrollments', { studentId, groupId, ...enrollment }))
  const feeScheduleId = await newFeeSchedule(institute, { groupId, amountMinor: 10_000, ...fee })
  return { groupId, studentId, enrollmentId, feeScheduleId }
}
const runOf = (month: string) => good(owner.post('/billing/runs', { month }))
/** What the one line of the run says; else why there is none. */
const lineOf = async (month: string): Promise<[string, number] | string | undefined> => {
  const { invoices, skipped } = await runOf(month)
  if (invoices.length === 0) return skipped[0]?.reason
  const [line] = (await good(owner.get(`/invoices/${invoices[0].id}`))).lines
  return [line.description, line.total.amountMinor]
}

test('where no fee is set, a student pays for nothing, also while siblings pay less', async () => {
  await good(owner.patch('/settings', { siblingDiscounts: [{ child: 2, percent: 10 }] }))
  const person = { branchId: institute.branchId, firstName: 'Omar', lastName: 'Nasser' }
  const { id } = await good(owner.post('/students', person))
  expect(await good(owner.get(`/students/${id}/prices?month=2026-03`))).toMatchObject({ studentId: id, prices: [] })
})

describe('the price', () => {
  test('of the schedule is its amount, and that of the enrollment what was agreed', async () => {
    const fees = [{}, { price: 'enrollment' }]
    const expected = [10_000, 30_000]
    for (const [nth, fee] of fees.entries()) {
      await newClass(fee)
      const { invoices } = await runOf('2026-03')
      expect(invoices.map(({ total }: { total: { amountMinor: number } }) => total.amountMinor)).toEqual([
        expected[nth],
      ])
    }
  })

  test('of an enrollment for which nothing is to be paid is no_price', async () => {
    await newClass({ price: 'enrollment' }, { priceMinor: 0 })
    expect(await lineOf('2026-03')).toBe('no_price')
  })
})

test('a schedule charges for no day before it is valid or after', async () => {
  const { enrollmentId } = await newClass(
    { validFrom: '2026-03-10', validTo: '2026-05-05' },
    { enrolledAt: '2026-01-01' },
  )
  expect(await lineOf('2026-02')).toBeUndefined()
  expect(await lineOf('2026-06')).toBeUndefined()
  expect(await lineOf('2026-05')).toEqual(['Tuition, May 2026', 10_000])
  await good(owner.post(`/enrollments/${enrollmentId}/drop`, { endedAt: '2026-03-09' }))
  expect(await lineOf('2026-03')).toBe('left_before')
})

describe('a part of a month', () => {
  test('by lessons is so many of the month’s lessons of the group, rounded half up, and the line says so', async () => {
    const { groupId } = await newClass({ proration: 'lessons', amountMinor: 10_001 }, { enrolledAt: '2026-03-20' })
    // At ten in the evening of the 19th, a new day begins in Jerusalem.
    const starts = ['03-02', '03-05', '03-10', '03-12', '03-17', '03-19', '03-24', '03-26'].map((day) => `2026-${day}`)
    for (const [nth, day] of starts.entries()) {
      const hour = day === '2026-03-19' ? '22' : '10'
      const scheduledStart = `${day}T${hour}:00:00.000Z`
      const id = await newSession(institute, groupId, { scheduledStart, scheduledEnd: `${day}T${hour}:45:00.000Z` })
      if (nth === 0) await good(owner.patch(`/sessions/${id}`, { status: 'cancelled', reason: 'Snow' }))
    }
    // Three of seven: 4286.14…
    expect(await lineOf('2026-03')).toEqual(['Tuition, March 2026 (3 of 7 lessons)', 4286])
    expect(await lineOf('2026-04')).toBe('no_price')
  })

  describe('by lessons, where the institute is closed on some days,', () => {
    const weekly = [
      { weekday: 1, startTime: '16:00', endTime: '17:00', validFrom: '2026-03-01', validTo: null },
      { weekday: 3, startTime: '16:00', endTime: '17:00', validFrom: '2026-03-01', validTo: null },
    ]
    // Two of the nine lessons of March, for somebody who has come since the 23rd: three are left.
    const days = { name: 'Snow', from: '2026-03-14', to: '2026-03-20' }
    const lessons = (groupId: string) => good(owner.put(`/groups/${groupId}/schedules`, { schedules: weekly }))
    const newcomers = () => newClass({ proration: 'lessons', amountMinor: 9000 }, { enrolledAt: '2026-03-23' })

    test.each([
      ['when their lessons are there', ['lessons', 'close']],
      ['before there are lessons', ['close', 'lessons']],
    ])('counts the lessons that are billed all the same: said %s', async (_, order) => {
      const { groupId } = await newcomers()
      for (const act of order) {
        if (act === 'lessons') await lessons(groupId)
        else await good(owner.post('/closures', days))
      }
      expect(await lineOf('2026-03')).toEqual(['Tuition, March 2026 (3 of 9 lessons)', 3000])
    })

    test.each([
      ['when their lessons are there', ['lessons', 'close']],
      ['before there are lessons', ['close', 'lessons']],
    ])('charges none of those that are not: said %s', async (_, order) => {
      const { groupId } = await newClass({ proration: 'lessons', amountMinor: 9000 }, { enrolledAt: '2026-03-01' })
      for (const act of order) {
        if (act === 'lessons') await lessons(groupId)
        else await good(owner.post('/closures', { ...days, isBilled: false }))
      }
      expect(await lineOf('2026-03')).toEqual(['Tuition, March 2026 (7 of 9 lessons)', 7000])
    })

    test('asks the closed days that began first where two overlap, and those of the group’s branch alone', async () => {
      const { groupId } = await newClass({ proration: 'lessons', amountMinor: 9000 }, { enrolledAt: '2026-03-01' })
      const north = (await good(owner.post('/branches', { name: 'North' }))).id
      await good(owner.post('/closures', { name: 'Fair', from: '2026-03-02', to: '2026-03-31', branchId: north }))
      await good(owner.post('/closures', { ...days, isBilled: false }))
      await good(owner.post('/closures', { name: 'Flu', from: '2026-03-18', to: '2026-03-19' }))
      await lessons(groupId)
      expect(await lineOf('2026-03')).toEqual(['Tuition, March 2026 (7 of 9 lessons)', 7000])
    })

    test('charges all of a month that was closed and is billed, and nothing of one that is not', async () => {
      const { groupId } = await newClass({ proration: 'lessons' }, { enrolledAt: '2026-03-01' })
      await lessons(groupId)
      const april = { name: 'Holidays', from: '2026-04-01', to: '2026-04-30' }
      const { id } = await good(owner.post('/closures', april))
      await good(owner.patch(`/closures/${id}`, { isBilled: false }))
      expect(await lineOf('2026-04')).toBe('no_price')
      await good(owner.patch(`/closures/${id}`, { isBilled: true }))
      expect(await lineOf('2026-04')).toEqual(['Tuition, April 2026', 10_000])
    })
  })

  test('by lessons, of a group that is cancelled meanwhile, is those before of all that it would have had', async () => {
    const { groupId } = await newClass({ proration: 'lessons', amountMinor: 9000 }, { enrolledAt: '2026-03-01' })
    const mondays = { weekday: 1, startTime: '16:00', endTime: '17:00', validFrom: '2026-03-01', validTo: null }
    await good(owner.put(`/groups/${groupId}/schedules`, { schedules: [mondays] }))
    // Of its five Mondays, on the second somebody wrote something down: it is cancelled, the others are gone.
    const { data } = await good(owner.get(`/groups/${groupId}/sessions`))
    await good(owner.patch(`/sessions/${data[1].id}`, { topic: 'Fractions' }))
    app.clock.set('2026-03-04T08:00:00.000Z')
    await good(owner.patch(`/groups/${groupId}`, { status: 'cancelled' }))
    expect(await lineOf('2026-03')).toEqual(['Tuition, March 2026 (1 of 5 lessons)', 1800])
    expect(await lineOf('2026-04')).toBe('group_cancelled')
  })

  test('by days is so many of the month’s days, of the whole month without a word', async () => {
    await newClass({ proration: 'days', amountMinor: 3101 }, { enrolledAt: '2026-02-15' })
    expect(await lineOf('2026-02')).toEqual(['Tuition, February 2026 (14 of 28 days)', 1551])
    expect(await lineOf('2026-03')).toEqual(['Tuition, March 2026', 3101])
  })

  test('by days leaves out those of a pause, its first and its last one too', async () => {
    const { studentId } = await newClass({ proration: 'days', amountMinor: 3100 }, { enrolledAt: '2026-02-15' })
    const status = (body: object) => good(owner.post(`/students/${studentId}/status`, body))
    await status({ status: 'active' })
    await status({ status: 'paused', pausedFrom: '2026-03-10', pausedTo: '2026-03-19' })
    expect(await lineOf('2026-03')).toEqual(['Tuition, March 2026 (21 of 31 days)', 2100])
  })

  test('says so in the language of the institute', async () => {
    await newClass({ proration: 'days' }, { enrolledAt: '2026-02-15' })
    await good(owner.patch('/settings', { defaultLocale: 'he' }))
    expect(await lineOf('2026-02')).toEqual(['Tuition, פברואר 2026 (14 מתוך 28 ימים)', 5000])
  })

  test('says so in the language of whoever pays', async () => {
    const { studentId } = await newClass({ proration: 'days' }, { enrolledAt: '2026-02-15' })
    await newParent(institute, studentId, { preferredLocale: 'ar' }, { isPrimary: true, isPayer: true })
    expect(await lineOf('2026-02')).toEqual(['Tuition، شباط 2026 (الأيام: 14 من 28)', 5000])
    expect(await lineOf('2026-11')).toEqual(['Tuition، تشرين الثاني 2026', 10_000])
  })

  test('is charged of monthly fees of groups alone, and no schedule ends before it begins', async () => {
    const { feeScheduleId, groupId } = await newClass({})
    const changes = [
      [{ proration: 'days', recurrence: 'per_term' }, 'proration'],
      [{ proration: 'lessons', kind: 'per_course' }, 'proration'],
      [{ validFrom: '2026-03-02', validTo: '2026-03-01' }, 'validTo'],
    ] as const
    const fee = { name: 'Fee', kind: 'per_group', amountMinor: 1, currency: 'ILS', recurrence: 'monthly', groupId }
    for (const [fields, field] of changes) {
      for (const { status, body } of [
        await owner.patch(`/fee-schedules/${feeScheduleId}`, fields),
        await owner.post('/fee-schedules', { ...fee, ...fields }),
      ]) {
        expect([status, body.error.details.issues[0].path]).toEqual([422, [field]])
      }
    }
  })
})
