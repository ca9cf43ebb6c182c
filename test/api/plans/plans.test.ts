import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { FEATURE_FLAGS } from '#kernel/rights/features.ts'
import { archiveTenant } from '#modules/tenants/index.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/records.ts'
import { inDays, newPlan, newSubscription, planBody } from '../examples/plans.ts'

let app: TestApp
let admin: TestPlatformAdmin
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400_000 } })
  admin = await platformAdmin(app)
})
afterAll(() => app.close())

const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const CONFLICT = refused(409, 'CONFLICT')
const issueAt = (path: string) => ({
  status: 422,
  body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: [path] }] } } },
})

const flagsOf = async ({ owner }: TestInstitute) => (await owner.get('/feature-flags')).body
const subscribe = ({ tenant }: Pick<TestInstitute, 'tenant'>, body: object) =>
  admin.post(`/platform/tenants/${tenant.id}/subscription`, body)
const changed = (id: string, body: object) => admin.patch(`/platform/subscriptions/${id}`, body)
const renewed = (id: string, currentPeriodEnd: string) =>
  admin.post(`/platform/subscriptions/${id}/renew`, { currentPeriodEnd })
const cancelled = (id: string) => admin.post(`/platform/subscriptions/${id}/cancel`)

const archive = ({ tenant }: TestInstitute) =>
  runInTransaction(app.app.runtime, systemAuditContext('test.archive'), (unit) =>
    archiveTenant(unit.tenant(tenant, 'all')),
  )

