import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { FakePushServices, subscriptionAt } from '#kit/fake-push-services.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'

/** A push service that hangs holds up nobody but itself. */

const BAD = 'push.hangs.example'
const GOOD = 'push.answers.example'
const PLACES_OF_LANE = 16
const PAUSE_SECONDS = 60
const NEXT_ATTEMPT_SECONDS = 300

let app: TestApp
let push: FakePushServices
let institute: TestInstitute

beforeEach(async () => {
  push = new FakePushServices()
  push.hang(BAD)
  app = await startApp({ push, config: { accessTokenSeconds: 90 * 24 * 3600 } })
  institute = await makeInstitute(app)
})
afterEach(async () => {
  push.giveUp()
  await app.close()
})

const memberAt = async (...hosts: string[]): Promise<TestMember> => {
  const member = await institute.member({ role: 'guardian' })
  for (const host of hosts) expect((await member.post('/me/devices', subscriptionAt(host))).status).toBe(201)
  return member
}

const tell = async (...members: TestMember[]): Promise<void> => {
  const reply = await institute.owner.post('/notifications/send', {
    templateKey: 'message',
    data: { title: 'Closed', message: 'We are closed.' },
    channels: ['push'],
    recipients: { userIds: members.map(({ userId }) => userId) },
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(202)
}

const entriesOf = async ({ userId }: TestMember) =>
  (await institute.owner.get('/notifications?channel=push&limit=100')).body.data.filter(
    ({ recipient }: { recipient: { id: string } }) => recipient.id === userId,
  )

/** Runs what is due; whatever hangs comes to its end. */
const drained = async (): Promise<void> => {
  const ending = setInterval(() => push.giveUp(), 1)
  await app.drain()
  clearInterval(ending)
}

test('a hanging service, with many messages for it, holds up no message to another', async () => {
  const unlucky = await Promise.all(Array.from({ length: 40 }, () => memberAt(BAD)))
  const lucky = await memberAt(GOOD)
  await app.app.queue.start()
  await tell(...unlucky)
  await expect.poll(() => push.askedAt(BAD), { timeout: 10_000 }).toBe(PLACES_OF_LANE)
  await tell(lucky)
  await expect.poll(() => push.askedAt(GOOD), { timeout: 10_000 }).toBe(1)
  expect(push.askedAt(BAD)).toBe(PLACES_OF_LANE)
  await app.app.database.write((db) => db.deleteFrom('job').where('state', '=', 'queued').execute())
  push.giveUp()
  await app.app.queue.stop(1000)
})

test('a request to a push service ends after 5 seconds', async () => {
  const member = await memberAt(GOOD)
  await tell(member)
  await app.drain()
  expect(push.asked.map(({ deadlineMs = 5000 }) => deadlineMs <= 5000)).toEqual([true])
})

test('a service that did not answer lately is left alone for a minute; then one message tries for all', async () => {
  const members = await Promise.all(Array.from({ length: 3 }, () => memberAt(BAD)))
  await tell(...members)
  await drained()
  expect(push.askedAt(BAD)).toBe(3)
  app.clock.advance(1)
  const late = await Promise.all(Array.from({ length: 3 }, () => memberAt(BAD)))
  await tell(...late)
  await app.drain()
  expect(push.askedAt(BAD)).toBe(3)
  const [waiting] = await entriesOf(late[0] as TestMember)
  expect(waiting).toMatchObject({ status: 'queued', reason: expect.stringContaining('not answered lately') })
  expect(Date.parse(waiting.nextAttemptAt) - app.clock.millis()).toBeGreaterThanOrEqual((PAUSE_SECONDS - 1) * 1000)
  push.recover(BAD)
  // The first one finds out; what ran beside it waits for its next attempt.
  await app.pass(PAUSE_SECONDS)
  expect(push.askedAt(BAD)).toBeGreaterThan(3)
  await app.pass(NEXT_ATTEMPT_SECONDS)
  for (const member of [...members, ...late]) expect(await entriesOf(member)).toMatchObject([{ status: 'sent' }])
})

test('after the pause one request finds that it still hangs; the others wait again', async () => {
  const members = await Promise.all(Array.from({ length: 6 }, () => memberAt(BAD)))
  await tell(...members)
  await drained()
  const before = push.askedAt(BAD)
  app.clock.advance(PAUSE_SECONDS)
  await drained()
  expect(push.askedAt(BAD)).toBe(before + 1)
})

test('somebody with browsers at both services is told once, whichever comes first', async () => {
  for (const hosts of [
    [BAD, GOOD],
    [GOOD, BAD],
  ]) {
    const member = await memberAt(...hosts)
    const [bad, good] = [push.askedAt(BAD), push.askedAt(GOOD)]
    await tell(member)
    await drained()
    expect(await entriesOf(member)).toMatchObject([{ status: 'sent', attempts: 1 }])
    expect([push.askedAt(BAD), push.askedAt(GOOD)]).toEqual([bad + 1, good + 1])
    await app.pass(24 * 3600)
    expect(push.askedAt(GOOD)).toBe(good + 1)
  }
})
