import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { JobKind } from '#kernel/module.ts'
import { Queue } from '#runtime/queue.ts'
import { systemOrigin } from '#runtime/origin.ts'
import { runUnit } from '#runtime/unit-of-work.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startReceiver, verified, type Received, type WebhookReceiver } from '#kit/receiver.ts'
import { auditOf, eventsOf, recordEvents } from '#kit/records.ts'
import { newWebhook } from './examples/integrations.ts'

const DAY = 24 * 3600

let app: TestApp
let institute: TestInstitute
let receiver: WebhookReceiver

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 100 * DAY } })
})
afterAll(() => app.close())
afterEach(() => receiver.close())

/** An institute of its own with one endpoint for student.created, whose receiver answers with these statuses. */
const subscribe = async (...statuses: number[]) => {
  institute = await makeInstitute(app)
  receiver = await startReceiver(...statuses)
  return newWebhook(institute, { url: receiver.url })
}
const endpointOf = async ({ id }: { id: string }) => (await institute.owner.get(`/webhooks/${id}`)).body
const deliveriesOf = async ({ id }: { id: string }, query = '') =>
  (await institute.owner.get(`/webhooks/${id}/deliveries?limit=100${query}`)).body.data
const replay = ({ id }: { id: string }, delivery: { id: string }) =>
  institute.owner.post(`/webhooks/${id}/deliveries/${delivery.id}/replay`)
const switchTo = ({ id }: { id: string }, isActive: boolean) => institute.owner.patch(`/webhooks/${id}`, { isActive })
const timestampOf = ({ headers }: Received) => Number(headers['x-service-timestamp'])
const arrived = async (count: number): Promise<void> => {
  await expect.poll(() => receiver.received.length).toBe(count)
}

/** A second worker on the same database. */
const peer = () =>
  new Queue(app.app.units, {
    kinds: new Map<string, JobKind>(app.app.modules.flatMap(({ jobs = {} }) => Object.entries(jobs))),
    log: pino({ level: 'silent' }),
    alone: false,
  })

