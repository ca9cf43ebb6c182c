import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { sweepRegistrationsJob } from '#modules/leads/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'
import { newApiKey } from '../examples/integrations.ts'
import { registration, SITE } from '../examples/leads.ts'
import { newPhone } from '../examples/people.ts'

/**
 * The day of a publishable key: registrations that are kept count, and the same one within 24 hours answers the first.
 * The day is three registrations here, so that it is soon full.
 */

const PER_DAY = 3
const DAY = 24 * 3600

let app: TestApp
let institute: TestInstitute
let site: Client

const pageKey = async (of = institute): Promise<Client> =>
  app.as((await newApiKey(of, { kind: 'publishable', allowedOrigins: [SITE] })).key)

const register = (body: object = registration(), key?: string, from = site): Promise<Reply> =>
  from.send('POST', '/public/registrations', {
    body,
    headers: { origin: SITE, ...(key !== undefined && { 'idempotency-key': key }) },
  })

const found = async (path: string): Promise<number> => (await institute.owner.get(`${path}?limit=100`)).body.data.length
const told = async () => [
  await found('/students'),
  await found('/leads'),
  await found('/guardians'),
  (await eventsOf(app, institute, 'lead.created')).length,
  (await eventsOf(app, institute, 'student.created')).length,
]

beforeAll(async () => {
  app = await startApp({
    config: {
      ...NO_LIMITS,
      accessTokenSeconds: 10 * DAY,
      publicLimits: { ...DEFAULTS.publicLimits, ...NO_LIMITS.publicLimits, registrationsADayOfKey: PER_DAY },
    },
  })
})
beforeEach(async () => {
  institute = await makeInstitute(app)
  site = await pageKey()
})
afterAll(() => app.close())

describe('the day of a key', () => {
  test('is full after its registrations that were kept: 429 with the headers of the day, until the first is a day old', async () => {
    const other = await pageKey()
    expect((await register()).status).toBe(201)
    app.clock.advance(100)
    for (let n = 1; n < PER_DAY; n += 1) expect((await register()).status).toBe(201)
    const before = await told()
    const { status, body, headers } = await register()
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))).toEqual([
      PER_DAY,
      0,
      DAY - 100,
    ])
    expect(Number(headers.get('retry-after'))).toBe(DAY - 100)
    expect(await told()).toEqual(before)
    expect((await register(registration(), undefined, other)).status).toBe(201)
    expect((await site.send('GET', '/public/courses', { headers: { origin: SITE } })).status).toBe(200)
    app.clock.advance(DAY - 101)
    expect((await register()).status).toBe(429)
    app.clock.advance(1)
    expect((await register()).status).toBe(201)
    expect((await register()).status).toBe(429)
  })

  test('is not used up by what is refused, whatever refuses it', async () => {
    const set = (values: object) => institute.owner.patch('/settings', values)
    const refused: Reply[] = []
    for (let n = 0; n <= PER_DAY; n += 1) {
      refused.push(await register({}))
      refused.push(await register({ ...registration(), courseId: institute.branchId }))
      await set({ registration: { enabled: false, captcha: null } })
      refused.push(await register())
      await set({ registration: { enabled: true, captcha: null } })
    }
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([422, 404, 403]))
    for (let n = 0; n < PER_DAY; n += 1) expect((await register()).status).toBe(201)
  })

  test('has room for as many as it says when more come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 4 * PER_DAY }, () => register()))
    const statuses = replies.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(PER_DAY).fill(201), ...Array(3 * PER_DAY).fill(429)])
    expect(await told()).toEqual([PER_DAY, PER_DAY, PER_DAY, PER_DAY, PER_DAY])
  })

  test('loses nothing to replies that are given again, which come also when it is full', async () => {
    const body = registration()
    const first = await register(body, 'one key')
    for (let n = 0; n < PER_DAY; n += 1) {
      expect((await register(body, 'one key')).headers.get('idempotency-replayed')).toBe('true')
      expect((await register(body, `key ${n}`)).body).toEqual(first.body)
    }
    for (let n = 1; n < PER_DAY; n += 1) expect((await register()).status).toBe(201)
    expect((await register()).status).toBe(429)
    expect([(await register(body, 'one key')).body, (await register(body)).body]).toEqual([first.body, first.body])
  })
})

describe('the same registration within 24 hours', () => {
  test.each([
    ['exactly', {}],
    ['with names in other case, blanks and forms of letters', { firstName: '  YÁRA ', lastName: 'NASSER' }],
    ['with the phone as people write it', { guardian: { firstName: 'Hala', lastName: 'N', phone: '050-765 4321' } }],
    ['with another wish', { courseInterest: 'Evening English', message: 'Please call', email: 'y@example.org' }],
  ])('answers the first, %s: no second student, lead, event or mail', async (_, more) => {
    const body = {
      firstName: 'Yara',
      lastName: 'Nasser',
      guardian: { firstName: 'Hala', lastName: 'Nasser', phone: '+972507654321' },
    }
    const first = await register(body, 'first')
    expect(first.status).toBe(201)
    await app.drain()
    const [before, mails] = [await told(), app.mails.length]
    app.clock.advance(DAY - 1)
    const second = await register({ ...body, ...more }, 'second')
    expect([second.status, second.body]).toEqual([201, first.body])
    await app.drain()
    expect([await told(), app.mails.length]).toEqual([before, mails])
  })

  test('in Arabic, with and without its marks and hamza, is the same', async () => {
    const guardian = { firstName: 'هالة', lastName: 'ناصر', phone: newPhone() }
    const first = await register({ firstName: 'أَحمد', lastName: 'ناصر', guardian })
    expect((await register({ firstName: 'احمد', lastName: 'ناصر', guardian })).body).toEqual(first.body)
  })

  test('is another one for another child, another phone, another key, or a day later', async () => {
    const body = registration()
    const other = await pageKey()
    const first = await register(body)
    const ids = [
      await register({ ...body, firstName: 'Sami' }),
      await register({ ...body, guardian: { ...body.guardian, phone: newPhone() } }),
      await register(body, undefined, other),
    ].map((reply) => reply.body.studentId)
    app.clock.advance(DAY)
    ids.push((await register(body)).body.studentId)
    expect(new Set([first.body.studentId, ...ids]).size).toBe(5)
    expect(await found('/students')).toBe(5)
  })

  test('is one student, lead and event when 20 come at once', async () => {
    const body = registration()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => register(body, `key ${n}`)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1)
    expect(await told()).toEqual([1, 1, 1, 1, 1])
  })

  test('is kept anew once the office has deleted the first', async () => {
    const body = registration()
    const first = await register(body)
    expect((await institute.owner.delete(`/students/${first.body.studentId}`)).status).toBe(200)
    const second = await register(body)
    expect(second.status).toBe(201)
    expect(second.body.studentId).not.toBe(first.body.studentId)
  })
})

test('what is older than a day, and what a wrong clock has stored, is swept', async () => {
  const old = (await register()).body.leadId
  app.clock.advance(DAY / 2)
  const recent = (await register()).body.leadId
  app.clock.advance(DAY)
  const ahead = (await register()).body.leadId
  app.clock.advance(-DAY)
  app.clock.advance(DAY / 2)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(sweepRegistrationsJob, {}),
  )
  await app.drain()
  const rows = await app.app.database.read.selectFrom('public_registration').select('lead_id').execute()
  const left = rows.map((row) => row.lead_id)
  expect([old, recent, ahead].map((id) => left.includes(id))).toEqual([false, true, false])
})
