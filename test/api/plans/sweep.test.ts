import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { sweepSubscriptionsJob } from '#modules/plans/sweep.ts'
import type { Actor } from '#kernel/who/actor.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockTenant, unlockTenant } from '#modules/tenants/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { createDatabase } from '#kit/postgres.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { inDays, newPlan, newSubscription } from '../examples/plans.ts'

const DAY = 24 * 3600
// Sessions live 30 days.
const LIVED = { ...NO_LIMITS, accessTokenSeconds: 30 * DAY }

let app: TestApp
let admin: TestPlatformAdmin
beforeEach(async () => {
  app = await startApp({ config: LIVED })
  admin = await platformAdmin(app)
})
afterEach(() => app.close())

const sweep = async (at: TestApp = app) => {
  await runInTransaction(at.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(sweepSubscriptionsJob, {}),
  )
  await at.drain()
}

/** Moves the clock on, and sweeps. */
const passDays = async (days: number) => {
  app.clock.advance(days * DAY)
  await sweep()
}

const daysTold = async (institute: TestInstitute, at: TestApp = app): Promise<number[]> =>
  (await eventsOf(at, institute, 'subscription.expiring')).map(({ daysUntilExpiry }) => daysUntilExpiry)
const expiredTold = (institute: TestInstitute) => eventsOf(app, institute, 'subscription.expired')
const subscriptionOf = (id: string) =>
  app.app.database.read.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const tenantOf = ({ tenant }: TestInstitute) =>
  app.app.database.read.selectFrom('tenant').selectAll().where('id', '=', tenant.id).executeTakeFirstOrThrow()

const renew = (id: string, days: number) =>
  admin.post(`/platform/subscriptions/${id}/renew`, { currentPeriodEnd: inDays(app, days) })

const subscribed = async (days: number) => {
  const institute = await makeInstitute(app)
  const plan = await newPlan(app)
  const subscription = await newSubscription(app, institute, {
    planId: plan.id,
    currentPeriodEnd: inDays(app, days),
  })
  return { institute, id: subscription.id as string, end: subscription.currentPeriodEnd as string, code: plan.code }
}

describe('the end of a subscription', () => {
  test('is told 14, 7 and 1 days before, once each, with the fields of the contract', async () => {
    const { institute, id, end, code } = await subscribed(20)
    const told: number[][] = []
    for (let day = 0; day < 20; day += 1) {
      await sweep()
      await sweep()
      told.push(await daysTold(institute))
      app.clock.advance(DAY)
    }
    const count = (days: number) => told[20 - days]?.length
    expect([count(15), count(14), count(8), count(7), count(2), count(1)]).toEqual([0, 1, 1, 2, 2, 3])
    expect(await eventsOf(app, institute, 'subscription.expiring')).toEqual(
      [14, 7, 1].map((daysUntilExpiry) => ({
        subscriptionId: id,
        planCode: code,
        currentPeriodEnd: end,
        daysUntilExpiry,
      })),
    )
  })

  test('makes the subscription expired, with one event, and switches nothing off', async () => {
    const { institute, id, end, code } = await subscribed(3)
    await passDays(3)
    await sweep()
    expect((await subscriptionOf(id)).status).toBe('expired')
    expect(await expiredTold(institute)).toEqual([{ subscriptionId: id, planCode: code, currentPeriodEnd: end }])
    await passDays(20)
    expect((await institute.owner.post('/branches', { name: 'Open' })).status).toBe(201)
    expect(await expiredTold(institute)).toHaveLength(1)
    // A change, and no addition.
    expect(await auditOf(app, institute, sweepSubscriptionsJob.name)).toContainEqual(
      expect.objectContaining({ before: { status: 'active' }, after: { status: 'expired' } }),
    )
  })

  test('is told once after a standstill: the nearest notice alone', async () => {
    const [near, far, gone] = [await subscribed(21), await subscribed(25), await subscribed(20)]
    await passDays(20.5)
    await sweep()
    expect(await daysTold(near.institute)).toEqual([1])
    // The days that are really left, rounded up.
    expect(await daysTold(far.institute)).toEqual([5])
    expect(await daysTold(gone.institute)).toEqual([])
    expect(await expiredTold(gone.institute)).toHaveLength(1)
    await passDays(3.5)
    expect(await daysTold(far.institute)).toEqual([5, 1])
  })

  test('of a short period is not told by notices that lie before its beginning', async () => {
    const [ten, fourteen] = [await subscribed(10), await subscribed(14)]
    await sweep()
    expect([await daysTold(ten.institute), await daysTold(fourteen.institute)]).toEqual([[], [14]])
    await passDays(3)
    expect(await daysTold(ten.institute)).toEqual([7])
  })

  test('is told anew for a period that was renewed or got another end', async () => {
    const { institute, id } = await subscribed(14)
    await sweep()
    await passDays(7)
    await renew(id, 14)
    await sweep()
    expect(await daysTold(institute)).toEqual([14, 7, 14])
    await passDays(14)
    expect((await subscriptionOf(id)).status).toBe('expired')
    const { body } = await renew(id, 7)
    expect(body).toMatchObject({ status: 'active', currentPeriodStart: app.clock.now() })
    await sweep()
    expect(await daysTold(institute)).toEqual([14, 7, 14, 7])
    await passDays(7)
    expect(await expiredTold(institute)).toHaveLength(2)
    const end = inDays(app, 1)
    const changed = await admin.patch(`/platform/subscriptions/${id}`, { currentPeriodEnd: end })
    expect(changed.body).toMatchObject({ status: 'active', currentPeriodEnd: end })
    await sweep()
    expect(await daysTold(institute)).toEqual([14, 7, 14, 7, 1])
  })

  test('is not told of a cancelled subscription', async () => {
    const { institute, id } = await subscribed(20)
    await admin.post(`/platform/subscriptions/${id}/cancel`)
    for (let day = 0; day < 25; day += 1) await passDays(1)
    expect(await eventsOf(app, institute)).toEqual([])
    expect((await subscriptionOf(id)).status).toBe('cancelled')
  })

  test('is told no second time when the clock is set back', async () => {
    const { institute, id } = await subscribed(14)
    await sweep()
    await passDays(13)
    expect(await daysTold(institute)).toEqual([14, 1])
    app.clock.set(inDays(app, -10))
    await sweep()
    expect(await daysTold(institute)).toEqual([14, 1])
    app.clock.set(inDays(app, 12))
    await sweep()
    app.clock.set(inDays(app, -400))
    await sweep()
    app.clock.set(inDays(app, 400))
    await sweep()
    expect(await expiredTold(institute)).toHaveLength(1)
    expect((await subscriptionOf(id)).status).toBe('expired')
    expect((await tenantOf(institute)).status).toBe('active')
  })
})

