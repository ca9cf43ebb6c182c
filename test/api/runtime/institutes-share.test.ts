import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { startBadMailServer, type BadMailServer } from '#kit/bad-mail-server.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startReceiver, type WebhookReceiver } from '#kit/receiver.ts'
import { recordEvents } from '#kit/records.ts'
import { emailOf } from '#kit/sign-in.ts'
import { newWebhook } from '../examples/integrations.ts'

/**
 * What one institute sends delays no other. The test looks for what the other one sent while all places of the first one
 * still hang, so the result does not depend on timing.
 */

const PLACES_OF_INSTITUTE = 32
const ENDPOINTS = 50
/** What is sent by hand, and most of what may be in the other lane of mails. */
const MANY_MAILS = 3 + 12
const HELD_MILLIS = 120_000

let app: TestApp
let greedy: TestInstitute
let other: TestInstitute
let hanging: WebhookReceiver
let receiver: WebhookReceiver
let mailServer: BadMailServer
let release: () => void

beforeEach(async () => {
  hanging = await startReceiver(204)
  release = hanging.hold()
  receiver = await startReceiver(204)
  mailServer = await startBadMailServer()
  const guarded = guardedOutbound({ policy: { blockPrivate: false, requireHttps: false } })
  app = await startApp({
    now: systemClock.now(),
    working: true,
    // No attempt is given up while the test runs.
    ownMailMillis: HELD_MILLIS,
    outbound: { ...guarded, post: (request) => guarded.post({ ...request, deadlineMs: HELD_MILLIS }) },
  })
  greedy = await makeInstitute(app, { features: { byo_email_provider: true } })
  other = await makeInstitute(app)
})
afterEach(async () => {
  await app.app.database.write((db) => db.deleteFrom('job').where('state', '=', 'queued').execute())
  release()
  await mailServer.stop()
  for (const one of [hanging, receiver]) one.close()
  await app.close()
})

const running = async () =>
  (await app.app.database.read.selectFrom('job').select('tenant_id').where('state', '=', 'running').execute()).length

const forget = async ({ ownerUserId }: TestInstitute): Promise<void> => {
  const to = emailOf(ownerUserId)
  expect((await app.post('/auth/forgot-password', { email: to })).status).toBe(200)
  await expect.poll(() => app.mails.filter((mail) => mail.to === to).length).toBe(1)
}

const tellByMail = async ({ owner, branchId }: TestInstitute, students: number): Promise<void> => {
  const ids: string[] = []
  for (let n = 0; n < students; n += 1) {
    const student = { branchId, firstName: 'Noor', lastName: `Number ${n}`, email: `noor-${n}@example.org` }
    ids.push((await owner.post('/students', student)).body.id)
  }
  const reply = await owner.post('/notifications/send', {
    templateKey: 'message',
    data: { title: 'Closed', message: 'We are closed.' },
    channels: ['email'],
    recipients: { studentIds: ids },
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(202)
}

/** Owners hear of a lock by mail, each time. */
const tellOwner = ({ tenant }: TestInstitute, times: number): Promise<void> =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    const tx = unit.tenant(tenant, 'all')
    for (let n = 0; n < times; n += 1) {
      tx.emit('tenant.locked', { subscriptionId: null, reason: `Number ${n}`, source: 'manual' })
    }
  })

test('fifty endpoints that hang, with thousands of deliveries waiting, hold up neither another institute’s delivery nor a mail', async () => {
  for (let n = 0; n < ENDPOINTS; n += 1) {
    await newWebhook(greedy, { url: `${hanging.url}/${n}`, events: ['lead.created'] })
  }
  await newWebhook(other, { url: receiver.url })
  await recordEvents(app, greedy, 60, 'lead.created')
  await expect.poll(() => hanging.received.length, { timeout: 10_000 }).toBe(PLACES_OF_INSTITUTE)
  await recordEvents(app, other)
  await expect.poll(() => receiver.received.length).toBe(1)
  await forget(other)
  await tellByMail(other, 1)
  await expect.poll(() => app.mails.filter((mail) => mail.to === 'noor-0@example.org').length).toBe(1)
  expect(hanging.received).toHaveLength(PLACES_OF_INSTITUTE)
}, 60_000)

test('a mail server of one institute that hangs holds up neither mails of another nor of a forgotten password', async () => {
  mailServer.behave({ greeting: 'hangs' })
  const provider = { provider: 'smtp', host: '127.0.0.1', port: mailServer.port, security: 'starttls' }
  const put = await greedy.owner.put('/notification-providers/email', { ...provider, from: 'office@school.example' })
  expect(put.status).toBe(200)
  await tellByMail(greedy, 30)
  await tellOwner(greedy, 40)
  await expect.poll(running, { timeout: 10_000 }).toBeGreaterThan(MANY_MAILS)
  await tellByMail(other, 1)
  await expect.poll(() => app.mails.filter((mail) => mail.to === 'noor-0@example.org').length).toBe(1)
  await forget(greedy)
  await forget(other)
  expect(await running()).toBeGreaterThan(MANY_MAILS)
}, 60_000)
