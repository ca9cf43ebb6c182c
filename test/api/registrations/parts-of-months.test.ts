import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute } from '#kit/institute.ts'
import { child, family, mother, newFee, openGroup } from './place.ts'

/** The first invoice of who begins within a month. */

let app: TestApp
let owner: Client
let branchId: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-22T08:00:00.000Z')
  const school = await makeInstitute(app)
  owner = school.owner
  branchId = school.branchId
})

/** A family that reads English. */
const reading = (groups: object[], more: object = {}) =>
  family(branchId, { guardian: mother({ preferredLocale: 'en' }), students: [child(branchId, { groups })], ...more })

const ask = async (body: object) => {
  const reply = await owner.post('/registrations', { ...body, dryRun: true })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

test('who begins within a month pays a part of it, as the fee says and in words, and a run charges no other', async () => {
  const byDays = await openGroup(owner, branchId)
  const fee = await newFee(owner, { groupId: byDays.id, proration: 'days' })
  const byLessons = await openGroup(owner, branchId)
  await newFee(owner, { groupId: byLessons.id, proration: 'lessons', amountMinor: 30_000 })
  for (const day of ['02', '09', '16', '23', '30']) {
    const scheduled = { scheduledStart: `2026-03-${day}T14:00:00.000Z`, scheduledEnd: `2026-03-${day}T15:00:00.000Z` }
    expect((await owner.post(`/groups/${byLessons.id}/sessions`, scheduled)).status).toBe(201)
  }
  const later = await openGroup(owner, branchId, { startsOn: '2026-04-05' })
  await newFee(owner, { groupId: later.id, proration: 'days' })
  const groups = [byDays, byLessons, later].map(({ id }) => ({ groupId: id }))
  const body = reading(groups, { invoice: 'issue' })
  const asked = await ask(body)
  const lines = [
    // Ten days of 31.
    { description: 'Tuition, March 2026 (10 of 31 days)', unitAmount: { amountMinor: 12_903 } },
    { description: 'Tuition, March 2026 (2 of 5 lessons)', unitAmount: { amountMinor: 12_000 } },
  ]
  expect(asked.students[0].invoices).toMatchObject([{ lines }])
  const made = (await owner.post('/registrations', body)).body
  expect(made.students[0].invoices).toMatchObject([{ lines }])
  const run = (await owner.post('/billing/runs', { month: '2026-03', feeScheduleIds: [fee.id] })).body
  expect([run.invoices, run.skipped.map(({ reason }: { reason: string }) => reason)]).toEqual([
    [],
    ['invoiced_by_hand'],
  ])
})

test('who begins on a day that is given, or with another price, pays that part of it', async () => {
  const group = await openGroup(owner, branchId)
  await newFee(owner, { groupId: group.id, proration: 'days' })
  const begins = async (joined: object) => (await ask(reading([{ groupId: group.id, ...joined }]))).students[0].invoices
  expect(await begins({ enrolledAt: '2026-03-17' })).toMatchObject([
    { lines: [{ description: 'Tuition, March 2026 (15 of 31 days)', unitAmount: { amountMinor: 19_355 } }] },
  ])
  expect(await begins({ enrolledAt: '2026-02-10', priceMinor: 20_000 })).toMatchObject([
    { lines: [{ description: 'Tuition, March 2026', unitAmount: { amountMinor: 20_000 } }] },
  ])
  // A month that is not begun is not charged.
  expect(await begins({ enrolledAt: '2026-04-01' })).toEqual([])
})
