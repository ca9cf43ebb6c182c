import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startReceiver } from '#kit/receiver.ts'
import { emailOf } from '#kit/sign-in.ts'
import { MailError } from '#ports/mail/port.ts'
import { newWebhook } from '../examples/integrations.ts'

/** Work that is given up after its last attempt is logged once, without personal data. */

let app: TestApp
let institute: TestInstitute
let lines: Record<string, unknown>[] = []
beforeAll(async () => {
  app = await startApp({
    config: { accessTokenSeconds: 30 * 24 * 3600 },
    log: pino(
      { base: null },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    openMailer: () => ({
      send: async ({ to }) => {
        throw new MailError(`there is no mailbox ${to}`, true)
      },
      close: async () => {},
    }),
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
  lines = []
})

const warned = (msg: string) => lines.filter((line) => line.level === 40 && line.msg === msg)

test('a webhook delivery, once all its attempts have failed', async () => {
  const receiver = await startReceiver()
  receiver.answer(500, 500, 500, 500, 500, 500)
  const { id: endpointId } = await newWebhook(institute, { url: `${receiver.url}?key=secret` })
  await institute.owner.post('/students', { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' })
  await app.drain()
  for (const wait of [60, 300, 1800, 7200]) {
    expect(warned('a webhook delivery failed for good')).toEqual([])
    await app.pass(wait)
  }
  const [delivery] = (await institute.owner.get(`/webhooks/${endpointId}/deliveries`)).body.data
  expect(delivery).toMatchObject({ status: 'failed', attempts: 5 })
  expect(warned('a webhook delivery failed for good')).toMatchObject([
    { tenantId: institute.tenant.id, endpointId, deliveryId: delivery.id, attempts: 5, status: 500 },
  ])
  expect(JSON.stringify(lines)).not.toContain('key=secret')
  receiver.close()
})

test('a message that the mail server refuses', async () => {
  const student = { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad', email: 'noor@example.org' }
  const { id } = (await institute.owner.post('/students', student)).body
  const data = { title: 'Closed', message: 'We are closed.' }
  const message = { templateKey: 'message', channels: ['email'], recipients: { studentIds: [id] }, data }
  expect((await institute.owner.post('/notifications/send', message)).status).toBe(202)
  await app.drain()
  const [kept] = (await institute.owner.get('/notifications?status=failed')).body.data
  expect(warned('a message failed for good')).toMatchObject([
    { tenantId: institute.tenant.id, notificationId: kept.id, channel: 'email', attempts: 1 },
  ])
  expect(JSON.stringify(lines)).not.toContain(student.email)
})

test('a job, such as the mail with a link', async () => {
  await app.post('/auth/forgot-password', { email: emailOf(institute.ownerUserId) })
  await app.drain()
  expect(warned('a job failed for good')).toMatchObject([{ kind: 'mail.send', job: expect.any(String) }])
})
