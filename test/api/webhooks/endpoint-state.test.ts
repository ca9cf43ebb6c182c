import { describe, expect, test } from 'vitest'
import { deleteDeliveries } from '#modules/webhooks/endpoints-service.ts'
import { sweepDeliveriesJob } from '#modules/webhooks/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine } from '#kit/app.ts'
import { fill, nthId, nthInstant, text } from '#kit/fill.ts'
import { auditOf, recordEvents } from '#kit/records.ts'
import { useSubscriptions } from '#kit/subscriptions.ts'
import { newWebhook } from '../examples/integrations.ts'

const DAY = 24 * 3600

const at = useSubscriptions()
const { subscribe, endpointOf, deliveriesOf, replay, switchTo, arrived, peer } = at

/** Adds so many deliveries of the newest event to an endpoint. */
const fillDeliveries = async (endpoint: { id: string }, count: number, status: string): Promise<void> => {
  const [event] = await at.app.app.database.read.selectFrom('event').select('id').orderBy('id', 'desc').execute()
  const uuid = (id: string) => (engine === 'postgres' ? `${text(id)}::uuid` : text(id))
  await fill(at.app, 'webhook_delivery', count, {
    id: nthId('webhook_delivery', 'n'),
    tenant_id: uuid(at.institute.tenant.id),
    endpoint_id: uuid(endpoint.id),
    event_id: uuid((event as { id: string }).id),
    event_type: text('student.created'),
    status: text(status),
    attempts: '0',
    generation: '1',
    created_at: nthInstant('n'),
  })
}

describe('20 consecutive failed deliveries', () => {
  /** Makes all five attempts of so many new deliveries, concurrently. */
  const exhaust = async (count: number) => {
    await recordEvents(at.app, at.institute, count)
    for (const wait of [0, 60, 300, 1800, 7200]) await at.app.pass(wait)
  }

  test('disable the endpoint, once however many fail concurrently, and disable its queued deliveries', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(at.app, at.institute, 25)
    for (const wait of [0, 60, 300, 1800]) await at.app.pass(wait)
    at.app.clock.advance(7200)
    await recordEvents(at.app, at.institute, 5)
    const before = await endpointOf(endpoint)
    await Promise.all([at.app.drain(), peer().drain()])
    const after = { ...before, failureCount: 20, isActive: false, disabledAt: at.app.clock.now() }
    expect(await endpointOf(endpoint)).toEqual(after)
    const entries = await auditOf(at.app, at.institute, 'webhooks.disable')
    expect(entries).toMatchObject([
      { actor_type: 'system', entity_type: 'webhook_endpoint', entity_id: endpoint.id, after },
    ])
    const deliveries = await deliveriesOf(endpoint)
    expect(deliveries.filter(({ status }: { status: string }) => status === 'failed')).toHaveLength(20)
    expect(deliveries.filter(({ status }: { status: string }) => status === 'disabled')).toHaveLength(10)
    const sent = at.receiver.received.length
    await recordEvents(at.app, at.institute)
    await at.app.pass(DAY)
    expect(at.receiver.received).toHaveLength(sent)
  })

  test('19 failures, a success and 19 more leave it enabled: the success resets the count', async () => {
    const endpoint = await subscribe(500)
    await exhaust(19)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 19, isActive: true })
    at.receiver.answer(204)
    await exhaust(1)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 0, isActive: true })
    at.receiver.answer(500)
    await exhaust(19)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 19, isActive: true, disabledAt: null })
    await exhaust(1)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 20, isActive: false })
    expect((await switchTo(endpoint, true)).body).toMatchObject({ failureCount: 0, isActive: true, disabledAt: null })
    at.receiver.answer(204)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    expect((await deliveriesOf(endpoint))[0]).toMatchObject({ status: 'delivered' })
  })
})

