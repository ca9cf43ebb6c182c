import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startVendor, licenseToken, unlockToken, type TestVendor } from '#kit/vendor.ts'

let app: TestApp
let institute: TestInstitute
let vendor: TestVendor
const licenseId = newId()

beforeEach(async () => {
  vendor = await startVendor(() => app.clock.now())
  app = await startApp({ config: { accessTokenSeconds: 1e9, license: { ...DEFAULTS.license, ...vendor.config } } })
  institute = await makeInstitute(app)
})
afterEach(async () => {
  await app.close()
  vendor.close()
})

const activate = (claims: Parameters<typeof licenseToken>[0] = {}) =>
  institute.owner.post('/license', { token: licenseToken({ licenseId, ...claims }) })
const status = async () => (await institute.owner.get('/license')).body
const unlock = (token: string) => institute.owner.post('/license/unlock', { token })
const HOUR = 3600
const DAY = 24 * HOUR

describe('a licence token', () => {
  test('is put in by the owner, and the server introduces itself to the vendor at once', async () => {
    expect(await status()).toEqual({
      state: 'unlicensed',
      licenseId: null,
      plan: null,
      installId: null,
      lastHeartbeatAt: null,
      nextHeartbeatAt: null,
      lastError: null,
      graceEndsAt: null,
      expiresAt: null,
      reason: null,
    })
    const { status: code, body } = await activate()
    expect(code).toBe(200)
    expect(body).toEqual({
      state: 'active',
      licenseId,
      plan: 'school',
      installId: expect.any(String),
      lastHeartbeatAt: null,
      nextHeartbeatAt: null,
      lastError: null,
      graceEndsAt: '2026-04-01T08:00:00.000Z',
      expiresAt: null,
      reason: null,
    })
    await app.drain()
    expect(vendor.heartbeats).toMatchObject([
      {
        installId: body.installId,
        jti: `jti-${licenseId}`,
        counter: 1,
        clientTime: app.clock.now(),
        maxObservedTime: app.clock.now(),
        appliedCommandIds: [],
      },
    ])
    expect(await status()).toMatchObject({ lastHeartbeatAt: app.clock.now(), lastError: null })
  })

  test('grants its features and quotas from the next request on', async () => {
    institute = await makeInstitute(app, { features: {} })
    await activate({
      features: { advanced_reports: true, courses_video: false, unheard_of: true },
      quotas: { maxBranches: 1 },
    })
    const { body } = await institute.owner.get('/feature-flags')
    expect(body).toMatchObject({ advanced_reports: true, courses_video: false })
    expect(body).not.toHaveProperty('unheard_of')
    expect((await institute.owner.post('/branches', { name: 'North' })).body.error).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { key: 'maxBranches', limit: 1 },
    })
    await app.drain()
    // The vendor's envelope has the last word on both.
    expect((await institute.owner.get('/feature-flags')).body).toMatchObject({ advanced_reports: false })
  })

  test.each([
    ['no token', 'abc', 'malformed'],
    ['an unlock token', unlockToken({ licenseId, seq: 1 }), 'wrong_kind'],
    ['a changed one', licenseToken({ licenseId }).replace(/.{4}$/, 'AAAA'), 'bad_signature'],
  ])('is refused when it is %s', async (_, token, reason) => {
    const reply = await institute.owner.post('/license', { token })
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'LICENSE_INVALID', details: { reason } } } })
    expect(await status()).toMatchObject({ state: 'unlicensed' })
  })

  test('is taken with the line breaks of a mail, and with marks that nobody sees', async () => {
    const token = licenseToken({ licenseId }).replace(/.{60}/g, '$&\r\n  ')
    expect((await institute.owner.post('/license', { token: `\u200F${token}\u200E\n` })).body).toMatchObject({
      state: 'active',
      licenseId,
    })
    expect((await institute.owner.post('/license', { token: ' \n ' })).body.error.details).toEqual({
      reason: 'malformed',
    })
  })

  test.each([
    ['after the year 2200', Date.UTC(2201, 0, 1) / 1000],
    ['that no date can say', Date.UTC(275_760, 8, 13) / 1000 + 1],
    ['of the largest number', Number.MAX_SAFE_INTEGER],
  ])('with an end %s is refused', async (_, exp) => {
    const refused = { status: 400, body: { error: { code: 'LICENSE_INVALID', details: { reason: 'malformed' } } } }
    expect(await activate({ exp })).toMatchObject(refused)
    expect(await activate({ iat: exp })).toMatchObject(refused)
    expect(await unlock(unlockToken({ licenseId, seq: 1, exp }))).toMatchObject(refused)
    expect(await status()).toMatchObject({ state: 'unlicensed' })
  })

  test('with an end in the last second of the year 2200 is taken', async () => {
    expect((await activate({ exp: Date.UTC(2201, 0, 1) / 1000 - 1 })).body).toMatchObject({
      state: 'active',
      reason: null,
    })
  })

  test('of another vendor is refused', async () => {
    const other = await startApp({ config: { license: { ...DEFAULTS.license } } })
    try {
      const { owner } = await makeInstitute(other)
      for (const path of ['/license', '/license/unlock']) {
        const token = path === '/license' ? licenseToken() : unlockToken({ licenseId, seq: 1 })
        const reply = await owner.post(path, { token })
        expect(reply).toMatchObject({ status: 400, body: { error: { code: 'LICENSE_INVALID' } } })
        expect(reply.body.error.message).toContain('This build has no vendor')
      }
    } finally {
      await other.close()
    }
  })

  test('past its end is a warning and nothing else', async () => {
    const exp = Date.parse('2026-03-01T00:00:00Z') / 1000
    expect((await activate({ exp })).body).toMatchObject({
      state: 'active',
      reason: 'The licence ended on 2026-03-01; the institute works on.',
    })
    expect((await institute.owner.post('/branches', { name: 'North' })).status).toBe(201)
  })

  test('is for the owner alone, and none is taken in cloud mode', async () => {
    const admin = await institute.member({ role: 'admin' })
    expect((await admin.get('/license')).body.error).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'owner_only' },
    })
    expect((await admin.post('/license', { token: licenseToken() })).status).toBe(403)
    const cloud = await startApp({ config: { mode: 'cloud', license: { ...DEFAULTS.license, ...vendor.config } } })
    try {
      const { owner } = await makeInstitute(cloud, { deploymentMode: 'cloud' })
      expect((await owner.post('/license', { token: licenseToken() })).status).toBe(404)
      expect((await owner.post('/license/unlock', { token: 'x' })).status).toBe(404)
      expect((await owner.get('/license')).body).toMatchObject({ state: 'unlicensed' })
    } finally {
      await cloud.close()
    }
  })

  test('put in again changes nothing and sends a heartbeat; another one keeps the install and what it applied', async () => {
    const { installId } = (await activate()).body
    await app.drain()
    await activate()
    await app.drain()
    vendor.command('lock', 'unpaid')
    await activate()
    await app.drain()
    expect(vendor.heartbeats.map(({ counter }) => counter)).toEqual([1, 2, 3])
    expect(await status()).toMatchObject({ state: 'locked' })
    const other = newId()
    expect((await activate({ licenseId: other })).body).toMatchObject({ state: 'locked', licenseId: other, installId })
    expect((await unlock(unlockToken({ licenseId, seq: 9 }))).body.error.details).toEqual({ reason: 'other_license' })
    expect((await unlock(unlockToken({ licenseId: other, seq: 1 }))).body).toMatchObject({ state: 'active' })
  })

  test('that comes back finds its tokens spent', async () => {
    await activate()
    const token = unlockToken({ licenseId, seq: 4 })
    expect((await unlock(token)).status).toBe(200)
    await activate({ licenseId: newId() })
    await activate()
    expect((await unlock(token)).body.error.details).toEqual({ reason: 'used' })
  })
})

