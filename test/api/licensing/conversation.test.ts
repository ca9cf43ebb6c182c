import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startVendor, licenseToken, type TestVendor } from '#kit/vendor.ts'
import { watchJob } from '#modules/licensing/watch.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'

let app: TestApp
let institute: TestInstitute
let vendor: TestVendor
/** The vendor's clock. */
let serverTime: string

const licenseId = newId()
const HOUR = 3600
const DAY = 24 * HOUR
const YEAR = 365 * DAY

beforeEach(async () => {
  serverTime = '2026-03-02T08:00:00.000Z'
  vendor = await startVendor(() => serverTime)
  app = await startApp({ config: { accessTokenSeconds: 1e9, license: { ...DEFAULTS.license, ...vendor.config } } })
  institute = await makeInstitute(app)
  await institute.owner.post('/license', { token: licenseToken({ licenseId }) })
  await app.drain()
})
afterEach(async () => {
  vendor.close()
  await app.close()
})

/** What the database says: sessions do not live for the years that these tests take. */
const row = async () => {
  const { status } = await app.app.database.read.selectFrom('tenant').select('status').executeTakeFirstOrThrow()
  const license = await app.app.database.read.selectFrom('installed_license').selectAll().executeTakeFirstOrThrow()
  return { status, ...license }
}
/** Time passes for both. */
const pass = async (seconds: number) => {
  serverTime = new Date(Date.parse(serverTime) + seconds * 1000).toISOString()
  await app.pass(seconds)
}
const watch = async () => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(watchJob, {}),
  )
  await app.drain()
}
const last = () => vendor.heartbeats.at(-1)

describe('an answer is believed only', () => {
  const doubt = async (error: string) => {
    vendor.command('lock')
    await pass(6 * HOUR)
    expect(await row()).toMatchObject({
      status: 'active',
      last_error: error,
      last_heartbeat_at: '2026-03-02T08:00:00.000Z',
    })
  }

  test('once: an old envelope that comes again is ignored, also with the clock set back to its time', async () => {
    vendor.command('lock', 'to be replayed')
    let taken: unknown
    vendor.answerBy((envelope, response) => {
      taken = envelope
      response.destroy()
    })
    await pass(6 * HOUR)
    expect(taken).toBeDefined()
    vendor.answerBy((_, response) => response.end(JSON.stringify(taken)))
    await pass(HOUR)
    const error = 'The answer is for another heartbeat: an old one was sent again.'
    expect(await row()).toMatchObject({ status: 'active', last_error: error })
    app.clock.advance(-7 * HOUR)
    await watch()
    await app.pass(HOUR)
    expect(await row()).toMatchObject({ status: 'active', last_error: error })
  })

  test('from the vendor: another install’s envelope, a changed one and another key’s change nothing', async () => {
    vendor.say({ installId: newId() })
    await doubt('The answer is for another install.')
    vendor.say({})
    vendor.answerBy((envelope, response) =>
      response.end(JSON.stringify({ ...envelope, payload: `${envelope.payload}A` })),
    )
    await pass(HOUR)
    expect((await row()).last_error).toMatch(/^The answer does not have the vendor’s signature|^What answered is not/)
    vendor.answerBy((envelope, response) => response.end(JSON.stringify({ ...envelope, keyId: 'another' })))
    await pass(HOUR)
    expect(await row()).toMatchObject({
      status: 'active',
      last_error: 'The answer is signed with another key than the vendor’s.',
    })
  })
})

describe('the institute works on', () => {
  const troubles: Record<string, [(response: ServerResponse) => void, RegExp]> = {
    'with a captive portal’s page': [
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to our Wi-Fi</h1>'),
      /^What answered is not the vendor’s server/,
    ],
    'with a redirect to one': [
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      /^The vendor’s server answered with the status 302/,
    ],
    'with a 500': [(response) => response.writeHead(500).end(), /^The vendor’s server answered with the status 500/],
    'with a refusal': [
      (response) => response.writeHead(400).end('{"error":{"code":"LICENSE_INVALID","message":"","requestId":""}}'),
      /^The vendor does not accept this licence/,
    ],
    'with null': [(response) => response.end('null'), /^What answered is not the vendor’s server/],
    'with a gigantic answer': [
      (response) => response.end(`{"payload":"${'a'.repeat(400_000)}"}`),
      /^The answer is longer than any/,
    ],
    'without an answer': [(response) => response.destroy(), /^The vendor did not answer: the connection was closed/],
  }

  test.each(Object.entries(troubles))('%s', async (_, [how, error]) => {
    vendor.answerBy((_envelope, response) => how(response))
    await pass(6 * HOUR)
    expect(await row()).toMatchObject({ status: 'active', last_error: expect.stringMatching(error) })
    expect((await institute.owner.get('/branches')).status).toBe(200)
    expect((await institute.owner.get('/license')).body).toMatchObject({
      state: 'active',
      lastError: expect.stringMatching(error),
    })
    expect((await app.get('/health/ready')).status).toBe(200)
    // The next try comes within the hour, and all is well again.
    vendor.answerBy(undefined)
    await pass(HOUR)
    expect(await row()).toMatchObject({ last_error: null, last_heartbeat_at: app.clock.now() })
  })

  test('with a host that is not there, and with an answer that drips', async () => {
    vendor.answerBy((_envelope, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(drip))
    })
    await pass(6 * HOUR)
    expect((await row()).last_error).toBe('The vendor did not answer: no complete answer within 15 s.')
    vendor.close()
    await pass(HOUR)
    expect((await row()).last_error).toBe('The vendor did not answer: no connection could be made.')
  }, 60_000)

  test('without the vendor for three years: a warning after 30 days, and nothing is locked', async () => {
    vendor.answerBy((_envelope, response) => response.destroy())
    await pass(6 * HOUR)
    for (let quarter = 0; quarter < 12; quarter += 1) await pass(YEAR / 4)
    expect(await row()).toMatchObject({ status: 'active' })
    // The first answer ends it.
    vendor.answerBy(undefined)
    await pass(HOUR)
    expect(await row()).toMatchObject({ status: 'active', last_error: null })
  })
})

