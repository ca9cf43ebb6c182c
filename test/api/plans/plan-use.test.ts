import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute } from '#kit/institute.ts'
import { inDays, newPlan, newSubscription } from '../examples/plans.ts'
import { newGroup, newPupil, newStaff } from '../examples/sessions.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

interface Use {
  limit: string
  most: number | null
  used: number | null
  state: string
}

const planOf = async ({ owner }: Awaited<ReturnType<typeof makeInstitute>>) => {
  const { status, body } = await owner.get('/plan')
  expect(status, JSON.stringify(body)).toBe(200)
  const use = (wanted: string) => (body.limits as Use[]).find(({ limit }) => limit === wanted)
  return { subscription: body.subscription, limits: body.limits as Use[], use }
}

test('without a plan nothing is limited, and all is counted the same', async () => {
  const institute = await makeInstitute(app)
  const groupId = await newGroup(institute)
  await newPupil(institute, groupId)
  const { subscription, limits, use } = await planOf(institute)
  expect(subscription).toBeNull()
  expect(limits).toHaveLength(9)
  expect(limits.every(({ most, state }) => most === null && state === 'ok')).toBe(true)
  expect(use('maxStudents')?.used).toBe(1)
  expect(use('maxGroups')?.used).toBe(1)
  expect(use('maxBranches')?.used).toBe(1)
  expect(use('maxStorageBytes')?.used).toBe(0)
  expect(use('apiRateLimitPerMin')?.used).toBeNull()
})

test('the owner reads the subscription with its plan, and how much of each limit is used; nobody else does', async () => {
  const institute = await makeInstitute(app)
  const plan = await newPlan(app, {
    name: 'Gold',
    interval: 'yearly',
    quotas: { maxStudents: 10, maxMonthlyMessages: 5 },
  })
  const end = inDays(app, 30)
  await newSubscription(app, institute, { planId: plan.id, status: 'trialing', currentPeriodEnd: end })
  const { subscription, use } = await planOf(institute)
  expect(subscription).toEqual({
    planName: 'Gold',
    price: { amountMinor: 19_900, currency: 'ILS' },
    interval: 'yearly',
    status: 'trialing',
    currentPeriodStart: app.clock.now(),
    currentPeriodEnd: end,
    cancelledAt: null,
  })
  expect(use('maxStudents')).toEqual({ limit: 'maxStudents', most: 10, used: 0, state: 'ok' })
  expect(use('maxMonthlyMessages')).toMatchObject({ most: 5, used: 0 })
  const admin = await institute.member({ role: 'admin' })
  expect((await admin.get('/plan')).status).toBe(403)
})

test('nine tenths are near and all is full, as an addition is refused; Today tells of what everyday work uses up', async () => {
  const institute = await makeInstitute(app)
  const { owner } = institute
  const groupId = await newGroup(institute)
  const near = async () => (await owner.get('/dashboard/attention')).body.planLimits
  expect(await near()).toEqual([])
  for (let count = 0; count < 8; count += 1) await newPupil(institute, groupId)
  await newStaff(institute)
  await grant(app, institute, { quotas: { maxStudents: 10, maxStaff: 1, maxGroups: 20 } })
  expect(await near()).toEqual([])
  await newPupil(institute, groupId)
  expect(await near()).toEqual([{ limit: 'maxStudents', most: 10, used: 9, state: 'near' }])
  await newPupil(institute, groupId)
  expect(await near()).toEqual([{ limit: 'maxStudents', most: 10, used: 10, state: 'full' }])
  const one = { branchId: institute.branchId, firstName: 'Nour', lastName: 'Haddad' }
  expect((await owner.post('/students', one)).body.error.code).toBe('QUOTA_EXCEEDED')
  const { use } = await planOf(institute)
  expect(use('maxStaff')).toEqual({ limit: 'maxStaff', most: 1, used: 1, state: 'full' })
  // A plan may become smaller than what there is.
  await grant(app, institute, { quotas: { maxStudents: 4 } })
  expect((await planOf(institute)).use('maxStudents')).toMatchObject({ most: 4, used: 10, state: 'full' })
  const admin = await institute.member({ role: 'admin' })
  expect((await admin.get('/dashboard/attention')).body.planLimits).toBeNull()
})
