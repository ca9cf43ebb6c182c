import { createECDH, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { startPushService } from '#kit/push-service.ts'
import { newApiKey } from '../examples/integrations.ts'

let app: TestApp
let service: Awaited<ReturnType<typeof startPushService>>
let institute: TestInstitute
let member: TestMember
let serverKey: string

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 86_400 } })
  service = await startPushService(() => app.clock.millis())
})
afterAll(async () => {
  await app.close()
  service.close()
})
beforeEach(async () => {
  institute = await makeInstitute(app, { features: { byo_push_provider: true } })
  member = await institute.member({ role: 'guardian' })
  service.received.length = 0
  service.refused.length = 0
  const { data } = (await institute.owner.get('/notification-providers')).body
  serverKey = data.find(({ channel }: { channel: string }) => channel === 'push').publicKey
})

const subscribe = (key = serverKey) => service.subscribe(key)
const register = (body: object, as: Pick<TestMember, 'post'> = member) => as.post('/me/devices', body)
const CLOSED = { title: 'Closed', message: 'We are closed.' }
const send = (data = CLOSED) =>
  institute.owner.post('/notifications/send', {
    templateKey: 'message',
    data,
    channels: ['push'],
    recipients: { userIds: [member.userId] },
  })
const tell = async (data = CLOSED) => {
  expect((await send(data)).status).toBe(202)
  await app.drain()
  return entry()
}
const entry = async () => (await institute.owner.get('/notifications?channel=push')).body.data[0]

describe('a push message', () => {
  test('arrives in every browser of the person, decrypted as browsers do', async () => {
    expect((await member.get('/me/push-key')).body).toEqual({ applicationServerKey: serverKey })
    const [one, two] = [subscribe(), subscribe()]
    const reply = await register(one)
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      id: expect.any(String),
      applicationServerKey: serverKey,
      createdAt: app.clock.now(),
    })
    await register({ ...two, applicationServerKey: serverKey })
    const found = await tell({ title: 'مغلق', message: 'نحن مغلقون.\n\nنراكم الاثنين.' })
    expect(found).toMatchObject({ status: 'sent', reason: null })
    expect(service.refused).toEqual([])
    expect(service.received.map(({ endpoint }) => endpoint).toSorted()).toEqual([one.endpoint, two.endpoint].toSorted())
    const [pushed] = service.received
    expect(pushed?.payload).toMatchObject({
      id: found.id,
      title: found.title,
      body: found.body,
      templateKey: 'message',
      institute: institute.tenant.name,
    })
    expect(pushed?.topic).toBe(found.id.replaceAll('-', ''))
  })

  test('that is too long for a push service is cut', async () => {
    await register(subscribe())
    expect(await tell({ title: 'Long', message: 'ن'.repeat(4500) })).toMatchObject({ status: 'sent' })
    const body = service.received[0]?.payload['body'] as string
    expect(body.endsWith('…')).toBe(true)
    expect(body.length).toBeGreaterThan(1500)
  })

  test.each([404, 410])('to a browser that is gone (%i) forgets it', async (status) => {
    const gone = subscribe()
    await register(gone)
    service.answer(gone.endpoint, status)
    expect(await tell()).toMatchObject({ status: 'skipped', reason: expect.stringContaining('any more') })
    expect(
      await app.app.database.read.selectFrom('push_device').selectAll().where('user_id', '=', member.userId).execute(),
    ).toEqual([])
  })

  test('to a browser that is gone and one that is there has arrived', async () => {
    const [gone, there] = [subscribe(), subscribe()]
    await register(gone)
    await register(there)
    service.answer(gone.endpoint, 410)
    expect(await tell()).toMatchObject({ status: 'sent' })
    await tell()
    expect(service.received.map(({ endpoint }) => endpoint)).toEqual([there.endpoint, there.endpoint])
  })

  test('that is too large (413) has failed, and the browser stays', async () => {
    const browser = subscribe()
    await register(browser)
    service.answer(browser.endpoint, 413)
    expect(await tell()).toMatchObject({ status: 'failed', attempts: 1, nextAttemptAt: null })
  })

  test('waits where the push service is busy (429), and tells nobody twice whom one browser has told', async () => {
    const browser = subscribe()
    await register(browser)
    service.answer(browser.endpoint, 429, { 'retry-after': '900' })
    const waiting = await tell()
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1 })
    expect(Date.parse(waiting.nextAttemptAt) - app.clock.millis()).toBe(900_000)
    const other = subscribe()
    await register(other)
    await app.pass(900)
    expect(await entry()).toMatchObject({ status: 'sent', attempts: 2 })
    await app.pass(7200)
    expect(service.received.map(({ endpoint }) => endpoint)).toEqual([other.endpoint])
  })

  test('to somebody whose browser is gone is skipped; where there never was one, it is refused', async () => {
    await register(subscribe(), institute.owner)
    const recipient = { kind: 'user', id: member.userId }
    expect(await send()).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'nobody_reached', recipient, because: 'no_address' } } },
    })
    const { id } = (await register(subscribe())).body
    expect((await send()).status).toBe(202)
    await member.delete(`/me/devices/${id}`)
    await app.drain()
    expect(await entry()).toMatchObject({ status: 'skipped', reason: expect.stringContaining('no browser') })
  })
})