describe('the vendor’s commands', () => {
  beforeEach(async () => {
    await activate()
    await app.drain()
  })

  test('lock and unlock, are acknowledged soon after, and leave an event and an audit entry', async () => {
    vendor.command('lock', 'Invoice 7 is not paid')
    await app.pass(6 * HOUR)
    expect(await status()).toMatchObject({ state: 'locked', reason: 'Invoice 7 is not paid' })
    expect((await institute.owner.get('/branches')).body.error).toMatchObject({ code: 'SUBSCRIPTION_SUSPENDED' })
    expect(vendor.waiting()).toHaveLength(1)
    await app.pass(3)
    expect(vendor.waiting()).toEqual([])
    vendor.command('unlock')
    await app.pass(6 * HOUR)
    expect(await status()).toMatchObject({ state: 'active', reason: null })
    const { data } = (await institute.owner.get('/audit?limit=100')).body
    const steps = data.filter(({ entityType }: { entityType: string }) => entityType === 'license')
    expect(steps).toMatchObject([
      { action: 'license.heartbeat', actorType: 'system', metadata: { sequence: 2, steps: [{ locked: false }] } },
      { action: 'license.heartbeat', metadata: { sequence: 1, steps: [{ locked: true }] } },
      { action: 'license.activate' },
    ])
    expect(await lockEvents()).toEqual(['tenant.locked', 'tenant.unlocked'])
  })

  test('that queued while the server was offline are applied once, in order', async () => {
    vendor.command('lock', 'first')
    vendor.command('unlock')
    vendor.command('lock', 'second')
    await app.pass(6 * HOUR)
    expect(await status()).toMatchObject({ state: 'locked', reason: 'second' })
    expect(await lockEvents()).toEqual(['tenant.locked', 'tenant.unlocked', 'tenant.locked'])
    await app.pass(3)
    await app.pass(6 * HOUR)
    expect(await lockEvents()).toHaveLength(3)
  })

  test('that are old do not lock again', async () => {
    vendor.command('lock')
    const old = vendor.waiting()
    await app.pass(6 * HOUR)
    const seq = vendor.command('unlock')
    await app.pass(6 * HOUR)
    vendor.say({ commands: old })
    await app.pass(6 * HOUR)
    expect(await status()).toMatchObject({ state: 'active' })
    // It is acknowledged all the same, so that the vendor stops to send it.
    await app.pass(6 * HOUR)
    expect(vendor.heartbeats.at(-1)?.appliedCommandIds).toEqual(old.map(({ id }) => id))
    expect(seq).toBe(2)
  })

  test('alone lock: a state that says locked, or a licence that ended, does not', async () => {
    vendor.say({ state: 'locked' })
    await app.pass(6 * HOUR)
    expect(vendor.heartbeats).toHaveLength(2)
    expect(await status()).toMatchObject({ state: 'active' })
  })

  const lockEvents = async (): Promise<string[]> => {
    const rows = await app.app.database.read
      .selectFrom('event')
      .select('type')
      .where('type', 'in', ['tenant.locked', 'tenant.unlocked'])
      .orderBy('id')
      .execute()
    return rows.map(({ type }) => type)
  }
})

