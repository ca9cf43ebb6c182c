import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten past four in the afternoon in Jerusalem.
  app = await startApp({ now: '2026-03-02T14:10:00.000Z' })
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const monday = { weekday: 1, startTime: '16:00', endTime: '17:30', validFrom: '2026-03-01', validTo: null }

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
const sessionsOf = async (groupId: string): Promise<any[]> =>
  (await owner.get(`/groups/${groupId}/sessions?limit=100`)).body.data

test('weekly times that change make no session of today at an hour that is over', async () => {
  const groupId = await newGroup(institute)
  await owner.put(`/groups/${groupId}/schedules`, { schedules: [{ ...monday, startTime: '09:00', endTime: '10:00' }] })
  expect((await sessionsOf(groupId)).map(({ scheduledStart }) => scheduledStart)[0]).toBe('2026-03-09T07:00:00.000Z')
})

test('a class set up in its own hour has the nine on its roster who are enrolled by then', async () => {
  const groupId = await newGroup(institute)
  for (let enrolled = 0; enrolled < 9; enrolled += 1) await newPupil(institute, groupId)
  await owner.put(`/groups/${groupId}/schedules`, { schedules: [monday] })
  const [running] = await sessionsOf(groupId)
  expect(running).toMatchObject({ scheduledStart: '2026-03-02T14:00:00.000Z' })
  expect((await owner.get(`/sessions/${running.id}/attendance`)).body.entries).toHaveLength(9)
  const { data } = (await owner.get(`/sessions?groupId=${groupId}`)).body
  expect(data).toMatchObject([{ rosterCount: 9, attendanceState: 'unmarked' }])
  // Who is enrolled after it is set up, while it runs, belongs to it too.
  await newPupil(institute, groupId)
  expect((await owner.get(`/sessions/${running.id}/attendance`)).body.entries).toHaveLength(10)
})

test('a lesson of the past that is added now has only those who were enrolled when it began', async () => {
  const groupId = await newGroup(institute)
  await newPupil(institute, groupId)
  const times = { scheduledStart: '2026-03-01T14:00:00.000Z', scheduledEnd: '2026-03-01T15:00:00.000Z' }
  const sessionId = await newSession(institute, groupId, times)
  expect((await owner.get(`/sessions/${sessionId}/attendance`)).body.entries).toEqual([])
})

test('a lesson of two weeks ago that is cancelled: nobody is told', async () => {
  const { groupId } = await newFamily(institute)
  const times = { scheduledStart: '2026-02-16T14:00:00.000Z', scheduledEnd: '2026-02-16T15:00:00.000Z' }
  const sessionId = await newSession(institute, groupId, times)
  await app.drain()
  app.mails.length = 0
  const cancelled = await owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'It rained' })
  expect(cancelled.body).toMatchObject({ status: 'cancelled', cancelReason: 'It rained', cancelledBy: 'hand' })
  await app.drain()
  expect(app.mails).toEqual([])
})

test('the reason of a cancellation stands in the message and in the session', async () => {
  const { groupId } = await newFamily(institute, { email: 'reason@example.org' })
  const sessionId = await newSession(institute, groupId)
  app.mails.length = 0
  await owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'The teacher is ill' })
  await app.drain()
  expect(app.mails.length).toBeGreaterThan(3)
  for (const { text } of app.mails) expect(text).toContain('The teacher is ill')
  expect((await owner.get(`/sessions/${sessionId}`)).body).toMatchObject({ cancelReason: 'The teacher is ill' })
  const { data } = (await owner.get(`/sessions?from=2026-03-02&groupId=${groupId}`)).body
  expect(data).toMatchObject([{ cancelReason: 'The teacher is ill' }])
})
