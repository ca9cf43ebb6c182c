import { describe, expect, test } from 'vitest'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { makeInstitute } from '#kit/institute.ts'
import { verified, type Received } from '#kit/receiver.ts'
import { auditOf, eventsOf, recordEvent, recordEvents } from '#kit/records.ts'
import { useSubscriptions } from '#kit/subscriptions.ts'
import { newWebhook } from '../examples/integrations.ts'

const DAY = 24 * 3600

const at = useSubscriptions()
const { subscribe, endpointOf, deliveriesOf, replay, switchTo, arrived, peer } = at
const timestampOf = ({ headers }: Received) => Number(headers['x-service-timestamp'])

describe('a delivery', () => {
  test('carries the event as recorded, its headers, and a signature that an independent verifier accepts', async () => {
    const endpoint = await subscribe(200)
    const student = { branchId: at.institute.branchId, firstName: 'نور', lastName: 'حدّاد' }
    await at.institute.owner.post('/students', student)
    await at.app.drain()
    expect(at.receiver.received).toHaveLength(1)
    const [request] = at.receiver.received as [Received]
    const [event] = await eventsOf(at.app, at.institute)
    expect(verified(request, endpoint.secret, at.app.clock.millis())).toEqual(event)
    expect(Object.keys(JSON.parse(request.body))).toEqual(['id', 'type', 'occurredAt', 'tenantId', 'data'])
    expect(event).toMatchObject({ type: 'student.created', tenantId: at.institute.tenant.id })
    expect(event.data.lastName).toBe('حدّاد')
    const [delivery] = await deliveriesOf(endpoint)
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'student.created',
      'x-service-delivery': delivery.id,
      'x-service-timestamp': String(Math.floor(at.app.clock.millis() / 1000)),
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
      deliveredAt: at.app.clock.now(),
      createdAt: at.app.clock.now(),
    })
  })

  test('goes to every active endpoint of the institute that lists its type, and to no other', async () => {
    const endpoint = await subscribe()
    const second = await newWebhook(at.institute, { url: at.receiver.url, events: ['student.created', 'lead.created'] })
    const other = await newWebhook(at.institute, { url: at.receiver.url, events: ['lead.created'] })
    const off = await newWebhook(at.institute, { url: at.receiver.url, isActive: false })
    const foreign = await newWebhook(await makeInstitute(at.app), { url: at.receiver.url })
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    expect(at.receiver.received).toHaveLength(2)
    for (const one of [endpoint, second]) expect(await deliveriesOf(one)).toMatchObject([{ status: 'delivered' }])
    for (const one of [other, off]) expect(await deliveriesOf(one)).toEqual([])
    expect((await at.institute.owner.get(`/webhooks/${foreign.id}/deliveries`)).status).toBe(404)
  })

  test('does not exist for an event that was rolled back', async () => {
    const endpoint = await subscribe()
    const undone = runInTransaction(at.app.app.runtime, systemAuditContext('test'), async (unit) => {
      recordEvent(unit.tenant(at.institute.tenant, 'all'), 0)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await at.app.drain()
    expect(await deliveriesOf(endpoint)).toEqual([])
    expect(at.receiver.received).toEqual([])
  })

  test('is made for each of hundreds of events of one transaction', { timeout: 20_000 }, async () => {
    const endpoint = await subscribe()
    await recordEvents(at.app, at.institute, 501)
    await at.app.drain()
    expect(at.receiver.received).toHaveLength(501)
    const seen = at.receiver.received.map((request) => verified(request, endpoint.secret, at.app.clock.millis()).data)
    expect(new Set(seen.map(({ studentNumber }) => studentNumber)).size).toBe(501)
  })

  test('is listed newest first, page by page, and by status', async () => {
    const endpoint = await subscribe(500, 204)
    for (let made = 0; made < 3; made += 1) {
      at.app.clock.advance(1)
      await recordEvents(at.app, at.institute)
      await at.app.drain()
    }
    const all = await deliveriesOf(endpoint)
    expect(all.map(({ status }: { status: string }) => status)).toEqual(['delivered', 'delivered', 'queued'])
    const path = `/webhooks/${endpoint.id}/deliveries`
    const first = (await at.institute.owner.get(`${path}?limit=2`)).body
    const rest = (await at.institute.owner.get(`${path}?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...rest.data]).toEqual(all)
    expect(rest.nextCursor).toBeNull()
    expect(await deliveriesOf(endpoint, '&status=queued')).toEqual([all[2]])
    expect(await deliveriesOf(endpoint, '&status=failed')).toEqual([])
    expect((await at.institute.owner.get(`${path}?status=lost`)).status).toBe(422)
  })
})

describe('a delivery without a 2xx answer', () => {
  test('is tried 5 times in total, after 1 min, 5 min, 30 min and 2 h, with a new t, the same body and event id', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    for (const wait of [60, 300, 1800, 7200]) {
      const attempts = at.receiver.received.length
      const nextAttemptAt = new Date(at.app.clock.millis() + wait * 1000).toISOString()
      expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'queued', attempts, nextAttemptAt }])
      await at.app.pass(wait - 0.001)
      expect(at.receiver.received).toHaveLength(attempts)
      await at.app.pass(0.001)
      expect(at.receiver.received).toHaveLength(attempts + 1)
      const request = at.receiver.received.at(-1) as Received
      expect(timestampOf(request)).toBe(Math.floor(at.app.clock.millis() / 1000))
      verified(request, endpoint.secret, at.app.clock.millis())
    }
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'failed', attempts: 5, lastStatusCode: 500, nextAttemptAt: null, deliveredAt: null },
    ])
    await at.app.pass(DAY)
    expect(at.receiver.received).toHaveLength(5)
    expect(new Set(at.receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(at.receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1)
    expect(await endpointOf(endpoint)).toMatchObject({ failureCount: 1, isActive: true })
  })

  test('stores at most 1,000 characters of the reply, and none that a database cannot hold', async () => {
    const endpoint = await subscribe()
    at.receiver.answerBy((_, response) => response.writeHead(418).end(`a\0b${'ש'.repeat(5000)}`))
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    const [delivery] = await deliveriesOf(endpoint)
    expect(delivery).toMatchObject({ status: 'queued', attempts: 1, lastStatusCode: 418 })
    expect(delivery.responseExcerpt).toBe(`a\u{FFFD}b${'ש'.repeat(997)}`)
  })

  test('does not follow a redirect', async () => {
    const endpoint = await subscribe()
    at.receiver.answerBy((_, response) => response.writeHead(307, { location: at.receiver.url }).end())
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    expect(at.receiver.received).toHaveLength(1)
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'queued', attempts: 1, lastStatusCode: 307 }])
  })

  test('says why there was no reply at all', async () => {
    const endpoint = await subscribe()
    at.receiver.answerBy((request) => request.socket.destroy())
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'queued', attempts: 1, lastStatusCode: null, responseExcerpt: expect.stringMatching(/closed/) },
    ])
  })

  test('is sent again when its worker dies between the reply and storing it: at least once', async () => {
    const endpoint = await subscribe()
    await recordEvents(at.app, at.institute)
    const release = at.receiver.hold()
    const first = at.app.drain()
    await arrived(1)
    // Other workers consider this one dead once its lease has ended.
    at.app.clock.advance(30)
    const second = peer().drain()
    await arrived(2)
    release()
    await Promise.all([first, second])
    expect(at.receiver.received.map(({ body }) => body)).toEqual([
      at.receiver.received[0]?.body,
      at.receiver.received[0]?.body,
    ])
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    await at.app.pass(DAY)
    expect(at.receiver.received).toHaveLength(2)
  })
})

describe('a replay', () => {
  test('is sent at once with the same body and event id, whatever the delivery’s state', async () => {
    const endpoint = await subscribe(204)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    const [before] = await deliveriesOf(endpoint)
    at.app.clock.advance(3600)
    const queued = {
      ...before,
      status: 'queued',
      attempts: 0,
      nextAttemptAt: at.app.clock.now(),
      deliveredAt: null,
    }
    expect(await replay(endpoint, before)).toMatchObject({ status: 200, body: queued })
    expect((await auditOf(at.app, at.institute, 'webhooks.replay'))[0]).toMatchObject({
      entity_type: 'webhook_delivery',
      entity_id: before.id,
      before,
      after: queued,
    })
    await at.app.drain()
    expect(await deliveriesOf(endpoint)).toEqual([{ ...before, deliveredAt: at.app.clock.now() }])
    const [first, second] = at.receiver.received as [Received, Received]
    expect(second.body).toBe(first.body)
    expect(timestampOf(second)).toBe(timestampOf(first) + 3600)
  })

  test('of a delivery that waits for its next attempt starts from the beginning and skips that attempt', async () => {
    const endpoint = await subscribe(500)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    await at.app.pass(60)
    const [delivery] = await deliveriesOf(endpoint)
    expect(delivery.attempts).toBe(2)
    await replay(endpoint, delivery)
    await at.app.drain()
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'queued', attempts: 1 }])
    await at.app.pass(60)
    expect(at.receiver.received).toHaveLength(4)
    await at.app.pass(240)
    expect(at.receiver.received).toHaveLength(4)
    await at.app.pass(60)
    expect(at.receiver.received).toHaveLength(5)
  })

  test('during an attempt ignores the result of that attempt', async () => {
    const endpoint = await subscribe(500, 204)
    await recordEvents(at.app, at.institute)
    const release = at.receiver.hold()
    const drained = at.app.drain()
    await arrived(1)
    const [delivery] = await deliveriesOf(endpoint)
    await replay(endpoint, delivery)
    release()
    await drained
    expect(at.receiver.received).toHaveLength(2)
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 1, lastStatusCode: 204 }])
  })

  test('is tried once even at a disabled endpoint', async () => {
    const endpoint = await subscribe(500, 500, 204)
    await recordEvents(at.app, at.institute)
    await at.app.drain()
    await switchTo(endpoint, false)
    const [delivery] = await deliveriesOf(endpoint)
    await replay(endpoint, delivery)
    await at.app.drain()
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'disabled', attempts: 1 }])
    await at.app.pass(DAY)
    expect(at.receiver.received).toHaveLength(2)
    await replay(endpoint, delivery)
    await at.app.drain()
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    expect(await endpointOf(endpoint)).toMatchObject({ isActive: false })
  })

  test('of another endpoint’s delivery, or of an unknown one, is 404', async () => {
    const endpoint = await subscribe()
    const other = await newWebhook(at.institute, { url: at.receiver.url })
    await recordEvents(at.app, at.institute)
    const [delivery] = await deliveriesOf(endpoint)
    expect((await replay(other, delivery)).status).toBe(404)
    expect((await replay(endpoint, endpoint)).status).toBe(404)
  })
})
