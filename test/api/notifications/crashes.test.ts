import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EventData } from '#kernel/contract/events.ts'
import type { JobKind } from '#kernel/contract/module.ts'
import type { Mail } from '#ports/mail/port.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { CrashableProcess } from '#kit/crash.ts'
import { startPushService } from '#kit/push-service.ts'
import { GENERIC, META, startTextProviders } from '#kit/text-providers.ts'

/**
 * A process crashes at every step between the event and the end of the last delivery, and another one goes on once the
 * lease has ended. Owners hear of a locked institute: the event needs no records.
 */

const LEASE_SECONDS = 20
const TOKEN_SECONDS = 400 * 24 * 3600
const FEATURES = { sms_notifications: true, whatsapp_notifications: true }
const OUTSIDE = ['email', 'push', 'sms', 'whatsapp']

const worker = new CrashableProcess()
let app: TestApp
let service: Awaited<ReturnType<typeof startPushService>>
let providers: Awaited<ReturnType<typeof startTextProviders>>
let institute: TestInstitute
let member: TestMember
const mails: Mail[] = []

beforeAll(async () => {
  providers = await startTextProviders()
  app = await startApp({
    wrap: worker.wrap,
    config: { accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS },
    outbound: { ...providers.outbound, post: (request) => worker.atRisk(() => providers.outbound.post(request)) },
    openMailer: () => ({
      send: (mail) => worker.atRisk(async () => ({ answer: `mail ${mails.push(mail)}`, passwordUnused: false })),
      close: async () => {},
    }),
  })
  service = await startPushService(() => app.clock.millis())
})
afterAll(async () => {
  await app.close()
  service.close()
  providers.close()
})

beforeEach(async () => {
  institute = await makeInstitute(app, { features: FEATURES })
  member = await institute.member({ role: 'owner' })
  const reached = { phone: `+9725${String(Date.now()).slice(-8)}` }
  await app.app.database.write((db) => db.updateTable('user').set(reached).where('id', '=', member.userId).execute())
  const { owner } = institute
  await owner.put('/notification-providers/sms', { provider: 'https', url: GENERIC.url, token: GENERIC.token })
  const meta = { provider: 'meta', phoneNumberId: META.phoneNumberId, token: META.token }
  await owner.put('/notification-providers/whatsapp', meta)
  const { data } = (await owner.get('/notification-providers')).body
  const push = data.find(({ channel }: { channel: string }) => channel === 'push')
  await member.post('/me/devices', service.subscribe(push.publicKey))
})

const lock = (reason: string): Promise<void> =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    const data: EventData['tenant.locked'] = { subscriptionId: null, reason, source: 'manual' }
    unit.tenant(institute.tenant, 'all').emit('tenant.locked', data)
  })

/** A second worker on the same database. */
const peer = (): Queue =>
  new Queue(app.app.runtime, {
    kinds: new Map<string, JobKind>(app.app.modules.flatMap(({ jobs = [] }) => jobs.map((kind) => [kind.name, kind]))),
    log: pino({ level: 'silent' }),
    isOnlyProcess: false,
  })

interface Entry {
  id: string
  channel: string
  status: string
  attempts: number
  reason: string | null
  templateKey: string
}
const messages = async (): Promise<Entry[]> =>
  (await institute.owner.get('/notifications?limit=100')).body.data.filter(
    ({ recipient }: { recipient: { id: string } }) => recipient.id === member.userId,
  )

/** The ids with which the member's messages were handed over, in order: Message-IDs, keys, and push topics. */
const handedOver = (): Record<string, string[]> => ({
  email: mails.filter(({ to }) => to === `user-${member.userId}@example.org`).map(({ id }) => id as string),
  push: service.received.map(({ payload }) => payload['id'] as string),
  sms: providers.keys.filter((key) => key !== undefined),
  whatsapp: providers.texted.filter(({ host }) => host === 'graph.facebook.com').map(({ to }) => to),
})
const forget = (): void => {
  for (const kept of [mails, service.received, providers.keys, providers.texted]) kept.length = 0
}

/**
 * Lets a process crash after so many steps of the work, and another one go on. @param before the ids of older messages
 * @returns undefined: it ended before that step; else what had been handed over and not stored by then
 */
const crash = async (steps: number, before: ReadonlySet<string>): Promise<{ unstored: Set<string> } | undefined> => {
  worker.crashAfter(steps)
  await app.drain().catch(() => {})
  const hasCrashed = worker.restart()
  const sent = (await messages()).filter(({ id, status }) => !before.has(id) && status === 'sent')
  const stored = new Set(sent.map(({ channel }) => channel))
  const given = handedOver()
  const unstored = new Set(OUTSIDE.filter((channel) => given[channel]?.length !== 0 && !stored.has(channel)))
  app.clock.advance(LEASE_SECONDS)
  await peer().drain()
  await peer().drain()
  return hasCrashed ? { unstored } : undefined
}

/** Each message is handed over once, or twice where the process crashed in between: with the same id. */
const checkHandedOver = (unstored: ReadonlySet<string>): void => {
  for (const [channel, ids] of Object.entries(handedOver())) {
    expect(ids, channel).toHaveLength(unstored.has(channel) ? 2 : 1)
    expect(new Set(ids).size, channel).toBe(1)
  }
}

