import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plusSeconds } from '#kernel/time/clock.ts'
import { findLanHost } from '#modules/issuer/index.ts'
import { signHeartbeat, verifyEnvelope, verifyLanName, type LanNameRequest } from '#modules/licensing/protocol.ts'
import { newSigningSecret, signerOf, type Signer } from '#modules/licensing/signing.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLicense, TestInstall, type TestLicense } from '#kit/licenses.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/records.ts'

let app: TestApp
let admin: TestPlatformAdmin
let institute: TestInstitute
let license: TestLicense
let install: TestInstall

beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 * 365 } })
  admin = await platformAdmin(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
  license = await newLicense(app, institute, { maxInstalls: 1 })
  install = new TestInstall(app, license)
  await install.beat()
})

const PATH = '/platform/licenses/lan-name'
const DAY = 86_400
const DIGEST = 'a'.repeat(43)

const asked = (by = install, more: object = {}): LanNameRequest => ({
  installId: by.installId,
  jti: license.jti,
  clientTime: app.clock.now(),
  nonce: randomBytes(12).toString('base64url'),
  addresses: ['192.168.1.20'],
  challenge: null,
  ...more,
})
const send = (body: object, key: Signer) => {
  const raw = Buffer.from(JSON.stringify(body))
  return app.send('POST', PATH, { raw, headers: signHeartbeat(raw, key) })
}
const ask = (more: object = {}, by = install) => send(asked(by, more), by.key)
/** The name that an install gets. */
const named = async (more: object = {}, by = install): Promise<string> => {
  const body = asked(by, more)
  const { status, body: envelope } = await send(body, by.key)
  expect([status, envelope]).toMatchObject([200, { keyId: license.vendor.keyId }])
  const verified = verifyLanName(envelope, license.vendor, body)
  return verified.ok ? verified.value.name : verified.reason
}
const host = (name: string, at = app.clock.now()) =>
  findLanHost(app.app.database.read, name.split('.')[0] as string, at)
const refusedBecause = (reason: string) => ({
  status: 400,
  body: { error: { code: 'LICENSE_INVALID', details: { reason } } },
})

describe('an install whose key a heartbeat has pinned', () => {
  test('gets a random name below the zone, which leads to its addresses and stays its own', async () => {
    const name = await named({ addresses: ['192.168.1.20', '10.1.2.3', 'fd00::20', '100.64.1.1'] })
    expect(name).toMatch(/^[b-z2-9]{10}\.lan\.test$/)
    expect(await host(name)).toEqual({
      addresses: ['192.168.1.20', '10.1.2.3', 'fd00::20', '100.64.1.1'],
      challenge: null,
    })
    app.clock.advance(DAY)
    expect(await named({ addresses: ['10.0.0.7'] })).toBe(name)
    expect((await host(name))?.addresses).toEqual(['10.0.0.7'])
    const { data } = (await admin.get(`${license.path}/installs`)).body
    expect(data[0].lanName).toEqual({ name, askedAt: app.clock.now() })
    const [entry] = await auditOf(app, institute, 'licenses.name-install')
    expect(entry?.metadata).toMatchObject({ name, hasChallenge: false })
  })

  test('has a challenge of an order shown until its next request, or for an hour', async () => {
    const name = await named({ challenge: DIGEST })
    expect((await host(name))?.challenge).toBe(DIGEST)
    await named()
    expect((await host(name))?.challenge).toBeNull()
    await named({ challenge: DIGEST })
    app.clock.advance(3600)
    expect((await host(name))?.challenge).toBeNull()
  })

  test('that asks no more has a name that leads nowhere after 90 days', async () => {
    const name = await named()
    expect(await host(name, plusSeconds(app.clock.now(), 90 * DAY - 1))).toBeDefined()
    expect(await host(name, plusSeconds(app.clock.now(), 90 * DAY))).toBeUndefined()
  })

  test('is answered for what it asked, and by its licence’s vendor alone', async () => {
    const body = asked()
    const { body: envelope } = await send(body, install.key)
    expect(verifyLanName(envelope, license.vendor, { ...body, nonce: 'another' })).toMatchObject({
      reason: 'other_nonce',
    })
    expect(verifyLanName(envelope, license.vendor, { ...body, jti: 'another' })).toMatchObject({
      reason: 'bad_signature',
    })
    // Neither answer passes for the other.
    expect(verifyEnvelope(envelope, license.vendor, body)).toMatchObject({ reason: 'bad_signature' })
  })
})