describe('a plan', () => {
  test('is shown with its price as Money, and with null for every feature and quota of which it says nothing', async () => {
    const body = planBody({
      code: ' Gold.2026 ',
      features: { mcp: true, courses_video: false },
      quotas: { maxStaff: 0 },
    })
    const { status, body: plan } = await admin.post('/platform/plans', body)
    expect(status).toBe(201)
    expect(plan).toEqual({
      id: expect.any(String),
      code: 'gold.2026',
      name: 'Standard',
      price: { amountMinor: 19_900, currency: 'ILS' },
      interval: 'monthly',
      features: { ...Object.fromEntries(FEATURE_FLAGS.map((flag) => [flag, null])), mcp: true, courses_video: false },
      quotas: {
        maxStudents: null,
        maxStaff: 0,
        maxBranches: null,
        maxGroups: null,
        maxCourses: null,
        maxStorageBytes: null,
        maxApiKeys: null,
        maxMonthlyMessages: null,
        apiRateLimitPerMin: null,
      },
      archivedAt: null,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect((await admin.get(`/platform/plans/${plan.id}`)).body).toEqual(plan)
    expect((await admin.get('/platform/plans?limit=1')).body.data).toEqual([plan])
  })

  test('has a code that no other has', async () => {
    const { code } = await newPlan(app)
    expect(await admin.post('/platform/plans', planBody({ code: code.toUpperCase() }))).toMatchObject(CONFLICT)
    const other = await newPlan(app)
    expect(await admin.patch(`/platform/plans/${other.id}`, { code })).toMatchObject(CONFLICT)
    expect(await admin.patch(`/platform/plans/${newId()}`, { name: 'Nobody’s' })).toMatchObject(
      refused(404, 'NOT_FOUND'),
    )
  })

  test.each([
    [{ priceMinor: -1 }, 'priceMinor'],
    [{ currency: 'GBP' }, 'currency'],
    [{ interval: 'weekly' }, 'interval'],
    [{ code: 'a b' }, 'code'],
    [{ quotas: { maxStudents: -1 } }, 'quotas'],
    [{ quotas: { maxStudents: 1.5 } }, 'quotas'],
    [{ quotas: { apiRateLimitPerMin: 0 } }, 'quotas'],
    [{ features: { mcp: 'yes' } }, 'features'],
  ])('refuses %j with 422', async (more, field) => {
    const { status, body } = await admin.post('/platform/plans', planBody(more))
    expect([status, body.error?.details.issues[0].path[0]]).toEqual([422, field])
  })

  test('keeps the features and quotas that a change leaves out, and forgets those that are null', async () => {
    const { id } = await newPlan(app, {
      features: { mcp: true, sms_notifications: true },
      quotas: { maxStaff: 3, maxGroups: 4 },
    })
    const { body } = await admin.patch(`/platform/plans/${id}`, {
      priceMinor: 0,
      features: { mcp: null, basic_reports: false },
      quotas: { maxStaff: null, maxCourses: 5 },
    })
    expect(body).toMatchObject({
      price: { amountMinor: 0, currency: 'ILS' },
      features: { mcp: null, sms_notifications: true, basic_reports: false },
      quotas: { maxStaff: null, maxGroups: 4, maxCourses: 5 },
    })
  })

  test('that is archived takes no new subscriptions, and goes on for who has it', async () => {
    const plan = await newPlan(app)
    const having = await makeInstitute(app)
    const { id } = await newSubscription(app, having, { planId: plan.id })
    const { body: archived } = await admin.post(`/platform/plans/${plan.id}/archive`)
    expect(archived).toEqual({ ...plan, archivedAt: app.clock.now() })
    app.clock.advance(60)
    expect((await admin.post(`/platform/plans/${plan.id}/archive`)).body).toEqual(archived)
    const wanting = await makeInstitute(app)
    const end = inDays(app, 30)
    expect(await subscribe(wanting, { planId: plan.id, currentPeriodEnd: end })).toMatchObject(CONFLICT)
    const other = await newSubscription(app, wanting)
    expect(await changed(other.id, { planId: plan.id })).toMatchObject(CONFLICT)
    expect(await changed(id, { planId: plan.id, status: 'past_due' })).toMatchObject({ status: 200 })
    expect((await renewed(id, inDays(app, 90))).status).toBe(200)
    await admin.patch(`/platform/plans/${plan.id}`, { features: { sms_notifications: true } })
    expect(await flagsOf(having)).toMatchObject({ mcp: true, sms_notifications: true })
  })

  test('that changes reaches every institute that has it with its next request, and no other', async () => {
    const [one, other] = [await newPlan(app), await newPlan(app, { features: {} })]
    const [having, leaving, gone, without] = await Promise.all(Array.from({ length: 4 }, () => makeInstitute(app)))
    for (const institute of [having, leaving, gone]) {
      await newSubscription(app, institute as TestInstitute, { planId: one.id })
    }
    const subscriptionOf = async ({ tenant }: TestInstitute) =>
      (await admin.get('/platform/subscriptions?limit=100')).body.data.find(
        ({ tenantId }: { tenantId: string }) => tenantId === tenant.id,
      )
    await changed((await subscriptionOf(leaving as TestInstitute)).id, { planId: other.id })
    await cancelled((await subscriptionOf(gone as TestInstitute)).id)
    await admin.patch(`/platform/plans/${one.id}`, { features: { whatsapp_notifications: true, mcp: null } })
    expect(await flagsOf(having as TestInstitute)).toMatchObject({ whatsapp_notifications: true, mcp: false })
    // A cancelled subscription has its plan until another one follows.
    expect(await flagsOf(gone as TestInstitute)).toMatchObject({ whatsapp_notifications: true, mcp: false })
    expect(await flagsOf(leaving as TestInstitute)).toMatchObject({ whatsapp_notifications: false, mcp: false })
    expect(await flagsOf(without as TestInstitute)).toMatchObject({ whatsapp_notifications: false })
    await newSubscription(app, gone as TestInstitute, { planId: other.id })
    await admin.patch(`/platform/plans/${one.id}`, { features: { mcp: true } })
    expect(await flagsOf(gone as TestInstitute)).toMatchObject({ whatsapp_notifications: false, mcp: false })
  })

  test('that changes while institutes get it and leave it leaves each with what its own plan grants', async () => {
    const plans = [await newPlan(app, { features: {} }), await newPlan(app, { features: {} })]
    const institutes = await Promise.all(Array.from({ length: 6 }, () => makeInstitute(app)))
    const ids = await Promise.all(
      institutes
        .slice(0, 3)
        .map(async (one) => (await newSubscription(app, one, { planId: plans[0].id })).id as string),
    )
    const replies = await Promise.all([
      ...ids.map((id) => changed(id, { planId: plans[1].id })),
      ...plans.map(({ id }, index) =>
        admin.patch(`/platform/plans/${id}`, { features: { mcp: index === 0, sms_notifications: true } }),
      ),
      ...institutes.slice(3).map((one) => subscribe(one, { planId: plans[1].id, currentPeriodEnd: inDays(app, 30) })),
      ...ids.map((id) => changed(id, { status: 'past_due' })),
    ])
    expect(replies.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
    for (const institute of institutes) {
      expect(await flagsOf(institute)).toMatchObject({ mcp: false, sms_notifications: true })
    }
  })

  test('is changed and read by platform admins alone', async () => {
    const { owner } = await makeInstitute(app)
    expect(await owner.get('/platform/plans')).toMatchObject(refused(403, 'FORBIDDEN'))
    expect(await owner.post('/platform/plans', planBody())).toMatchObject(refused(403, 'FORBIDDEN'))
  })
})

describe('a subscription', () => {
  test('grants the plan from the next request on, and is one of one', async () => {
    const institute = await makeInstitute(app)
    const plan = await newPlan(app)
    const currentPeriodEnd = inDays(app, 30)
    expect(await flagsOf(institute)).toMatchObject({ mcp: false })
    const { status, body } = await subscribe(institute, { planId: plan.id, status: 'trialing', currentPeriodEnd })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        tenantId: institute.tenant.id,
        planId: plan.id,
        status: 'trialing',
        currentPeriodStart: app.clock.now(),
        currentPeriodEnd,
        cancelledAt: null,
        createdAt: app.clock.now(),
        updatedAt: app.clock.now(),
      },
    ])
    expect(await flagsOf(institute)).toMatchObject({ mcp: true })
    expect(await subscribe(institute, { planId: plan.id, currentPeriodEnd })).toMatchObject(CONFLICT)
    expect((await auditOf(app, institute, 'subscriptions.create')).at(-1)).toMatchObject({
      actor_type: 'platform_admin',
      entity_type: 'subscription',
      entity_id: body.id,
      after: body,
    })
  })

  test('is given once by eight at the same time', async () => {
    const institute = await makeInstitute(app)
    const body = { planId: (await newPlan(app)).id, currentPeriodEnd: inDays(app, 30) }
    const replies = await Promise.all(Array.from({ length: 8 }, () => subscribe(institute, body)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  })

  test('needs an institute, a plan and an end to come', async () => {
    const institute = await makeInstitute(app)
    const body = { planId: (await newPlan(app)).id, currentPeriodEnd: inDays(app, 30) }
    const nobody = { tenant: { ...institute.tenant, id: newId() } }
    expect(await subscribe(nobody, body)).toMatchObject(refused(404, 'TENANT_NOT_FOUND'))
    expect(await subscribe(institute, { ...body, planId: newId() })).toMatchObject(refused(404, 'NOT_FOUND'))
    const now = app.clock.now()
    expect(await subscribe(institute, { ...body, currentPeriodEnd: now })).toMatchObject(issueAt('currentPeriodEnd'))
    expect(await subscribe(institute, { ...body, status: 'cancelled' })).toMatchObject(issueAt('status'))
    await archive(institute)
    expect(await subscribe(institute, body)).toMatchObject(CONFLICT)
  })

  test('moves only as declared', async () => {
    const institute = await makeInstitute(app)
    const { id } = await newSubscription(app, institute, { status: 'trialing' })
    const statusOf = async (status: string) => {
      const reply = await changed(id, { status })
      return reply.status === 200 ? reply.body.status : reply.body.error.details
    }
    expect(await statusOf('cancelled')).toEqual({
      subscriptionStatus: 'trialing',
      allowedStatuses: ['active', 'past_due'],
      reason: 'subscription_move_refused',
    })
    expect(await statusOf('expired')).toEqual({
      subscriptionStatus: 'trialing',
      allowedStatuses: ['active', 'past_due'],
      reason: 'subscription_move_refused',
    })
    expect(await statusOf('active')).toBe('active')
    expect(await statusOf('trialing')).toEqual({
      subscriptionStatus: 'active',
      allowedStatuses: ['past_due'],
      reason: 'subscription_move_refused',
    })
    expect(await statusOf('past_due')).toBe('past_due')
    expect(await statusOf('active')).toBe('active')
    const early = new Date(app.clock.millis() - 1).toISOString()
    expect(await changed(id, { currentPeriodEnd: early })).toMatchObject(issueAt('currentPeriodEnd'))
    expect(await changed(id, { planId: newId() })).toMatchObject(refused(404, 'NOT_FOUND'))
    expect(await changed(newId(), { status: 'active' })).toMatchObject(refused(404, 'NOT_FOUND'))
  })

  test('tells the institute when its trial ends, until there is another status', async () => {
    const institute = await makeInstitute(app)
    const trialEnd = async () => (await institute.owner.get('/institute')).body.trialEndsAt
    const currentPeriodEnd = inDays(app, 30)
    const { id } = await newSubscription(app, institute, { status: 'trialing', currentPeriodEnd })
    expect(await trialEnd()).toBe(currentPeriodEnd)
    const later = inDays(app, 40)
    await changed(id, { currentPeriodEnd: later })
    expect(await trialEnd()).toBe(later)
    await changed(id, { status: 'active' })
    expect(await trialEnd()).toBeNull()

    const second = await makeInstitute(app)
    const trial = await newSubscription(app, second, { status: 'trialing', currentPeriodEnd })
    await renewed(trial.id, later)
    expect((await second.owner.get('/institute')).body.trialEndsAt).toBeNull()
    const third = await makeInstitute(app)
    const given = await newSubscription(app, third, { status: 'trialing', currentPeriodEnd })
    await cancelled(given.id)
    expect((await third.owner.get('/institute')).body).toMatchObject({
      trialEndsAt: null,
      writesEndAt: currentPeriodEnd,
    })
  })

  test('is renewed: before its end the period becomes longer', async () => {
    const { id, currentPeriodStart } = await newSubscription(app, await makeInstitute(app), { status: 'past_due' })
    app.clock.advance(60)
    const end = inDays(app, 60)
    const { status, body } = await renewed(id, end)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'active', currentPeriodStart, currentPeriodEnd: end })
    expect(await renewed(id, end)).toMatchObject(issueAt('currentPeriodEnd'))
    expect(await renewed(id, app.clock.now())).toMatchObject(issueAt('currentPeriodEnd'))
  })

  test('that is cancelled lets the institute work until its end, and read from then on', async () => {
    const institute = await makeInstitute(app)
    const { id } = await newSubscription(app, institute, { currentPeriodEnd: inDays(app, 10) })
    const { body } = await cancelled(id)
    expect(body).toMatchObject({ status: 'cancelled', cancelledAt: app.clock.now() })
    app.clock.advance(60)
    expect((await cancelled(id)).body).toEqual(body)
    const write = () => institute.owner.post('/course-categories', { name: 'New', slug: `new-${newId()}` })
    expect((await write()).status).toBe(201)
    app.clock.advance(10 * 24 * 3600)
    expect(await write()).toMatchObject(refused(402, 'PAYMENT_REQUIRED'))
    expect((await institute.owner.get('/students')).status).toBe(200)
    expect(await flagsOf(institute)).toMatchObject({ mcp: true })
    // It is final, and another one lets writes go on.
    expect(await renewed(id, inDays(app, 30))).toMatchObject(CONFLICT)
    expect(await changed(id, { currentPeriodEnd: inDays(app, 30) })).toMatchObject(CONFLICT)
    expect((await changed(id, { status: 'cancelled' })).status).toBe(200)
    await newSubscription(app, institute)
    expect((await write()).status).toBe(201)
  })

  test('of an archived institute is not renewed, and can be cancelled', async () => {
    const institute = await makeInstitute(app)
    const { id } = await newSubscription(app, institute)
    await archive(institute)
    expect(await renewed(id, inDays(app, 60))).toMatchObject(CONFLICT)
    expect((await cancelled(id)).body.status).toBe('cancelled')
  })

  test('is found by its status and by when it ends', async () => {
    const ends = [3, 20, 40].map((days) => inDays(app, days))
    const made: { id: string }[] = []
    for (const currentPeriodEnd of ends) {
      made.push(await newSubscription(app, await makeInstitute(app), { currentPeriodEnd, status: 'trialing' }))
    }
    const idsBy = async (query: string) => {
      const { body } = await admin.get(`/platform/subscriptions?limit=100&${query}`)
      return body.data.map(({ id }: { id: string }) => id).filter((id: string) => made.some((one) => one.id === id))
    }
    const [soon, later, last] = made.map(({ id }) => id)
    expect(await idsBy('status=trialing')).toEqual([last, later, soon])
    expect(await idsBy('status=expired')).toEqual([])
    expect(await idsBy('expiringWithinDays=20')).toEqual([later, soon])
    expect(await idsBy('status=trialing&expiringWithinDays=2')).toEqual([])
    expect(await admin.get('/platform/subscriptions?expiringWithinDays=-1')).toMatchObject({ status: 422 })
  })
})

