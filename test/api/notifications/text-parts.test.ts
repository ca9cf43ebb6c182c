import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { newFamily, newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { GENERIC, startTextProviders } from '#kit/text-providers.ts'
import { segmentsOf } from '#modules/notifications/outbox/segments.ts'

/** In how many parts text messages go, as the dry run says. */

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

const send = async (guardianIds: string[], message: string, more: object = {}) => {
  const body = { templateKey: 'message', data: { title: 'Closed', message }, channels: ['sms'], ...more }
  return (await institute.owner.post('/notifications/send', { ...body, recipients: { guardianIds } })).body
}

test('a dry run says of text messages, and of nothing else, how many parts go', async () => {
  const { studentId } = await newFamily(institute)
  const ids: string[] = []
  for (const phone of ['+972501234561', '+972501234562']) ids.push(await newParent(institute, studentId, { phone }))
  const long = 'א'.repeat(120)
  const asked = await send(ids, long, { dryRun: true, channels: ['sms', 'email'] })
  const of = (channel: string) => asked.channels.find((one: { channel: string }) => one.channel === channel)
  expect(of('email').segments).toBeNull()
  const parts = segmentsOf(asked.texts.find(({ channel }: { channel: string }) => channel === 'sms').body)
  expect(parts).toBeGreaterThan(1)
  expect(of('sms')).toMatchObject({ messages: 2, segments: { least: parts, most: parts, all: 2 * parts } })
  // What goes is what was counted.
  const sent = await send(ids, long)
  expect(sent.channels[0].segments).toBeNull()
  await app.drain()
  expect(texting.texted).toHaveLength(2)
  expect(texting.texted.map(({ text }) => segmentsOf(text ?? ''))).toEqual([parts, parts])
})

test('nobody who is reached has no parts', async () => {
  const { studentId } = await newFamily(institute)
  const member = await institute.member({ role: 'guardian' })
  await member.put('/notification-preferences', {
    preferences: [{ channel: 'sms', enabled: false, digestMode: 'immediate' }],
  })
  const id = await newParent(institute, studentId, { userId: member.userId, phone: '+972501234563' })
  expect((await send([id], 'Short', { dryRun: true })).channels).toMatchObject([{ messages: 0, segments: null }])
})