test('a success resets the failure count, including failures that were counted during its attempt', async () => {
  const endpoint = await subscribe(500)
  await recordEvents(at.app, at.institute, 3)
  for (const wait of [0, 60, 300, 1800]) await at.app.pass(wait)
  at.app.clock.advance(7200)
  let answer = () => {}
  at.receiver.answerBy((request, response) => {
    const isNew = !seen.has(String(request.headers['x-service-delivery']))
    if (isNew) answer = () => response.writeHead(204).end()
    else response.writeHead(500).end()
  })
  const seen = new Set(at.receiver.received.map(({ headers }) => String(headers['x-service-delivery'])))
  await recordEvents(at.app, at.institute)
  const drained = at.app.drain()
  await expect.poll(async () => (await endpointOf(endpoint)).failureCount).toBe(3)
  answer()
  await drained
  expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 0, isActive: true })
})

describe('disabling an endpoint', () => {
  test('disables queued deliveries; enabling it again does not bring them back', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    expect((await switchTo(endpoint, false)).body).toMatchObject({ isActive: false, disabledAt: null })
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'disabled', attempts: 1, nextAttemptAt: null }])
    await switchTo(endpoint, true)
    await at.app.pass(DAY)
    expect(at.receiver.received).toHaveLength(1)
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'disabled' }])
  })

  test('disables a part of very many at once and the rest in a job, unless it is enabled again first', async () => {
    const endpoint = await subscribe(204)
    await recordEvents(at.app, at.institute)
    await fillDeliveries(endpoint, 1199, 'queued')
    const statuses = async (): Promise<Record<string, number>> => {
      const rows = await at.app.app.database.read
        .selectFrom('webhook_delivery')
        .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
        .where('endpoint_id', '=', endpoint.id)
        .groupBy('status')
        .execute()
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    }
    await switchTo(endpoint, false)
    expect(await statuses()).toEqual({ disabled: 500, queued: 700 })
    await switchTo(endpoint, true)
    await at.app.drain()
    const { disabled, queued = 0 } = await statuses()
    expect([disabled, queued]).toEqual([500, 699])
    await switchTo(endpoint, false)
    await at.app.drain()
    expect((await statuses()).queued).toBeUndefined()
  })

  test.each([
    ['arrives then counts as delivered', 204, 'delivered'],
    ['fails then stays disabled', 500, 'disabled'],
  ])('a delivery that is being sent and %s', async (_, answer, status) => {
    const endpoint = await subscribe(answer)
    await recordEvents(at.app, at.institute)
    const release = at.receiver.hold()
    const drained = at.app.drain()
    await arrived(1)
    await switchTo(endpoint, false)
    release()
    await drained
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status, attempts: 1, lastStatusCode: answer }])
    await at.app.pass(DAY)
    expect(at.receiver.received).toHaveLength(1)
  })

  test('while an event is being recorded sends nothing of it', async () => {
    const endpoint = await subscribe()
    await recordEvents(at.app, at.institute)
    await at.app.app.database.write((db) =>
      db.updateTable('webhook_endpoint').set({ is_active: false }).where('id', '=', endpoint.id).execute(),
    )
    await at.app.drain()
    expect(at.receiver.received).toEqual([])
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'disabled', attempts: 0 }])
  })
})