test('a plan of 10,000 institutes changes for all of them by one statement', async () => {
  const updates: string[] = []
  const own = await startApp({
    config: NO_LIMITS,
    queryLog: ({ query }) => void (/^update/i.test(query.sql) && updates.push(query.sql)),
  })
  try {
    const plan = await newPlan(own)
    const { tenant } = await makeInstitute(own)
    const subscription = await own.app.database.read
      .selectFrom('subscription')
      .selectAll()
      .where('id', '=', (await newSubscription(own, { tenant }, { planId: plan.id })).id)
      .executeTakeFirstOrThrow()
    const row = await own.app.database.read
      .selectFrom('tenant')
      .selectAll()
      .where('id', '=', tenant.id)
      .executeTakeFirstOrThrow()
    const ids = Array.from({ length: 9_999 }, newId)
    await inBatches(ids, (batch) =>
      own.app.database.write(async (db) => {
        await db
          .insertInto('tenant')
          .values(batch.map((tenantId) => ({ ...row, id: tenantId, slug: tenantId })))
          .execute()
        await db
          .insertInto('subscription')
          .values(batch.map((tenantId) => ({ ...subscription, id: newId(), tenant_id: tenantId })))
          .execute()
      }),
    )
    updates.length = 0
    const reply = await (await platformAdmin(own)).patch(`/platform/plans/${plan.id}`, { quotas: { maxStudents: 7 } })
    expect(reply.status).toBe(200)
    const rows = await own.app.database.read.selectFrom('tenant').select('plan_quotas').execute()
    expect(rows).toHaveLength(10_000)
    expect(rows.filter(({ plan_quotas: quotas }) => quotas?.maxStudents !== 7)).toEqual([])
    expect(updates.filter((sql) => /^update "tenant"/i.test(sql))).toHaveLength(1)
  } finally {
    await own.close()
  }
}, 60_000)