describe('Today of the owner', () => {
  const told = async ({ owner }: TestInstitute) => (await owner.get('/dashboard/attention')).body.planEnd

  test('tells of the end from 14 days before it on, until it is renewed, and when the institute is locked', async () => {
    const { institute, id, end: endsAt } = await subscribed(15)
    expect(await told(institute)).toBeNull()
    await passDays(1)
    expect(await told(institute)).toEqual({ endsAt, isOver: false, locksAt: null })
    const other = await institute.member({ role: 'admin' })
    expect((await other.get('/dashboard/attention')).body.planEnd).toBeNull()
    await admin.patch(`/platform/tenants/${institute.tenant.id}`, { autoLockOverride: 'on' })
    const locksAt = inDays(app, 21)
    await passDays(14)
    expect(await told(institute)).toEqual({ endsAt, isOver: true, locksAt })
    await renew(id, 30)
    expect(await told(institute)).toBeNull()
  })

  test('leaves a trial and a cancelled subscription to every page, which tells of them', async () => {
    const { institute, id } = await subscribed(5)
    await admin.post(`/platform/subscriptions/${id}/cancel`)
    expect(await told(institute)).toBeNull()
    const trial = await makeInstitute(app)
    await newSubscription(app, trial, { status: 'trialing', currentPeriodEnd: inDays(app, 1) })
    await passDays(2)
    expect(await told(trial)).toBeNull()
  })
})