describe('deleting an endpoint', () => {
  test('deletes its deliveries, also one that is being sent', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(at.app, at.institute, 2)
    const release = at.receiver.hold()
    const drained = at.app.drain()
    await arrived(2)
    expect((await at.institute.owner.delete(`/webhooks/${endpoint.id}`)).status).toBe(200)
    release()
    await drained
    await at.app.pass(DAY)
    expect(at.receiver.received).toHaveLength(2)
    const left = await at.app.app.database.read
      .selectFrom('webhook_delivery')
      .select('id')
      .where('endpoint_id', '=', endpoint.id)
      .execute()
    expect(left).toEqual([])
  })

  test('deletes many deliveries in batches, and none of another endpoint', async () => {
    const [endpoint, other] = [await subscribe(), await newWebhook(at.institute, { url: at.receiver.url })]
    await recordEvents(at.app, at.institute)
    await fillDeliveries(endpoint, 1200, 'delivered')
    const parts: number[] = []
    await deleteDeliveries(
      async (work) => {
        const forgotten = await runInTransaction(at.app.app.runtime, systemAuditContext('test'), (unit) =>
          work(unit.system()),
        )
        parts.push(Number(forgotten))
        return forgotten
      },
      at.institute.tenant,
      endpoint.id,
    )
    expect(parts).toEqual([500, 500, 201])
    expect(await deliveriesOf(endpoint)).toEqual([])
    expect(await deliveriesOf(other)).toHaveLength(1)
    await at.institute.owner.delete(`/webhooks/${endpoint.id}`)
    expect((await at.institute.owner.get(`/webhooks/${endpoint.id}`)).status).toBe(404)
  })
})

describe('an endpoint that is deleted while events are recorded', () => {
  test('does not fail their transactions', async () => {
    const endpoints = [await subscribe()]
    for (let more = 0; more < 9; more += 1) endpoints.push(await newWebhook(at.institute, { url: at.receiver.url }))
    const replies = await Promise.all(
      endpoints.flatMap((endpoint) => [
        at.institute.owner.post('/students', {
          branchId: at.institute.branchId,
          firstName: 'Noor',
          lastName: 'Haddad',
        }),
        at.institute.owner.delete(`/webhooks/${endpoint.id}`),
        at.institute.owner.post('/students', {
          branchId: at.institute.branchId,
          firstName: 'Noor',
          lastName: 'Haddad',
        }),
      ]),
    )
    expect(replies.map(({ status }) => status)).toEqual(endpoints.flatMap(() => [201, 200, 201]))
    await at.app.drain()
  })

  test('and one that is disabled, replayed and delivered concurrently do not deadlock', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(at.app, at.institute, 40)
    const all = await deliveriesOf(endpoint)
    for (let round = 0; round < 3; round += 1) {
      const replies = await Promise.all([
        at.app.drain(),
        peer().drain(),
        ...all.slice(0, 5).map((delivery: { id: string }) => replay(endpoint, delivery)),
        switchTo(endpoint, false),
        switchTo(endpoint, true),
      ])
      const statuses = replies.map((reply) => (typeof reply === 'number' ? 200 : reply.status))
      expect(statuses).toEqual(replies.map(() => 200))
    }
  })
})

describe('after 90 days', () => {
  test('finished deliveries are deleted with their events; queued ones are kept', async () => {
    const endpoint = await subscribe(204)
    await recordEvents(at.app, at.institute, 501)
    await at.app.drain()
    at.app.clock.advance(90 * DAY)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    await sweep()
    expect(await kept(endpoint)).toEqual({ deliveries: 502, events: 502 })
    at.app.clock.advance(0.001)
    const { database } = at.app.app
    const { id } = await database.read
      .selectFrom('webhook_delivery')
      .select('id')
      .where('endpoint_id', '=', endpoint.id)
      .orderBy('created_at')
      .executeTakeFirstOrThrow()
    await database.write((db) =>
      db.updateTable('webhook_delivery').set({ status: 'queued' }).where('id', '=', id).execute(),
    )
    await sweep()
    expect(await kept(endpoint)).toEqual({ deliveries: 2, events: 2 })
  })

  const sweep = () =>
    runInTransaction(at.app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepDeliveriesJob, {}),
    ).then(() => at.app.app.queue.drain())
  const kept = async ({ id }: { id: string }) => {
    const { read } = at.app.app.database
    const deliveries = await read.selectFrom('webhook_delivery').select('id').where('endpoint_id', '=', id).execute()
    const events = await read.selectFrom('event').select('id').where('tenant_id', '=', at.institute.tenant.id).execute()
    return { deliveries: deliveries.length, events: events.length }
  }
})
