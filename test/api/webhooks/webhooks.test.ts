import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_CATALOGUE } from '#kernel/contract/events.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startReceiver } from '#kit/receiver.ts'
import { eventsOf } from '#kit/records.ts'
import { newWebhook } from '../examples/integrations.ts'

let app: TestApp
let institute: TestInstitute
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 86_400 } })
})
afterAll(() => app.close())
afterEach(() => receiver?.close())

const subscribe = async (...statuses: number[]) => {
  institute = await makeInstitute(app)
  receiver = await startReceiver(...statuses)
  return newWebhook(institute, { url: receiver.url })
}
const addStudent = (count = 1) =>
  Promise.all(
    Array.from({ length: count }, () =>
      institute.owner.post('/students', { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' }),
    ),
  )
describe('webhook endpoints', () => {
  test('are at most 50 of an institute, disabled ones too, also when two are made at once; the next is 409', async () => {
    institute = await makeInstitute(app)
    const more = { url: 'http://192.168.1.5/hook', events: ['exam.published'], isActive: false }
    for (let n = 1; n < 50; n += 1) await newWebhook(institute, more)
    const replies = await Promise.all([1, 2].map(() => institute.owner.post('/webhooks', more)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(replies.find(({ status }) => status === 409)?.body.error.code).toBe('CONFLICT')
    const [last] = (await institute.owner.get('/webhooks')).body.data
    await institute.owner.delete(`/webhooks/${last.id}`)
    await newWebhook(institute, more)
    await newWebhook(await makeInstitute(app), more)
  })

  test('create returns the secret once; the endpoint is read, listed, changed and deleted', async () => {
    institute = await makeInstitute(app)
    const { status, body } = await institute.owner.post('/webhooks', {
      url: 'http://192.168.1.5/hook',
      events: ['student.created', 'student.created', 'invoice.issued'],
    })
    expect(status).toBe(201)
    const { secret, ...endpoint } = body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(endpoint).toEqual({
      id: expect.any(String),
      url: 'http://192.168.1.5/hook',
      events: ['student.created', 'invoice.issued'],
      isActive: true,
      failureCount: 0,
      disabledAt: null,
      previousSecretExpiresAt: null,
      createdAt: app.clock.now(),
    })
    expect((await institute.owner.get(`/webhooks/${endpoint.id}`)).body).toEqual(endpoint)
    expect((await institute.owner.get('/webhooks')).body.data).toEqual([endpoint])
    const kept = await app.app.database.read.selectFrom('webhook_endpoint').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(secret)
    const { body: changed } = await institute.owner.patch(`/webhooks/${endpoint.id}`, { events: ['exam.published'] })
    expect(changed).toEqual({ ...endpoint, events: ['exam.published'] })
    expect((await institute.owner.delete(`/webhooks/${endpoint.id}`)).body).toEqual({ ok: true })
    expect((await institute.owner.get(`/webhooks/${endpoint.id}`)).status).toBe(404)
  })

  test.each([
    ['an unknown event', { events: ['student.exploded'] }, 'events'],
    ['no event', { events: [] }, 'events'],
    ['a link-local address', { url: 'http://169.254.169.254/latest' }, 'url'],
    ['a URL with a password', { url: 'http://user:pass@example.org/' }, 'url'],
    ['another scheme', { url: 'ftp://example.org/' }, 'url'],
  ])('%s is 422', async (_, wrong, field) => {
    institute = await makeInstitute(app)
    const body = { url: 'http://192.168.1.5/', events: ['student.created'], ...wrong }
    const refused = await institute.owner.post('/webhooks', body)
    expect(refused.status).toBe(422)
    expect(refused.body.error.details.issues[0].path[0]).toBe(field)
  })

  test('GET /webhooks/events needs no credential and has exactly the catalogue, in one page', async () => {
    const { body } = await app.get('/webhooks/events')
    expect(body).toEqual({ data: EVENT_CATALOGUE, nextCursor: null })
    expect(body.data).toHaveLength(28)
  })
})

describe('rotation and test', () => {
  const signatures = (header: unknown) =>
    String(header)
      .split(',')
      .filter((part) => part.startsWith('v1='))

  test('both secrets sign during the overlap, then one; the event carries its end', async () => {
    const endpoint = await subscribe(200)
    const { body } = await institute.owner.post(`/webhooks/${endpoint.id}/rotate-secret`, { overlapSec: 600 })
    expect(body.secret).not.toBe(endpoint.secret)
    const expires = new Date(app.clock.millis() + 600_000).toISOString()
    expect(body.previousSecretExpiresAt).toBe(expires)
    expect(await eventsOf(app, institute, 'webhook_endpoint.secret_rotated')).toEqual([
      { endpointId: endpoint.id, previousSecretExpiresAt: expires },
    ])
    await addStudent()
    await app.drain()
    expect(signatures(receiver.received[0]?.headers['x-service-signature'])).toHaveLength(2)
    for (const secret of [endpoint.secret, body.secret]) {
      const { headers, body: raw } = receiver.received[0] as (typeof receiver.received)[0]
      Stripe.webhooks.constructEvent(
        raw,
        headers['x-service-signature'] as string,
        secret,
        300,
        undefined,
        app.clock.millis(),
      )
    }
    app.clock.advance(600)
    await addStudent()
    await app.drain()
    expect(signatures(receiver.received[1]?.headers['x-service-signature'])).toHaveLength(1)
    expect((await institute.owner.get(`/webhooks/${endpoint.id}`)).body.previousSecretExpiresAt).toBeNull()
  })

  test('overlap 0 retires the old secret at once; the default is a day; more than a week is 422', async () => {
    const endpoint = await subscribe(200)
    const rotate = (body?: object) => institute.owner.post(`/webhooks/${endpoint.id}/rotate-secret`, body)
    expect((await rotate({ overlapSec: 604_801 })).status).toBe(422)
    expect((await rotate()).body.previousSecretExpiresAt).toBe(new Date(app.clock.millis() + 86_400_000).toISOString())
    expect((await rotate({ overlapSec: 0 })).body.previousSecretExpiresAt).toBeNull()
    await addStudent()
    await app.drain()
    expect(signatures(receiver.received[0]?.headers['x-service-signature'])).toHaveLength(1)
  })

  test('POST test sends a signed webhook.test at once and returns the result', async () => {
    const endpoint = await subscribe(204)
    const { body } = await institute.owner.post(`/webhooks/${endpoint.id}/test`)
    expect(body).toEqual({
      deliveryId: expect.any(String),
      statusCode: 204,
      ok: true,
      durationMs: expect.any(Number),
      error: null,
    })
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      tenantId: institute.tenant.id,
    })
    const dead = await newWebhook(institute)
    expect((await institute.owner.post(`/webhooks/${dead.id}/test`)).body).toMatchObject({
      statusCode: null,
      ok: false,
    })
  })
})