describe('an automatic lock', () => {
  const byAdmin = (institute: TestInstitute, work: (tx: Tx) => Promise<unknown>) => {
    const actor: Actor = { type: 'platform_admin', userId: admin.userId, sessionId: admin.sessionId }
    return runInTransaction(app.app.runtime, { ...systemAuditContext('test'), actor }, (unit) =>
      work(unit.tenant(institute.tenant, 'all')),
    )
  }
  const switchOn = ({ tenant }: TestInstitute) =>
    app.app.database.write((db) =>
      db.updateTable('tenant').set({ auto_lock_override: 'on' }).where('id', '=', tenant.id).execute(),
    )
  const locked = async () => {
    const { institute, id } = await subscribed(1)
    await switchOn(institute)
    await passDays(1)
    await passDays(7)
    return { institute, id }
  }
  const byHand = { reason: 'Asked for.', source: 'manual', subscriptionId: null } as const

  test('comes 7 days after the end, once, and only where it is switched on', async () => {
    const [on, off] = [await subscribed(1), await subscribed(1)]
    await switchOn(on.institute)
    await passDays(7.9)
    expect((await tenantOf(on.institute)).status).toBe('active')
    await passDays(0.1)
    await sweep()
    expect([(await tenantOf(on.institute)).status, (await tenantOf(off.institute)).status]).toEqual([
      'suspended',
      'active',
    ])
    expect(await eventsOf(app, on.institute, 'tenant.locked')).toEqual([
      { subscriptionId: on.id, reason: 'The subscription ended and was not renewed.', source: 'auto_lock' },
    ])
    expect((await on.institute.owner.get('/students')).body.error.code).toBe('SUBSCRIPTION_SUSPENDED')
    // What somebody unlocked stays open.
    await byAdmin(on.institute, (tx) => unlockTenant(tx, { subscriptionId: null }))
    await passDays(30)
    expect((await tenantOf(on.institute)).status).toBe('active')
  })

  test('says why in the language of the institute, and is lifted after that was changed', async () => {
    const institute = await makeInstitute(app, { defaultLocale: 'ar' })
    const { id } = await newSubscription(app, institute, { currentPeriodEnd: inDays(app, 1) })
    await switchOn(institute)
    await passDays(1)
    await passDays(7)
    expect(await tenantOf(institute)).toMatchObject({ status: 'suspended', locked_reason: 'انتهى الاشتراك ولم يُجدَّد.' })
    await admin.patch(`/platform/tenants/${institute.tenant.id}`, { defaultLocale: 'he' })
    await renew(id, 30)
    expect(await tenantOf(institute)).toMatchObject({ status: 'active', locked_reason: null })
  })

  test('is lifted by renewing, and comes again after the next end', async () => {
    const { institute, id } = await locked()
    expect((await tenantOf(institute)).status).toBe('suspended')
    expect((await renew(id, 30)).body.status).toBe('active')
    expect(await tenantOf(institute)).toMatchObject({ status: 'active', locked_at: null })
    expect(await eventsOf(app, institute, 'tenant.unlocked')).toEqual([{ subscriptionId: id, status: 'active' }])
    await passDays(37)
    expect((await tenantOf(institute)).status).toBe('suspended')
    expect(await eventsOf(app, institute, 'tenant.locked')).toHaveLength(2)
  })

  test('is lifted by another end that is to come, and by a new subscription', async () => {
    const { institute, id } = await locked()
    await admin.patch(`/platform/subscriptions/${id}`, { currentPeriodEnd: inDays(app, 30) })
    expect((await tenantOf(institute)).status).toBe('active')
    const other = await locked()
    await admin.post(`/platform/subscriptions/${other.id}/cancel`)
    expect((await tenantOf(other.institute)).status).toBe('suspended')
    await newSubscription(app, other.institute)
    expect((await tenantOf(other.institute)).status).toBe('active')
  })

  test('that somebody made theirs stays, and so does a lock of before', async () => {
    const since = await locked()
    await byAdmin(since.institute, (tx) => lockTenant(tx, byHand))
    await renew(since.id, 30)
    expect(await tenantOf(since.institute)).toMatchObject({ status: 'suspended', locked_reason: byHand.reason })
    const before = await subscribed(1)
    await switchOn(before.institute)
    await byAdmin(before.institute, (tx) => lockTenant(tx, byHand))
    await passDays(8)
    await renew(before.id, 30)
    expect(await tenantOf(before.institute)).toMatchObject({ status: 'suspended', locked_reason: byHand.reason })
    const again = await locked()
    await byAdmin(again.institute, (tx) => unlockTenant(tx, { subscriptionId: null }))
    await passDays(1)
    await byAdmin(again.institute, (tx) => lockTenant(tx, byHand))
    await renew(again.id, 30)
    expect((await tenantOf(again.institute)).status).toBe('suspended')
  })
})

test('many subscriptions that are due at once are told once each, by three processes on one database', async () => {
  const shared =
    engine === 'postgres'
      ? await createDatabase(inject('postgresAdminUrl'), { template: inject('postgresTemplate') })
      : undefined
  const config = { ...LIVED, masterKey: Buffer.alloc(32, 'the processes of one database') }
  const database = async () => ({ url: shared?.url, drop: async () => {} })
  const start = () => startApp({ config, ...(shared && { database }) })
  const processes = [await start()]
  // SQLite has one process alone.
  if (shared) processes.push(await start(), await start())
  const first = processes[0] as TestApp
  try {
    const institutes: TestInstitute[] = []
    for (let made = 0; made < 60; made += 1) institutes.push(await makeInstitute(first))
    for (const institute of institutes) await newSubscription(first, institute, { currentPeriodEnd: inDays(first, 7) })
    const sweepAll = () => Promise.all(processes.flatMap((one) => [sweep(one), sweep(one)]))
    await sweepAll()
    for (const one of processes) one.clock.advance(7 * DAY)
    await sweepAll()
    for (const institute of institutes) {
      expect(await daysTold(institute, first)).toEqual([7])
      expect(await eventsOf(first, institute, 'subscription.expired')).toHaveLength(1)
    }
  } finally {
    for (const one of processes) await one.close()
    await shared?.drop()
  }
}, 60_000)
