import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { newFamily, type TestFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { create, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let family: TestFamily

const TOKEN_SECONDS = 100 * 24 * 3600
const QUIET = { from: '21:00', to: '07:00' }
const SEVEN = '2026-03-03T05:00:00.000Z'

beforeEach(async () => {
  // Monday 2026-03-02, 10:00 in Jerusalem.
  app = await startApp({ config: { accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS } })
  institute = await makeInstitute(app)
  family = await newFamily(institute)
  await app.drain()
  app.mails.length = 0
})
afterEach(() => app.close())

const quiet = (changes: object = { quietHours: QUIET }) => institute.owner.patch('/settings', changes)
const until = async (instant: string) => {
  app.clock.advance((Date.parse(instant) - app.clock.millis()) / 1000)
  await app.drain()
}
const write = async () => {
  const body = {
    templateKey: 'message',
    channels: ['email', 'in_app'],
    recipients: { guardianIds: [family.motherId] },
    data: { title: 'Trip', message: 'Bring water.' },
  }
  expect(await institute.owner.post('/notifications/send', body)).toMatchObject({ status: 202 })
  await app.drain()
}
const mailEntries = async () => (await institute.owner.get('/notifications?channel=email')).body.data

test('what can wait goes out when they end, and its entry says until when it waits', async () => {
  expect((await quiet()).body).toMatchObject({ quietHours: QUIET, quietDays: { weekdays: [], onClosedDays: false } })
  expect(await auditOf(app, institute, 'settings.update')).toHaveLength(1)
  await until('2026-03-02T20:00:00.000Z')
  await write()
  expect(app.mails).toEqual([])
  expect(await mailEntries()).toMatchObject([
    { status: 'queued', nextAttemptAt: SEVEN, attempts: 0, reason: 'It waits for the end of the quiet hours.' },
  ])
  await until('2026-03-03T04:59:59.000Z')
  expect(app.mails).toEqual([])
  await until(SEVEN)
  expect(app.mails).toMatchObject([{ subject: expect.stringContaining('Trip') }])
  expect(await mailEntries()).toMatchObject([{ status: 'sent', reason: null, nextAttemptAt: null }])
})

test('what was due before and was not sent in time waits too, from then on', async () => {
  await write()
  expect(app.mails).toHaveLength(1)
  app.mails.length = 0
  await until('2026-03-02T18:00:00.000Z')
  const body = { templateKey: 'message', channels: ['email'], recipients: { guardianIds: [family.motherId] } }
  await institute.owner.post('/notifications/send', { ...body, data: { title: 'Late', message: 'Late.' } })
  // The server was off, and the quiet hours were set meanwhile.
  await quiet()
  await until('2026-03-02T21:00:00.000Z')
  expect(app.mails).toEqual([])
  expect((await mailEntries())[0]).toMatchObject({ status: 'queued', nextAttemptAt: SEVEN })
  await quiet({ quietHours: null })
  await until(SEVEN)
  expect(app.mails).toMatchObject([{ subject: expect.stringContaining('Late') }])
})

test('an absence, a new password and a lesson of the morning are told at once; one of the afternoon waits', async () => {
  await quiet()
  const evening = { scheduledStart: '2026-03-02T19:30:00.000Z', scheduledEnd: '2026-03-02T20:30:00.000Z' }
  const marked = await newSession(institute, family.groupId, evening)
  const morning = { scheduledStart: '2026-03-03T06:30:00.000Z', scheduledEnd: '2026-03-03T07:30:00.000Z' }
  const early = await newSession(institute, family.groupId, morning)
  const afternoon = { scheduledStart: '2026-03-03T14:00:00.000Z', scheduledEnd: '2026-03-03T15:00:00.000Z' }
  const late = await newSession(institute, family.groupId, afternoon)
  await until('2026-03-02T20:00:00.000Z')
  app.mails.length = 0
  const entries = [{ studentId: family.studentId, status: 'absent' }]
  await institute.owner.put(`/sessions/${marked}/attendance`, { entries })
  await app.drain()
  expect(app.mails.length).toBeGreaterThan(0)
  app.mails.length = 0
  await institute.owner.patch(`/sessions/${late}`, { status: 'cancelled', reason: 'Strike' })
  await app.drain()
  expect(app.mails).toEqual([])
  await institute.owner.patch(`/sessions/${early}`, { status: 'cancelled', reason: 'Strike' })
  await app.drain()
  expect(app.mails.length).toBeGreaterThan(0)
  const told = app.mails.length
  await app.post('/auth/forgot-password', { email: (await institute.owner.get('/me')).body.email })
  await app.drain()
  expect(app.mails.length).toBeGreaterThan(told)
})

test('quiet days and closed days are quiet from midnight to midnight', async () => {
  await quiet({ quietHours: QUIET, quietDays: { weekdays: [2], onClosedDays: true } })
  await create(institute, '/closures', { name: 'Holiday', from: '2026-03-04', to: '2026-03-04' })
  await until('2026-03-03T10:00:00.000Z')
  app.mails.length = 0
  await write()
  expect(app.mails).toEqual([])
  expect((await mailEntries())[0]).toMatchObject({ nextAttemptAt: '2026-03-05T05:00:00.000Z' })
  await quiet({ quietDays: { onClosedDays: false } })
  expect((await institute.owner.get('/settings')).body.quietDays).toEqual({ weekdays: [2], onClosedDays: false })
})

test('settings are refused that make no sense', async () => {
  expect(await quiet({ quietHours: { from: '07:00', to: '07:00' } })).toMatchObject({ status: 422 })
  expect(await quiet({ quietHours: { from: '25:00', to: '07:00' } })).toMatchObject({ status: 422 })
  expect(await quiet({ quietDays: { weekdays: [0, 1, 2, 3, 4, 5, 6] } })).toMatchObject({ status: 422 })
})