describe('a browser', () => {
  test('registered again keeps its id and takes its new keys', async () => {
    const browser = subscribe()
    const { id } = (await register(browser)).body
    expect((await register(browser)).body.id).toBe(id)
    await tell()
    expect(service.received).toHaveLength(1)
  })

  test('tells only who is signed in there now', async () => {
    const browser = subscribe()
    const { id } = (await register(browser, institute.owner)).body
    await register(browser)
    expect((await institute.owner.delete(`/me/devices/${id}`)).status).toBe(404)
    expect(await tell()).toMatchObject({ status: 'sent' })
  })

  test('is forgotten by its person alone', async () => {
    const { id } = (await register(subscribe())).body
    const other = await institute.member({ role: 'guardian' })
    expect((await other.delete(`/me/devices/${id}`)).status).toBe(404)
    expect((await member.delete(`/me/devices/${id}`)).body).toEqual({ ok: true })
    expect((await member.delete(`/me/devices/${id}`)).status).toBe(404)
  })

  test('is one of ten; beyond them the first is forgotten', async () => {
    const browsers = Array.from({ length: 12 }, () => subscribe())
    for (const browser of browsers) {
      await register(browser)
      app.clock.advance(1)
    }
    await tell()
    const told = new Set(service.received.map(({ endpoint }) => endpoint))
    expect(browsers.map(({ endpoint }) => told.has(endpoint))).toEqual(browsers.map((_, n) => n >= 2))
  })

  test.each([
    ['a link-local address', { endpoint: 'https://169.254.169.254/x' }, ['endpoint']],
    [
      'a key off the curve',
      { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'x' } },
      ['keys', 'p256dh'],
    ],
    [
      'a short secret',
      { keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'AAAA' } },
      ['keys', 'auth'],
    ],
  ])('with %s is refused', async (_, fields, path) => {
    const reply = await register({ ...subscribe(), ...fields })
    expect(reply).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path }] } } } })
  })

  test('that subscribed with another key is told the key in use', async () => {
    const reply = await register({ ...subscribe(), applicationServerKey: 'BOther' })
    expect(reply).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { applicationServerKey: serverKey } } },
    })
  })

  test('cannot be registered by an API key', async () => {
    const { key } = await newApiKey(institute)
    expect((await register(subscribe(), app.as(key))).status).toBe(403)
  })
})

test('an institute with keys of its own sends with them; browsers of the server’s key are reached again without them', async () => {
  const old = subscribe()
  await register(old)
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys('base64url')
  const privateKey = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
  const own = { provider: 'web_push', publicKey, privateKey, subject: 'mailto:office@school.example' }
  const put = (body: object) => institute.owner.put('/notification-providers/push', body)
  expect((await put({ ...own, privateKey: randomBytes(32).toString('base64url') })).status).toBe(422)
  expect((await put({ ...own, subject: 'nobody' })).status).toBe(422)
  const reply = await put(own)
  expect(reply).toMatchObject({ status: 200, body: { publicKey, subject: own.subject } })
  expect(JSON.stringify(reply.body)).not.toContain(privateKey)
  const fresh = subscribe(publicKey)
  expect((await member.get('/me/push-key')).body).toEqual({ applicationServerKey: publicKey })
  expect((await register({ ...fresh, applicationServerKey: serverKey })).status).toBe(409)
  expect((await register(fresh)).body.applicationServerKey).toBe(publicKey)
  expect(await tell()).toMatchObject({ status: 'sent' })
  expect(service.received.map(({ endpoint }) => endpoint)).toEqual([fresh.endpoint])
  await register(subscribe(publicKey), institute.owner)
  expect((await institute.owner.post('/notification-providers/push/test', {})).body).toEqual({ ok: true, error: null })
  await institute.owner.delete('/notification-providers/push')
  expect(await tell()).toMatchObject({ status: 'sent' })
  expect(service.received.at(-1)?.endpoint).toBe(old.endpoint)
  expect(service.refused).toEqual([])
})