describe('a server in the place of another', () => {
  const second = async () => {
    const other = new TestInstall(app, license)
    await other.beat()
    return other
  }

  test('takes over its name from two days on after that one has last asked, and not before', async () => {
    const name = await named()
    const other = await second()
    app.clock.advance(2 * DAY - 1)
    expect(await ask({}, other)).toMatchObject(refusedBecause('too_many_names'))
    app.clock.advance(1)
    expect(await named({ addresses: ['10.0.0.9'] }, other)).toBe(name)
    expect((await host(name))?.addresses).toEqual(['10.0.0.9'])
    expect(await ask()).toMatchObject(refusedBecause('too_many_names'))
  })

  test('has a name of its own where the licence is for more', async () => {
    const name = await named()
    await admin.patch(license.path, { maxInstalls: 2 })
    expect(await named({}, await second())).not.toBe(name)
    expect(await ask({}, await second())).toMatchObject(refusedBecause('too_many_names'))
  })

  test('that asks at the same time gets none too many', async () => {
    const others = await Promise.all([second(), second(), second()])
    const statuses = (await Promise.all(others.map((one) => ask({}, one)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 400, 400])
  })
})

describe('no name is given', () => {
  test('to whoever is not an install of the licence', async () => {
    expect(await ask({ jti: 'no such' })).toMatchObject(refusedBecause('unknown_license'))
    expect(await app.post(PATH, asked())).toMatchObject(refusedBecause('signature_missing'))
    const stranger = signerOf(newSigningSecret())
    expect(await send(asked(), stranger)).toMatchObject(refusedBecause('other_key'))
    expect(await ask({ installId: randomUUID() })).toMatchObject(refusedBecause('unknown_install'))
    const raw = Buffer.from(JSON.stringify(asked()))
    const headers = signHeartbeat(Buffer.from('something else'), install.key)
    expect(await app.send('POST', PATH, { raw, headers })).toMatchObject(refusedBecause('signature_invalid'))
    expect(await send(install.next(), install.key)).toMatchObject({ status: 422 })
  })

  test('under a licence that is locked, has ended, or is of an institute that was archived', async () => {
    const name = await named()
    await admin.post(`${license.path}/lock`, { reason: 'Unpaid.' })
    expect(await ask()).toMatchObject(refusedBecause('license_locked'))
    // What was given goes on for its time.
    expect(await host(name)).toBeDefined()
    await admin.post(`${license.path}/unlock`)
    expect(await named()).toBe(name)
    await app.app.database.write((db) =>
      db.updateTable('license').set({ expires_at: app.clock.now() }).where('id', '=', license.id).execute(),
    )
    expect(await ask()).toMatchObject(refusedBecause('license_ended'))
    await admin.patch(license.path, { expiresAt: null })
    expect(await named()).toBe(name)
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ status: 'archived' }).where('id', '=', institute.tenant.id).execute(),
    )
    expect(await ask()).toMatchObject(refusedBecause('license_ended'))
  })

  test('for a request that somebody kept', async () => {
    const body = asked()
    app.clock.advance(DAY)
    expect(await send(body, install.key)).toMatchObject(refusedBecause('clock_wrong'))
    const early = new Date(app.clock.millis() + DAY * 1000).toISOString()
    expect(await ask({ clientTime: early })).toMatchObject(refusedBecause('clock_wrong'))
  })

  test.each([
    [[]],
    [['8.8.8.8']],
    [['192.168.1.20', '203.0.113.5']],
    [['127.0.0.1']],
    [['169.254.1.1']],
    [['fe80::1']],
    [['2001:db8::1']],
    [['::ffff:192.168.1.20']],
    [['192.168.1.020']],
    [['school.example.org']],
    [Array.from({ length: 9 }, (_, nth) => `10.0.0.${nth}`)],
  ])('that would lead to %j', async (addresses) => {
    const { status, body } = await ask({ addresses })
    expect([status, body.error.details.issues[0].path[0]]).toEqual([422, 'addresses'])
  })

  test('where the vendor has no zone, and no challenge is shown that is none', async () => {
    expect((await ask({ challenge: 'v=spf1 -all' })).status).toBe(422)
    const other = await startApp({ config: { lanZone: undefined } })
    expect((await other.post(PATH, asked())).status).toBe(404)
    await other.close()
  })
})