describe('a process that crashes at any step', { timeout: 120_000 }, () => {
  test('loses no message, repeats only what was handed over and not stored, and that with the same id', async () => {
    let repeated = 0
    let steps = 0
    for (; ; steps += 1) {
      forget()
      const before = new Set((await messages()).map(({ id }) => id))
      await lock(`Number ${steps}`)
      const crashed = await crash(steps, before)
      const own = (await messages()).filter(({ id }) => !before.has(id))
      expect(own.map(({ channel }) => channel).toSorted()).toEqual(['email', 'in_app', 'push', 'sms', 'whatsapp'])
      for (const { channel, ...message } of own) {
        expect(message).toMatchObject({ status: 'sent', reason: null, attempts: channel === 'in_app' ? 0 : 1 })
      }
      expect((await member.get('/me/notifications?limit=100')).body.data).toHaveLength(steps + 1)
      checkHandedOver(crashed?.unstored ?? new Set())
      if (!crashed) break
      repeated += crashed.unstored.size
    }
    // The steps of the claim, the notices of the event, four deliveries and their ends.
    expect(steps).toBeGreaterThan(15)
    expect(repeated).toBeGreaterThan(3)
    const { channels } = (await institute.owner.get('/notifications/usage')).body
    const others = (await institute.owner.get('/notifications?limit=100')).body.data
    expect(others.filter(({ status }: Entry) => status === 'queued')).toEqual([])
    expect(channels.map(({ messages: counted }: { messages: number }) => counted).slice(1)).toEqual(
      Array(3).fill(steps + 1),
    )
  })

  test('sends one digest, with each of its parts once', async () => {
    let day = 3
    const preferences = ['email', 'sms', 'whatsapp', 'push'].map((channel) => ({
      channel,
      enabled: channel === 'email',
      digestMode: 'daily',
    }))
    await member.put('/notification-preferences', { preferences })
    app.clock.advance((Date.parse('2026-04-01T10:00:00Z') - app.clock.millis()) / 1000)
    for (let steps = 0; ; steps += 1, day += 1) {
      const before = new Set((await messages()).map(({ id }) => id))
      await lock('First!')
      await lock('Second!')
      await app.drain()
      forget()
      app.clock.advance(24 * 3600)
      const crashed = await crash(steps, before)
      const own = (await messages()).filter(({ id, channel }) => !before.has(id) && channel === 'email')
      expect(own.map(({ templateKey, status }) => `${templateKey} ${status}`).toSorted()).toEqual([
        'digest sent',
        'tenant.locked sent',
        'tenant.locked sent',
      ])
      const { email: ids = [] } = handedOver()
      expect(ids).toHaveLength(crashed?.unstored.has('email') ? 2 : 1)
      expect(new Set(ids).size).toBe(1)
      const [mail] = mails.filter(({ id }) => id === ids[0])
      expect(mail?.text.match(/First!|Second!/g)?.toSorted()).toEqual(['First!', 'Second!'])
      if (!crashed) break
    }
  })
})

describe('two processes', () => {
  test('that both believe to own a message hand it over with the same id, and one result counts', async () => {
    providers.behave('hangs')
    await lock('Slow')
    const first = app.drain()
    await expect.poll(() => providers.keys.length).toBeGreaterThan(0)
    app.clock.advance(LEASE_SECONDS)
    providers.behave(null)
    await peer().drain()
    const sent = (await messages()).filter(({ channel }) => channel === 'sms')
    expect(sent).toMatchObject([{ status: 'sent', attempts: 1 }])
    await first
    expect((await messages()).filter(({ channel }) => channel === 'sms')).toEqual(sent)
    expect(new Set(handedOver()['sms']).size).toBe(1)
  })

  test('that work at once hand each message over once', async () => {
    forget()
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
      const tx = unit.tenant(institute.tenant, 'all')
      for (let n = 0; n < 20; n += 1)
        tx.emit('tenant.locked', { subscriptionId: null, reason: `${n}`, source: 'manual' })
    })
    await Promise.all([app.drain(), peer().drain(), peer().drain()])
    const { email = [], push = [], sms = [] } = handedOver()
    for (const ids of [email, push, sms]) {
      expect(ids).toHaveLength(20)
      expect(new Set(ids).size).toBe(20)
    }
    expect((await member.get('/me/notifications?limit=100')).body.data).toHaveLength(20)
  })

  test('that are due to send the same digest send it once', async () => {
    const prefer = (digestMode: string) =>
      member.put('/notification-preferences', { preferences: [{ channel: 'email', enabled: true, digestMode }] })
    await prefer('daily')
    await lock('Before')
    await app.drain()
    // What waits is moved to Sunday, and so is what comes afterwards: each has made a job for it.
    await prefer('weekly')
    await lock('After')
    await app.drain()
    forget()
    app.clock.advance(7 * 24 * 3600)
    await Promise.all([app.drain(), peer().drain()])
    expect((await messages()).filter(({ templateKey }) => templateKey === 'digest')).toHaveLength(1)
    expect(handedOver()['email']).toHaveLength(1)
  })
})