describe('a delivery', () => {
  test('carries the event as it was recorded, its headers, and a signature that others verify', async () => {
    const endpoint = await subscribe(200)
    const student = { branchId: institute.branchId, firstName: 'نور', lastName: 'حدّاد' }
    await institute.owner.post('/students', student)
    await app.drain()
    expect(receiver.received).toHaveLength(1)
    const [request] = receiver.received as [Received]
    const [event] = await eventsOf(app, institute)
    expect(verified(request, endpoint.secret, app.clock.millis())).toEqual(event)
    expect(Object.keys(JSON.parse(request.body))).toEqual(['id', 'type', 'occurredAt', 'tenantId', 'data'])
    expect(event).toMatchObject({ type: 'student.created', tenantId: institute.tenant.id })
    expect(event.data.lastName).toBe('حدّاد')
    const [delivery] = await deliveriesOf(endpoint)
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'student.created',
      'x-service-delivery': delivery.id,
      'x-service-timestamp': String(Math.floor(app.clock.millis() / 1000)),
    })
    expect(delivery).toEqual({
      id: delivery.id,
      endpointId: endpoint.id,
      eventId: event.id,
      eventType: 'student.created',
      status: 'delivered',
      attempts: 1,
      lastStatusCode: 200,
      responseExcerpt: 'noted',
      nextAttemptAt: null,
      deliveredAt: app.clock.now(),
      createdAt: app.clock.now(),
    })
  })

  test('goes to every active endpoint of the institute that lists its type, and to no other', async () => {
    const endpoint = await subscribe()
    const second = await newWebhook(institute, { url: receiver.url, events: ['student.created', 'lead.created'] })
    const other = await newWebhook(institute, { url: receiver.url, events: ['lead.created'] })
    const off = await newWebhook(institute, { url: receiver.url, isActive: false })
    const foreign = await newWebhook(await makeInstitute(app), { url: receiver.url })
    await recordEvents(app, institute)
    await app.drain()
    expect(receiver.received).toHaveLength(2)
    for (const one of [endpoint, second]) expect(await deliveriesOf(one)).toMatchObject([{ status: 'delivered' }])
    for (const one of [other, off]) expect(await deliveriesOf(one)).toEqual([])
    expect((await institute.owner.get(`/webhooks/${foreign.id}/deliveries`)).status).toBe(404)
  })

  test('exists for nothing that was rolled back', async () => {
    const endpoint = await subscribe()
    const undone = runUnit(app.app.units, systemOrigin('test'), async (unit) => {
      unit.tenant(institute.tenant, 'all').record('student.created', {})
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await app.drain()
    expect(await deliveriesOf(endpoint)).toEqual([])
    expect(receiver.received).toEqual([])
  })

  test('comes about for each of hundreds of events of one change', { timeout: 20_000 }, async () => {
    const endpoint = await subscribe()
    await recordEvents(app, institute, 501)
    await app.drain()
    expect(receiver.received).toHaveLength(501)
    const seen = receiver.received.map((request) => verified(request, endpoint.secret, app.clock.millis()).data)
    expect(new Set(seen.map((data) => (data as unknown as { n: number }).n)).size).toBe(501)
  })

  test('is listed newest first, page by page, and by status', async () => {
    const endpoint = await subscribe(500, 204)
    for (let made = 0; made < 3; made += 1) {
      app.clock.advance(1)
      await recordEvents(app, institute)
      await app.drain()
    }
    const all = await deliveriesOf(endpoint)
    expect(all.map(({ status }: { status: string }) => status)).toEqual(['delivered', 'delivered', 'queued'])
    const path = `/webhooks/${endpoint.id}/deliveries`
    const first = (await institute.owner.get(`${path}?limit=2`)).body
    const rest = (await institute.owner.get(`${path}?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...rest.data]).toEqual(all)
    expect(rest.nextCursor).toBeNull()
    expect(await deliveriesOf(endpoint, '&status=queued')).toEqual([all[2]])
    expect(await deliveriesOf(endpoint, '&status=failed')).toEqual([])
    expect((await institute.owner.get(`${path}?status=lost`)).status).toBe(422)
  })
})

describe('a delivery without a 2xx answer', () => {
  test('is tried 5 times in all, after 1 min, 5 min, 30 min and 2 h, with a fresh t, the same body and event id', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(app, institute)
    await app.drain()
    for (const wait of [60, 300, 1800, 7200]) {
      const attempts = receiver.received.length
      const nextAttemptAt = new Date(app.clock.millis() + wait * 1000).toISOString()
      expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'queued', attempts, nextAttemptAt }])
      await app.pass(wait - 0.001)
      expect(receiver.received).toHaveLength(attempts)
      await app.pass(0.001)
      expect(receiver.received).toHaveLength(attempts + 1)
      const request = receiver.received.at(-1) as Received
      expect(timestampOf(request)).toBe(Math.floor(app.clock.millis() / 1000))
      verified(request, endpoint.secret, app.clock.millis())
    }
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'failed', attempts: 5, lastStatusCode: 500, nextAttemptAt: null, deliveredAt: null },
    ])
    await app.pass(DAY)
    expect(receiver.received).toHaveLength(5)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 1, isActive: true })
  })

  test('keeps at most 1,000 characters of the answer, and none that a database cannot', async () => {
    const endpoint = await subscribe()
    receiver.answerBy((_, response) => response.writeHead(418).end(`a\0b${'ש'.repeat(5000)}`))
    await recordEvents(app, institute)
    await app.drain()
    const [delivery] = await deliveriesOf(endpoint)
    expect(delivery).toMatchObject({ status: 'queued', attempts: 1, lastStatusCode: 418 })
    expect(delivery.responseExcerpt).toBe(`a\u{FFFD}b${'ש'.repeat(997)}`)
  })

  test('is not sent where a redirect points to', async () => {
    const endpoint = await subscribe()
    receiver.answerBy((_, response) => response.writeHead(307, { location: receiver.url }).end())
    await recordEvents(app, institute)
    await app.drain()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'queued', attempts: 1, lastStatusCode: 307 }])
  })

  test('says why where there was no answer at all', async () => {
    const endpoint = await subscribe()
    receiver.answerBy((request) => request.socket.destroy())
    await recordEvents(app, institute)
    await app.drain()
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'queued', attempts: 1, lastStatusCode: null, responseExcerpt: expect.stringMatching(/closed/) },
    ])
  })

  test('is sent again when its worker dies between the answer and keeping it: at least once', async () => {
    const endpoint = await subscribe()
    await recordEvents(app, institute)
    const release = receiver.hold()
    const first = app.drain()
    await arrived(1)
    // To everybody else this worker is dead once its lease has ended.
    app.clock.advance(30)
    const second = peer().drain()
    await arrived(2)
    release()
    await Promise.all([first, second])
    expect(receiver.received.map(({ body }) => body)).toEqual([receiver.received[0]?.body, receiver.received[0]?.body])
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    await app.pass(DAY)
    expect(receiver.received).toHaveLength(2)
  })
})

describe('20 consecutive failed deliveries', () => {
  /** Gives each of so many new deliveries its five attempts, all at once. */
  const exhaust = async (count: number) => {
    await recordEvents(app, institute, count)
    for (const wait of [0, 60, 300, 1800, 7200]) await app.pass(wait)
  }

  test('disable the endpoint, once however many fail at the same time, and what is queued with it', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(app, institute, 25)
    for (const wait of [0, 60, 300, 1800]) await app.pass(wait)
    app.clock.advance(7200)
    await recordEvents(app, institute, 5)
    const before = await endpointOf(endpoint)
    await Promise.all([app.drain(), peer().drain()])
    const after = { ...before, failureCount: 20, isActive: false, disabledAt: app.clock.now() }
    expect(await endpointOf(endpoint)).toEqual(after)
    const entries = await auditOf(app, institute, 'webhooks.disable')
    expect(entries).toMatchObject([
      { actor_type: 'system', entity_type: 'webhook_endpoint', entity_id: endpoint.id, after },
    ])
    const deliveries = await deliveriesOf(endpoint)
    expect(deliveries.filter(({ status }: { status: string }) => status === 'failed')).toHaveLength(20)
    expect(deliveries.filter(({ status }: { status: string }) => status === 'disabled')).toHaveLength(10)
    const sent = receiver.received.length
    await recordEvents(app, institute)
    await app.pass(DAY)
    expect(receiver.received).toHaveLength(sent)
  })

  test('19, a success and 19 more leave it enabled: the success resets the count', async () => {
    const endpoint = await subscribe(500)
    await exhaust(19)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 19, isActive: true })
    receiver.answer(204)
    await exhaust(1)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 0, isActive: true })
    receiver.answer(500)
    await exhaust(19)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 19, isActive: true, disabledAt: null })
    await exhaust(1)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 20, isActive: false })
    expect((await switchTo(endpoint, true)).body).toMatchObject({ failureCount: 0, isActive: true, disabledAt: null })
    receiver.answer(204)
    await recordEvents(app, institute)
    await app.drain()
    expect((await deliveriesOf(endpoint))[0]).toMatchObject({ status: 'delivered' })
  })
})

describe('switching an endpoint off', () => {
  test('disables what is queued; switching it on again brings none of that back', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(app, institute)
    await app.drain()
    expect((await switchTo(endpoint, false)).body).toMatchObject({ isActive: false, disabledAt: null })
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'disabled', attempts: 1, nextAttemptAt: null }])
    await switchTo(endpoint, true)
    await app.pass(DAY)
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'disabled' }])
  })

  test.each([
    ['arrives then counts as delivered', 204, 'delivered'],
    ['fails then stays disabled', 500, 'disabled'],
  ])('a delivery that is under way and %s', async (_, answer, status) => {
    const endpoint = await subscribe(answer)
    await recordEvents(app, institute)
    const release = receiver.hold()
    const drained = app.drain()
    await arrived(1)
    await switchTo(endpoint, false)
    release()
    await drained
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status, attempts: 1, lastStatusCode: answer }])
    await app.pass(DAY)
    expect(receiver.received).toHaveLength(1)
  })

  test('while an event is being recorded sends nothing of it', async () => {
    const endpoint = await subscribe()
    await recordEvents(app, institute)
    await app.app.database.write((db) =>
      db.updateTable('webhook_endpoint').set({ is_active: false }).where('id', '=', endpoint.id).execute(),
    )
    await app.drain()
    expect(receiver.received).toEqual([])
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'disabled', attempts: 0 }])
  })
})

describe('a replay', () => {
  test('is sent at once with the same body and event id, whatever became of the delivery', async () => {
    const endpoint = await subscribe(204)
    await recordEvents(app, institute)
    await app.drain()
    const [before] = await deliveriesOf(endpoint)
    app.clock.advance(3600)
    const queued = {
      ...before,
      status: 'queued',
      attempts: 0,
      nextAttemptAt: app.clock.now(),
      deliveredAt: null,
    }
    expect(await replay(endpoint, before)).toMatchObject({ status: 200, body: queued })
    expect((await auditOf(app, institute, 'webhooks.replay'))[0]).toMatchObject({
      entity_type: 'webhook_delivery',
      entity_id: before.id,
      before,
      after: queued,
    })
    await app.drain()
    expect(await deliveriesOf(endpoint)).toEqual([{ ...before, deliveredAt: app.clock.now() }])
    const [first, second] = receiver.received as [Received, Received]
    expect(second.body).toBe(first.body)
    expect(timestampOf(second)).toBe(timestampOf(first) + 3600)
  })

  test('of one that waits for its next attempt starts anew and leaves that attempt out', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(app, institute)
    await app.drain()
    await app.pass(60)
    const [delivery] = await deliveriesOf(endpoint)
    expect(delivery.attempts).toBe(2)
    await replay(endpoint, delivery)
    await app.drain()
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'queued', attempts: 1 }])
    await app.pass(60)
    expect(receiver.received).toHaveLength(4)
    await app.pass(240)
    expect(receiver.received).toHaveLength(4)
    await app.pass(60)
    expect(receiver.received).toHaveLength(5)
  })

  test('while an attempt is under way outlives what that attempt brings back', async () => {
    const endpoint = await subscribe(500, 204)
    await recordEvents(app, institute)
    const release = receiver.hold()
    const drained = app.drain()
    await arrived(1)
    const [delivery] = await deliveriesOf(endpoint)
    await replay(endpoint, delivery)
    release()
    await drained
    expect(receiver.received).toHaveLength(2)
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 1, lastStatusCode: 204 }])
  })

  test('is tried once even at a disabled endpoint', async () => {
    const endpoint = await subscribe(500, 500, 204)
    await recordEvents(app, institute)
    await app.drain()
    await switchTo(endpoint, false)
    const [delivery] = await deliveriesOf(endpoint)
    await replay(endpoint, delivery)
    await app.drain()
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'disabled', attempts: 1 }])
    await app.pass(DAY)
    expect(receiver.received).toHaveLength(2)
    await replay(endpoint, delivery)
    await app.drain()
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    expect(await endpointOf(endpoint)).toMatchObject({ isActive: false })
  })

  test('of another endpoint’s delivery, or of none, is 404', async () => {
    const endpoint = await subscribe()
    const other = await newWebhook(institute, { url: receiver.url })
    await recordEvents(app, institute)
    const [delivery] = await deliveriesOf(endpoint)
    expect((await replay(other, delivery)).status).toBe(404)
    expect((await replay(endpoint, endpoint)).status).toBe(404)
  })
})

describe('deleting an endpoint', () => {
  test('takes its deliveries along, also one that is under way', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(app, institute, 2)
    const release = receiver.hold()
    const drained = app.drain()
    await arrived(2)
    expect((await institute.owner.delete(`/webhooks/${endpoint.id}`)).status).toBe(200)
    release()
    await drained
    await app.pass(DAY)
    expect(receiver.received).toHaveLength(2)
    const left = await app.app.database.read
      .selectFrom('webhook_delivery')
      .select('id')
      .where('endpoint_id', '=', endpoint.id)
      .execute()
    expect(left).toEqual([])
  })
})

describe('an endpoint that is deleted while events are recorded', () => {
  test('takes no change down with it', async () => {
    const endpoints = [await subscribe()]
    for (let more = 0; more < 9; more += 1) endpoints.push(await newWebhook(institute, { url: receiver.url }))
    const replies = await Promise.all(
      endpoints.flatMap((endpoint) => [
        institute.owner.post('/students', { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' }),
        institute.owner.delete(`/webhooks/${endpoint.id}`),
        institute.owner.post('/students', { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' }),
      ]),
    )
    expect(replies.map(({ status }) => status)).toEqual(endpoints.flatMap(() => [201, 200, 201]))
    await app.drain()
  })

  test('or switched, replayed and delivered at the same time: nobody waits for another for ever', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(app, institute, 40)
    const all = await deliveriesOf(endpoint)
    for (let round = 0; round < 3; round += 1) {
      const replies = await Promise.all([
        app.drain(),
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
  test('deliveries that ended are forgotten, and their events; what still waits is kept', async () => {
    const endpoint = await subscribe(204)
    await recordEvents(app, institute, 501)
    await app.drain()
    app.clock.advance(90 * DAY)
    await recordEvents(app, institute)
    await app.drain()
    await sweep()
    expect(await kept(endpoint)).toEqual({ deliveries: 502, events: 502 })
    app.clock.advance(0.001)
    const { database } = app.app
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
    runUnit(app.app.units, systemOrigin('test'), async (unit) => unit.system().enqueue('webhooks.sweep', {})).then(() =>
      app.app.queue.drain(),
    )
  const kept = async ({ id }: { id: string }) => {
    const { read } = app.app.database
    const deliveries = await read.selectFrom('webhook_delivery').select('id').where('endpoint_id', '=', id).execute()
    const events = await read.selectFrom('event').select('id').where('tenant_id', '=', institute.tenant.id).execute()
    return { deliveries: deliveries.length, events: events.length }
  }
})
