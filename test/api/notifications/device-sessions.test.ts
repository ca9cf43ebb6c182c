import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepNotificationsJob } from '#modules/notifications/outbox/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { startPushService } from '#kit/push-service.ts'
import { emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

/** "A device ends with the session that registered it, GET /me/devices → Page of {id, userAgent, createdAt, lastUsedAt}". */

let app: TestApp
let service: Awaited<ReturnType<typeof startPushService>>
let institute: TestInstitute
let member: TestMember
let serverKey: string

beforeAll(async () => {
  app = await startApp()
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
  const { data } = (await institute.owner.get('/notification-providers')).body
  serverKey = data.find(({ channel }: { channel: string }) => channel === 'push').publicKey
})

/** Signs the member in in another browser, which registers. */
const another = async (userAgent = 'browser/1.0') => {
  const body = { email: emailOf(member.userId), password: PASSWORD, client: 'mobile' }
  const signedIn = await app.send('POST', '/auth/login', { body, headers: { 'user-agent': userAgent } })
  const client = app.as(signedIn.body.accessToken)
  const subscription = service.subscribe(serverKey)
  const { id } = (await client.post('/me/devices', subscription)).body
  const { data } = (await client.get('/auth/sessions')).body
  const { id: sessionId } = data.find(({ current }: { current: boolean }) => current)
  return { client, id: id as string, endpoint: subscription.endpoint, sessionId: sessionId as string, signedIn }
}

const tell = async (): Promise<string[]> => {
  service.received.length = 0
  const { status } = await institute.owner.post('/notifications/send', {
    templateKey: 'message',
    data: { title: 'Closed', message: 'We are closed.' },
    channels: ['push'],
    recipients: { userIds: [member.userId] },
  })
  expect(status).toBe(202)
  await app.drain()
  return service.received.map(({ endpoint }) => endpoint)
}
const listed = async (client: Client) => (await client.get('/me/devices')).body.data.map(({ id }: { id: string }) => id)

describe('a browser gets no more messages', () => {
  type Browser = Awaited<ReturnType<typeof another>>
  test.each<[string, (browser: Browser) => Promise<unknown>]>([
    ['once its person has signed out there', ({ client }) => client.post('/auth/logout')],
    ['once its session is ended from elsewhere', ({ sessionId }) => member.delete(`/auth/sessions/${sessionId}`)],
    [
      'once a new password was chosen elsewhere',
      () => member.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: 'olive tree by the gate' }),
    ],
  ])('%s; the others do', async (_, end) => {
    const kept = service.subscribe(serverKey)
    const keptId = (await member.post('/me/devices', kept)).body.id
    const browser = await another()
    expect((await tell()).toSorted()).toEqual([kept.endpoint, browser.endpoint].toSorted())
    expect(await end(browser)).toMatchObject({ status: 200 })
    expect(await tell()).toEqual([kept.endpoint])
    expect(await listed(member)).toEqual([keptId])
  })

  test.each<[string, (browser: Browser) => Promise<unknown>]>([
    ['once its person has signed out everywhere', () => member.post('/auth/logout-all')],
    [
      'once the password was reset',
      async () => {
        await app.post('/auth/forgot-password', { email: emailOf(member.userId) })
        await app.drain()
        const token = mailedToken(app, emailOf(member.userId), 'reset-password')
        return app.post('/auth/reset-password', { token, newPassword: 'olive tree by the gate' })
      },
    ],
    [
      'once the account was disabled, also when it is enabled again',
      async () => {
        const admin = await platformAdmin(app)
        await admin.patch(`/platform/users/${member.userId}`, { status: 'disabled' })
        return admin.patch(`/platform/users/${member.userId}`, { status: 'active' })
      },
    ],
    [
      'once its refresh token was used twice',
      async ({ signedIn }) => {
        const refresh = () => app.post('/auth/refresh', { refreshToken: signedIn.body.refreshToken })
        await refresh()
        expect((await refresh()).status).toBe(401)
        return { status: 200 }
      },
    ],
  ])('%s', async (_, end) => {
    const browser = await another()
    expect(await tell()).toEqual([browser.endpoint])
    expect(await end(browser)).toMatchObject({ status: 200 })
    expect(await tell()).toEqual([])
  })

  test('once its session expires, to the second', async () => {
    const { endpoint } = await another()
    app.clock.advance(30 * 24 * 3600 - 1)
    const fresh = async () => {
      const body = { email: emailOf(institute.ownerUserId), password: PASSWORD, client: 'mobile' }
      institute.owner = app.as((await app.post('/auth/login', body)).body.accessToken)
    }
    await fresh()
    expect(await tell()).toEqual([endpoint])
    app.clock.advance(1)
    expect(await tell()).toEqual([])
  })

  test('not even a test of the provider; it is deleted by the next sweep', async () => {
    const { owner, ownerUserId } = institute
    const ecdh = createECDH('prime256v1')
    const publicKey = ecdh.generateKeys('base64url')
    const privateKey = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()])
      .subarray(-32)
      .toString('base64url')
    const own = { provider: 'web_push', publicKey, privateKey, subject: 'mailto:office@school.example' }
    expect((await owner.put('/notification-providers/push', own)).status).toBe(200)
    const body = { email: emailOf(ownerUserId), password: PASSWORD, client: 'mobile' }
    const elsewhere = app.as((await app.post('/auth/login', body)).body.accessToken)
    const trial = async () => (await owner.post('/notification-providers/push/test', {})).body.ok
    await elsewhere.post('/me/devices', service.subscribe(publicKey))
    expect(await trial()).toBe(true)
    await elsewhere.post('/auth/logout')
    expect(await trial()).toBe(false)
    await owner.post('/me/devices', service.subscribe(publicKey))
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepNotificationsJob, {}),
    )
    await app.drain()
    const { read } = app.app.database
    const left = await read.selectFrom('push_device').select('id').where('user_id', '=', ownerUserId).execute()
    expect(left.map(({ id }) => id)).toEqual(await listed(owner))
    expect(left).toHaveLength(1)
  })

  test('until it registers in another session', async () => {
    const browser = await another()
    await browser.client.post('/auth/logout')
    const again = { endpoint: browser.endpoint, keys: service.subscribe(serverKey).keys }
    const { id } = (await member.post('/me/devices', again)).body
    expect(id).toBe(browser.id)
    expect(await listed(member)).toEqual([id])
  })
})

describe('GET /me/devices', () => {
  test('lists the browsers of the caller alone, newest first, a page at a time', async () => {
    const first = await another('one/1.0')
    app.clock.advance(1)
    const second = await another('two/2.0')
    await institute.owner.post('/me/devices', service.subscribe(serverKey))
    const { status, body } = await second.client.get('/me/devices?limit=1')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        { id: second.id, userAgent: 'two/2.0', createdAt: app.clock.now(), lastUsedAt: app.clock.now(), current: true },
      ],
      nextCursor: expect.any(String),
    })
    const next = await second.client.get(`/me/devices?limit=1&cursor=${body.nextCursor}`)
    expect(next.body).toMatchObject({
      data: [{ id: first.id, userAgent: 'one/1.0', current: false }],
      nextCursor: null,
    })
    expect(await listed(institute.owner)).toHaveLength(1)
  })

  test('is empty without an institute, and where none is registered', async () => {
    const token = await app.app.tokens.issue({ userId: member.userId, sessionId: member.sessionId, tenantId: null })
    await member.post('/me/devices', service.subscribe(serverKey))
    expect(await listed(app.as(token))).toEqual([])
    expect(await listed(institute.owner)).toEqual([])
  })
})