describe('heartbeats', () => {
  test('come after the smaller of the vendor’s wish and the own setting, less up to a tenth', async () => {
    const seconds = async () => (Date.parse((await row()).next_heartbeat_at ?? '') - app.clock.millis()) / 1000
    for (const [wish, wait] of [
      [21_600, 21_600],
      [600, 600],
      [1, 60],
      [1e9, 21_600],
    ] as const) {
      vendor.say({ nextHeartbeatSec: wish })
      await pass(6 * HOUR)
      expect(await seconds()).toBeLessThanOrEqual(wait)
      expect(await seconds()).toBeGreaterThan(wait * 0.9)
    }
  })

  test('count up, each with a new nonce and the same key, and none is sent before its time', async () => {
    for (let hour = 0; hour < 18; hour += 1) {
      await watch()
      await pass(HOUR)
    }
    const { heartbeats } = vendor
    // One at the activation, one at the start, which the first watch is.
    expect(heartbeats.length).toBeGreaterThanOrEqual(5)
    expect(heartbeats.length).toBeLessThanOrEqual(6)
    expect(heartbeats.map(({ counter }) => counter)).toEqual(heartbeats.map((_, index) => index + 1))
    expect(new Set(heartbeats.map(({ nonce }) => nonce)).size).toBe(heartbeats.length)
    expect(new Set(heartbeats.map(({ key }) => key)).size).toBe(1)
  })
})

describe('the clock', () => {
  /** Sends a heartbeat now. @returns it */
  const beat = async () => {
    await institute.owner.post('/license', { token: licenseToken({ licenseId }) })
    await app.drain()
    return last()
  }

  test.each([
    ['a day', DAY],
    ['a year', YEAR],
  ])('back by %s: the vendor sees it, heartbeats go on, nothing is locked', async (_, seconds) => {
    await pass(6 * HOUR)
    const before = app.clock.now()
    app.clock.advance(-seconds)
    await watch()
    expect(last()).toMatchObject({ clientTime: app.clock.now(), maxObservedTime: before })
    const sent = vendor.heartbeats.length
    await pass(6 * HOUR)
    await watch()
    expect(vendor.heartbeats.length).toBeGreaterThan(sent)
    // The vendor's time keeps the maximum up, however far back the own clock is.
    expect(Date.parse((await row()).max_observed_at)).toBeGreaterThanOrEqual(Date.parse(before))
    expect(await row()).toMatchObject({ status: 'active', last_error: null })
  })

  test('ten years ahead for a while: the vendor’s time corrects what was seen, and no rollback is told for years', async () => {
    await pass(HOUR)
    app.clock.advance(10 * YEAR)
    expect(await beat()).toMatchObject({ maxObservedTime: app.clock.now() })
    app.clock.advance(-10 * YEAR)
    await watch()
    await pass(6 * HOUR)
    expect(last()).toMatchObject({ clientTime: app.clock.now(), maxObservedTime: app.clock.now() })
    expect(await row()).toMatchObject({ status: 'active', last_error: null })
  })

  test('ten years ahead while the vendor is away: told once when it is back, then forgotten', async () => {
    vendor.answerBy((_envelope, response) => response.destroy())
    app.clock.advance(10 * YEAR)
    await watch()
    const ahead = app.clock.now()
    app.clock.advance(-10 * YEAR)
    await watch()
    vendor.answerBy(undefined)
    await pass(HOUR)
    await watch()
    expect(last()).toMatchObject({ clientTime: app.clock.now(), maxObservedTime: ahead })
    await pass(6 * HOUR)
    expect(last()).toMatchObject({ clientTime: app.clock.now(), maxObservedTime: app.clock.now() })
    expect(await row()).toMatchObject({ status: 'active', max_observed_at: app.clock.now() })
  })

  test('of the vendor going back is told, and corrects nothing', async () => {
    await pass(6 * HOUR)
    const { max_observed_at } = await row()
    serverTime = '2020-01-01T00:00:00.000Z'
    await app.pass(6 * HOUR)
    const after = await row()
    expect(after).toMatchObject({
      status: 'active',
      last_error: 'The vendor’s clock says an earlier time than it did before.',
    })
    expect(after.max_observed_at > max_observed_at).toBe(true)
  })
})
