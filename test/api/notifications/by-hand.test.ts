import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { newFamily, newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { GENERIC, startTextProviders } from '#kit/text-providers.ts'

/** The job that writes a message sent by hand takes the people as the request found them, and their preferences anew. */

let app: TestApp
let texting: Awaited<ReturnType<typeof startTextProviders>>
let institute: TestInstitute

beforeAll(async () => {
  texting = await startTextProviders()
  app = await startApp({ outbound: texting.outbound })
})
afterAll(async () => {
  await app.close()
  texting.close()
})
beforeEach(async () => {
  institute = await makeInstitute(app, { features: { sms_notifications: true } })
  const { url, token } = GENERIC
  await institute.owner.put('/notification-providers/sms', { provider: 'https', url, token })
})

const send = async (recipients: object, channel: string) => {
  const data = { title: 'Closed', message: 'We are closed.' }
  const message = { templateKey: 'message', data, channels: [channel], recipients }
  const { status, body } = await institute.owner.post('/notifications/send', message)
  expect(status).toBe(202)
  return body
}
const log = async () => (await institute.owner.get('/notifications')).body.data

test('somebody whose account has no phone number is reached at the number of their record, as the reply says', async () => {
  const { studentId } = await newFamily(institute)
  const member = await institute.member({ role: 'guardian' })
  const guardianId = await newParent(institute, studentId, { userId: member.userId, phone: '+972501234567' })
  expect(await send({ guardianIds: [guardianId] }, 'sms')).toMatchObject({ queued: 1, skipped: [] })
  await app.drain()
  const recipient = { kind: 'user', id: member.userId, address: '+972501234567' }
  expect(await log()).toMatchObject([{ status: 'sent', recipient }])
  expect(texting.texted.map(({ to }) => to)).toEqual(['+972501234567'])
})

test('a channel that was switched off before the message is written stays silent, and the log says why', async () => {
  const member = await institute.member({ role: 'guardian' })
  expect(await send({ userIds: [member.userId] }, 'in_app')).toMatchObject({ queued: 1 })
  const off = { channel: 'in_app', enabled: false, digestMode: 'immediate' }
  await member.put('/notification-preferences', { preferences: [off] })
  await app.drain()
  expect((await member.get('/me/notifications')).body.data).toEqual([])
  expect(await log()).toMatchObject([{ status: 'skipped', reason: 'They have switched this channel off.' }])
})
