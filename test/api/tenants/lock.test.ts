import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#kernel/who/actor.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { archiveTenant, lockTenant, unlockTenant } from '#modules/tenants/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startReceiver } from '#kit/receiver.ts'
import { eventsOf } from '#kit/records.ts'
import { issuedInvoice } from '../examples/billing.ts'

/** The locks of an institute, as jobs and the platform's endpoints set them. */

const SUBSCRIPTION = '0190c7a0-0000-7000-8000-000000000001'
const byHand = { reason: 'Unpaid since May.', source: 'manual', subscriptionId: null } as const
const automatic = { reason: 'The subscription ended.', source: 'auto_lock', subscriptionId: SUBSCRIPTION } as const

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const inTransaction = <T>({ tenant }: TestInstitute, work: (tx: Tx) => Promise<T>, actor?: Actor) => {
  const context = systemAuditContext('test.lock')
  return runInTransaction(app.app.runtime, { ...context, ...(actor && { actor }) }, (unit) =>
    work(unit.tenant(tenant, 'all')),
  )
}

const tenantRow = ({ tenant }: TestInstitute) =>
  app.app.database.read.selectFrom('tenant').selectAll().where('id', '=', tenant.id).executeTakeFirstOrThrow()

describe('an institute', () => {
  test('is locked with one event, however often it is locked', async () => {
    const institute = await makeInstitute(app)
    const lockedAt = app.clock.now()
    for (const lock of [automatic, automatic]) await inTransaction(institute, (tx) => lockTenant(tx, lock))
    app.clock.advance(60)
    expect(await inTransaction(institute, (tx) => lockTenant(tx, automatic))).toMatchObject({
      status: 'suspended',
      lockedAt,
      lockedReason: automatic.reason,
      lockedByPlatformAdminId: null,
    })
    expect(await eventsOf(app, institute, 'tenant.locked')).toEqual([
      { subscriptionId: SUBSCRIPTION, reason: automatic.reason, source: 'auto_lock' },
    ])
    expect((await tenantRow(institute)).version).toBe(2)
  })

  test('that is locked automatically becomes locked by hand, and not the other way round', async () => {
    const institute = await makeInstitute(app)
    const admin: Actor = { type: 'platform_admin', userId: institute.ownerUserId, sessionId: institute.ownerUserId }
    await inTransaction(institute, (tx) => lockTenant(tx, automatic))
    const locked = await inTransaction(institute, (tx) => lockTenant(tx, byHand), admin)
    expect(locked).toMatchObject({ lockedReason: byHand.reason, lockedByPlatformAdminId: admin.userId })
    expect(await inTransaction(institute, (tx) => lockTenant(tx, automatic))).toEqual(locked)
    expect(await eventsOf(app, institute, 'tenant.locked')).toHaveLength(1)
  })

  test('is unlocked with one event', async () => {
    const institute = await makeInstitute(app)
    const unlock = () => inTransaction(institute, (tx) => unlockTenant(tx, { subscriptionId: SUBSCRIPTION }))
    await unlock()
    expect((await tenantRow(institute)).version).toBe(1)
    await inTransaction(institute, (tx) => lockTenant(tx, byHand))
    for (let times = 0; times < 2; times += 1) await unlock()
    expect(await tenantRow(institute)).toMatchObject({ status: 'active', locked_at: null, locked_reason: null })
    expect(await eventsOf(app, institute, 'tenant.unlocked')).toEqual([
      { subscriptionId: SUBSCRIPTION, status: 'active' },
    ])
  })

  test('that is archived stays so', async () => {
    const institute = await makeInstitute(app)
    await inTransaction(institute, (tx) => lockTenant(tx, byHand))
    const archived = await inTransaction(institute, archiveTenant)
    expect(archived).toMatchObject({ status: 'archived', lockedReason: byHand.reason })
    const changes = [
      (tx: Tx) => lockTenant(tx, byHand),
      (tx: Tx) => unlockTenant(tx, { subscriptionId: null }),
      archiveTenant,
    ]
    for (const change of changes) {
      await expect(inTransaction(institute, change)).rejects.toMatchObject({ spec: { name: 'tenant_archived' } })
    }
    expect(await tenantRow(institute)).toMatchObject({ status: 'archived' })
  })

  test('goes on by itself while it is locked: bills become overdue, and webhooks hear of it and of the lock', async () => {
    const institute = await makeInstitute(app)
    const receiver = await startReceiver()
    const events = ['invoice.overdue', 'tenant.locked', 'tenant.unlocked']
    await institute.owner.post('/webhooks', { url: receiver.url, events })
    const { id } = await issuedInvoice(worldOf(app, institute))
    await inTransaction(institute, (tx) => lockTenant(tx, byHand))
    app.clock.set('2026-03-22T08:00:00.000Z')
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepOverdueJob, {}),
    )
    await app.drain()
    await inTransaction(institute, (tx) => unlockTenant(tx, { subscriptionId: null }))
    await app.drain()
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
      'tenant.locked',
      'invoice.overdue',
      'tenant.unlocked',
    ])
    expect(await eventsOf(app, institute, 'invoice.overdue')).toMatchObject([{ invoiceId: id }])
    receiver.close()
  })

  test('is left as it is by sweeps once it is archived; what happened before is still delivered', async () => {
    const institute = await makeInstitute(app)
    const receiver = await startReceiver()
    await institute.owner.post('/webhooks', { url: receiver.url, events: ['tenant.locked', 'invoice.overdue'] })
    await issuedInvoice(worldOf(app, institute), { dueDate: '2026-03-25' })
    await inTransaction(institute, (tx) => lockTenant(tx, byHand))
    await inTransaction(institute, archiveTenant)
    app.clock.set('2026-03-29T08:00:00.000Z')
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepOverdueJob, {}),
    )
    await app.drain()
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['tenant.locked'])
    expect(await eventsOf(app, institute, 'invoice.overdue')).toEqual([])
    receiver.close()
  })

  test('is locked once by many at the same time', async () => {
    const institute = await makeInstitute(app)
    const locks = Array.from({ length: 8 }, () => inTransaction(institute, (tx) => lockTenant(tx, byHand)))
    await Promise.all(locks)
    expect(await eventsOf(app, institute, 'tenant.locked')).toHaveLength(1)
  })
})
