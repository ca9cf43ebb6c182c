import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup } from '../examples/sessions.ts'

/** What a fee schedule comes to, before it is made or changed; and lessons of closed days. */

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
const enrol = async (groupId: string, more: Record<string, unknown> = {}): Promise<string> => {
  const person = { branchId: institute.branchId, firstName: 'Omar', lastName: 'Nasser' }
  const studentId = (await good(owner.post('/students', person))).id
  await good(owner.post('/enrollments', { studentId, groupId, ...more }))
  return studentId
}
/** Eight lessons in a month. */
const teach = async (groupId: string, month: string): Promise<void> => {
  for (const day of ['03', '05', '10', '12', '17', '19', '24', '26']) {
    const times = { scheduledStart: `${month}-${day}T14:00:00Z`, scheduledEnd: `${month}-${day}T15:00:00Z` }
    await good(owner.post(`/groups/${groupId}/sessions`, times))
  }
}
const tuition = { name: 'Tuition', kind: 'per_group', currency: 'ILS', recurrence: 'monthly' }
const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })

test('a new one says whom it concerns, for whom another price was agreed, and what three of eight lessons cost', async () => {
  const groupId = await newGroup(institute, { feeMinor: 30_000 })
  await enrol(groupId)
  await enrol(groupId, { priceMinor: 20_000 })
  await teach(groupId, '2026-04')
  const body = { ...tuition, groupId, amountMinor: 40_000, proration: 'lessons', validFrom: '2026-04-01' }
  expect(await good(owner.post('/fee-schedules/rehearsal', body))).toEqual({
    chargedBy: 'run',
    students: 2,
    ownPrices: 1,
    fromMonth: '2026-04',
    example: { of: 'lessons', count: 3, all: 8, full: ils(40_000), charged: ils(15_000) },
  })
  expect((await good(owner.get('/fee-schedules'))).data).toEqual([])
  const days = { ...body, proration: 'days', price: 'enrollment' }
  expect(await good(owner.post('/fee-schedules/rehearsal', days))).toMatchObject({
    example: { of: 'days', count: 10, all: 30, full: ils(30_000), charged: ils(10_000) },
  })
  expect((await owner.post('/fee-schedules/rehearsal', { ...body, validTo: '2026-03-01' })).status).toBe(422)
  expect((await owner.post('/fee-schedules/rehearsal', { ...body, groupId: institute.branchId })).status).toBe(404)
})

test('a change says from which month on: those that were charged stay', async () => {
  const groupId = await newGroup(institute)
  await enrol(groupId)
  const id = await newFeeSchedule(institute, { groupId, amountMinor: 40_000 })
  const rehearse = (body: Record<string, unknown>) => good(owner.post(`/fee-schedules/${id}/rehearsal`, body))
  expect(await rehearse({ amountMinor: 50_000 })).toEqual({
    chargedBy: 'run',
    students: 1,
    ownPrices: 0,
    fromMonth: '2026-03',
    example: null,
  })
  await good(owner.post('/billing/runs', { month: '2026-03' }))
  expect(await rehearse({ amountMinor: 50_000 })).toMatchObject({ fromMonth: '2026-04' })
  expect(await rehearse({ proration: 'lessons' })).toMatchObject({
    example: { count: 3, all: 8, charged: ils(15_000) },
  })
  expect((await good(owner.get(`/fee-schedules/${id}`))).amount).toEqual(ils(40_000))
})

test('a fee that is charged by hand concerns nobody until somebody does', async () => {
  const registration = { name: 'Registration', kind: 'registration', recurrence: 'once', currency: 'ILS' }
  expect(await good(owner.post('/fee-schedules/rehearsal', { ...registration, amountMinor: 5000 }))).toMatchObject({
    students: 0,
    example: null,
  })
})

test('lessons that closed days cancel are charged where those are billed, and else are lessons that nobody pays for', async () => {
  const groupId = await newGroup(institute)
  await teach(groupId, '2026-03')
  await newFeeSchedule(institute, { groupId, amountMinor: 40_000, proration: 'lessons' })
  await enrol(groupId, { enrolledAt: '2026-03-16' })
  const chargedNow = async () =>
    (await good(owner.post('/billing/runs', { month: '2026-03', dryRun: true }))).invoices[0].total.amountMinor
  expect(await chargedNow()).toBe(20_000)
  const closure = { name: 'Storm', from: '2026-03-24', to: '2026-03-26' }
  const { id } = await good(owner.post('/closures', closure))
  expect(await chargedNow()).toBe(20_000)
  await good(owner.patch(`/closures/${id}`, { isBilled: false }))
  expect(await chargedNow()).toBe(10_000)
})
