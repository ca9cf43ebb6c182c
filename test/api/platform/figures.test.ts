import { afterAll, beforeAll, expect, test } from 'vitest'
import { countMonthJob } from '#modules/platform/count-month.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { newPlan } from '../examples/plans.ts'

/** A cloud from January on: what the vendor is told of each month. */

let app: TestApp
let admin: TestPlatformAdmin
beforeAll(async () => {
  app = await startApp({ config: { mode: 'cloud', ...NO_LIMITS, accessTokenSeconds: 30 * 24 * 3600 } })
  app.clock.set('2027-01-20T08:00:00.000Z')
  admin = await platformAdmin(app)
})
afterAll(() => app.close())

const figures = async (query = '?months=4') => (await admin.get(`/platform/figures${query}`)).body
const of = (month: string, { data }: { data: { month: string }[] }) => data.find((one) => one.month === month)
const listed = async (query: string): Promise<string[]> =>
  (await admin.get(`/platform/tenants?${query}`)).body.data.map(({ id }: { id: string }) => id)

const count = async (): Promise<void> => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(countMonthJob, {}),
  )
  await app.drain()
}

const subscribe = async ({ tenant }: TestInstitute, planId: unknown, more: object = {}): Promise<string> => {
  const body = { planId, currentPeriodEnd: '2027-12-31T00:00:00.000Z', ...more }
  const reply = await admin.post(`/platform/tenants/${tenant.id}/subscription`, body)
  expect(reply.status).toBe(201)
  return reply.body.id as string
}

test('each month tells who came and who left, and a month that was counted keeps its figures', async () => {
  const [staying, leaving, locked] = [await makeInstitute(app), await makeInstitute(app), await makeInstitute(app)]
  const monthly = await newPlan(app, { priceMinor: 19_900, currency: 'ILS', interval: 'monthly' })
  const yearly = await newPlan(app, { priceMinor: 120_000, currency: 'USD', interval: 'yearly' })
  await subscribe(staying, monthly.id)
  const ending = await subscribe(leaving, monthly.id)
  await subscribe(locked, yearly.id)
  for (const { owner, branchId } of [staying, leaving]) {
    const student = { branchId, firstName: 'Lina', lastName: 'Haddad' }
    expect((await owner.post('/students', student)).status).toBe(201)
  }
  await count()

  // In February one goes, one is locked, a third comes for a trial, and what the plan costs changes.
  app.clock.set('2027-02-05T08:00:00.000Z')
  await admin.post(`/platform/subscriptions/${ending}/cancel`)
  await admin.post(`/platform/tenants/${leaving.tenant.id}/archive`)
  await admin.post(`/platform/tenants/${locked.tenant.id}/lock`, { reason: 'Unpaid.' })
  const coming = await makeInstitute(app)
  await subscribe(coming, monthly.id, { status: 'trialing' })
  await admin.patch(`/platform/plans/${monthly.id}`, { priceMinor: 25_000 })

  const all = await figures()
  expect(all.data.map(({ month }: { month: string }) => month)).toEqual(['2027-02', '2027-01', '2026-12', '2026-11'])
  expect(of('2027-01', all)).toEqual({
    month: '2027-01',
    institutes: 3,
    created: 3,
    archived: 0,
    cancelled: 0,
    locked: 0,
    students: 2,
    recurring: [
      expect.objectContaining({
        planId: monthly.id,
        subscriptions: 2,
        amount: { amountMinor: 39_800, currency: 'ILS' },
      }),
      expect.objectContaining({
        planId: yearly.id,
        subscriptions: 1,
        amount: { amountMinor: 10_000, currency: 'USD' },
      }),
    ],
    totals: [
      { amountMinor: 39_800, currency: 'ILS' },
      { amountMinor: 10_000, currency: 'USD' },
    ],
    countedAt: '2027-01-20T08:00:00.000Z',
  })
  expect(of('2027-02', all)).toMatchObject({
    institutes: 3,
    created: 1,
    archived: 1,
    cancelled: 1,
    locked: 1,
    // Nobody has counted the students yet; what subscriptions bring is told as it stands.
    students: null,
    totals: [
      { amountMinor: 25_000, currency: 'ILS' },
      { amountMinor: 10_000, currency: 'USD' },
    ],
  })
  expect(of('2026-12', all)).toMatchObject({ institutes: 0, students: null, recurring: null, totals: null })

  await count()
  expect(of('2027-02', await figures())).toMatchObject({ students: 1, countedAt: app.clock.now() })

  // Each figure opens its list.
  expect(await listed('createdIn=2027-02')).toEqual([coming.tenant.id])
  expect(await listed('archivedIn=2027-02')).toEqual([leaving.tenant.id])
  expect(await listed('cancelledIn=2027-02')).toEqual([leaving.tenant.id])
  expect(await listed('lockedIn=2027-02')).toEqual([locked.tenant.id])
  expect(await listed('archivedIn=2027-01')).toEqual([])

  const [first, rest] = [await figures('?months=4&limit=1'), await figures('?months=4')]
  expect(first.data).toEqual(rest.data.slice(0, 1))
  expect((await figures(`?months=4&limit=3&cursor=${first.nextCursor}`)).data).toEqual(rest.data.slice(1))
})