describe('an unlock token', () => {
  let seq: number
  beforeEach(async () => {
    await activate()
    await app.drain()
    seq = vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    vendor.answerBy((_, response) => response.destroy())
  })

  test('unlocks without a network, once, and two at once have one success', async () => {
    expect(await status()).toMatchObject({ state: 'locked' })
    const token = unlockToken({ licenseId, seq: seq + 1 })
    const replies = await Promise.all([unlock(token), unlock(` ${token}\n`), unlock(token)])
    expect(replies.map(({ status: code }) => code).toSorted()).toEqual([200, 400, 400])
    expect(replies.find(({ status: code }) => code === 200)?.body).toMatchObject({ state: 'active', reason: null })
    expect((await institute.owner.get('/branches')).status).toBe(200)
    expect((await unlock(token)).body.error).toMatchObject({ code: 'LICENSE_INVALID', details: { reason: 'used' } })
  })

  test.each([
    ['expired', () => ({ exp: Date.parse(app.clock.now()) / 1000 })],
    ['other_license', () => ({ licenseId: newId() })],
    ['used', () => ({ seq })],
  ])('is refused: %s', async (reason, claims) => {
    const reply = await unlock(unlockToken({ licenseId, seq: seq + 1, ...claims() }))
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'LICENSE_INVALID', details: { reason } } } })
    expect(await status()).toMatchObject({ state: 'locked' })
  })

  test.each([
    ['malformed', 'a.b.c'],
    ['wrong_kind', licenseToken({ licenseId })],
    ['bad_signature', unlockToken({ licenseId, seq: 99 }).replace(/.{4}$/, 'AAAA')],
  ])('is refused: %s', async (reason, token) => {
    expect((await unlock(token)).body.error).toMatchObject({ code: 'LICENSE_INVALID', details: { reason } })
  })

  test('is refused where there is no licence', async () => {
    const { owner } = await makeInstitute(app)
    const reply = await owner.post('/license/unlock', { token: unlockToken({ licenseId, seq: 1 }) })
    expect(reply).toMatchObject({ status: 400, body: { error: { details: { reason: 'no_license' } } } })
  })

  test('that has ended is not made good by a clock that is set back', async () => {
    vendor.answerBy(undefined)
    const exp = Date.parse(app.clock.now()) / 1000 + 7 * DAY
    const token = unlockToken({ licenseId, seq: seq + 1, exp })
    await app.pass(8 * DAY)
    app.clock.advance(-8 * DAY)
    expect((await unlock(token)).body.error.details).toEqual({ reason: 'expired' })
  })

  test('is good after one answer of a vendor whose clock ran ahead', async () => {
    vendor.answerBy(undefined)
    vendor.say({ serverTime: '2036-03-02T08:00:00.000Z' })
    await app.pass(6 * HOUR)
    expect((await status()).lastError).toContain('clock is more than a day ahead')
    vendor.answerBy((_, response) => response.destroy())
    const exp = Date.parse(app.clock.now()) / 1000 + 7 * DAY
    expect((await unlock(unlockToken({ licenseId, seq: seq + 1, exp }))).body).toMatchObject({ state: 'active' })
    // The wrong time is not what the server tells the vendor that it has seen.
    vendor.say({})
    vendor.answerBy(undefined)
    await app.pass(6 * HOUR)
    expect(vendor.heartbeats.at(-1)).toMatchObject({ maxObservedTime: app.clock.now() })
    expect(await status()).toMatchObject({ lastError: null })
  })

  test('stands for the command of its sequence number: neither that one nor an earlier lock comes after it', async () => {
    const [late] = vendor.waiting()
    await unlock(unlockToken({ licenseId, seq: seq + 1 }))
    vendor.answerBy(undefined)
    vendor.say({ commands: late ? [late] : [] })
    await app.pass(HOUR)
    expect(await status()).toMatchObject({ state: 'active', lastError: null })
    vendor.say({})
    vendor.command('unlock')
    vendor.command('lock', 'again')
    await app.pass(6 * HOUR)
    expect(await status()).toMatchObject({ state: 'locked', reason: 'again' })
  })
})
