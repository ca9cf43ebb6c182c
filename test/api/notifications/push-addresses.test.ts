import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#app/open-database.ts'
import { composed } from '#app/program.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { PUBLIC_ONLY } from '#ports/outbound/port.ts'
import { startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import { client } from '#kit/client.ts'
import { subscriptionAt } from '#kit/fake-push-services.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { startPushService } from '#kit/push-service.ts'
import { startReceiver } from '#kit/receiver.ts'

/** Addresses that a member sets for themself (POST /me/devices) are https and public in every mode. */

const INWARD = [
  'http://push.example.org/x',
  'http://127.0.0.1:8080/x',
  'http://127.1/x',
  'https://127.0.0.1/x',
  'https://localhost/x',
  'https://10.0.0.1/x',
  'https://192.168.1.5:8443/x',
  'https://172.16.3.4/x',
  'https://100.64.0.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://0.0.0.0/x',
  'https://[::1]/x',
  'https://[fd00::1]/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://0x7f000001/x',
]

let app: TestApp
let institute: TestInstitute
let member: TestMember

const start = async (options: TestAppOptions) => {
  app = await startApp(options)
  institute = await makeInstitute(app)
  member = await institute.member({ role: 'guardian' })
}
afterEach(() => app.close())

const tell = async () => {
  const reply = await institute.owner.post('/notifications/send', {
    templateKey: 'message',
    data: { title: 'Closed', message: 'We are closed.' },
    channels: ['push'],
    recipients: { userIds: [member.userId] },
  })
  expect(reply.status).toBe(202)
  await app.drain()
  return (await institute.owner.get('/notifications?channel=push')).body.data[0]
}

const issueAt = { status: 422, body: { error: { details: { issues: [{ path: ['endpoint'] }] } } } }

describe('at registration', () => {
  test.each([
    ['a self-hosted install', {}],
    ['a cloud that lets webhooks reach private addresses', { mode: 'cloud', webhookBlockPrivate: false } as const],
  ])('the program on %s refuses every address that is not public and https', async (_, config) => {
    await start({ now: systemClock.now(), config: { ...config, baseUrl: 'https://institute.example.org' } })
    const database = openDatabase(app.app.config)
    const program = await composed({ ...app.app.config, port: 0 }, database, {
      clock: systemClock,
      log: pino({ level: 'silent' }),
    })
    try {
      const { as } = client(`http://127.0.0.1:${await program.listen()}`)
      const { userId, sessionId } = member
      const caller = as(await app.app.tokens.issue({ userId, sessionId, tenantId: institute.tenant.id }))
      for (const endpoint of INWARD) {
        const reply = await caller.post('/me/devices', { ...subscriptionAt('unused.example'), endpoint })
        expect(reply, endpoint).toMatchObject(issueAt)
      }
      expect((await caller.post('/me/devices', subscriptionAt('push.example.org'))).status).toBe(201)
    } finally {
      await program.close(1000)
    }
  })
})

describe('at connect', () => {
  test('a name that leads to this machine is not called', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    await start({ push: { policy: PUBLIC_ONLY, outbound: guardedOutbound({ policy: PUBLIC_ONLY, resolve }) } })
    const { port } = server.address() as AddressInfo
    expect((await member.post('/me/devices', subscriptionAt(`push.example.org:${port}`))).status).toBe(201)
    expect(await tell()).toMatchObject({ status: 'queued', reason: expect.stringContaining('not allowed') })
    expect(connections).toBe(0)
    server.close()
  })

  test('a device with an inward address, registered before this was a rule, is forgotten and not called', async () => {
    const policy = { blockPrivate: false, requireHttps: false }
    await start({ push: { policy, outbound: guardedOutbound({ policy }) } })
    const receiver = await startReceiver(201)
    const endpoint = receiver.url
    expect((await member.post('/me/devices', { ...subscriptionAt('unused.example'), endpoint })).status).toBe(201)
    Object.assign(policy, PUBLIC_ONLY)
    expect(await tell()).toMatchObject({ status: 'skipped' })
    expect(receiver.received).toEqual([])
    expect(await app.app.database.read.selectFrom('push_device').select('id').execute()).toEqual([])
    receiver.close()
  })

  test('a redirect is not followed', async () => {
    await start({})
    const service = await startPushService(() => app.clock.millis())
    const receiver = await startReceiver(201)
    const { data } = (await institute.owner.get('/notification-providers')).body
    const { publicKey } = data.find(({ channel }: { channel: string }) => channel === 'push')
    const browser = service.subscribe(publicKey)
    expect((await member.post('/me/devices', browser)).status).toBe(201)
    service.answer(browser.endpoint, 307, { location: receiver.url })
    expect(await tell()).toMatchObject({ status: 'failed', reason: expect.stringContaining('307') })
    expect(receiver.received).toEqual([])
    receiver.close()
    service.close()
  })
})
