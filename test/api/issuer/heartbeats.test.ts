import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plusSeconds } from '#kernel/time/clock.ts'
import { signHeartbeat, verifyEnvelope } from '#modules/licensing/protocol.ts'
import { newSigningSecret, signerOf } from '#modules/licensing/signing.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLicense, TestInstall, type TestLicense } from '#kit/licenses.ts'
import { makePlatformAdmin, platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
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
  license = await newLicense(app, institute)
  install = new TestInstall(app, license)
})

const HEARTBEAT = '/platform/licenses/heartbeat'
const installs = async (of = license) => (await admin.get(`${of.path}/installs?limit=100`)).body.data
const refusedBecause = (reason: string) => ({
  status: 400,
  body: { error: { code: 'LICENSE_INVALID', details: { reason } } },
})
const rowsIn = async (table: 'license_install' | 'license_signal' | 'audit_entry') => {
  const { count } = await app.app.database.read
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

describe('a heartbeat', () => {
  test('makes the install known, and is answered with a signed envelope', async () => {
    const body = install.next({
      updater: {
        channel: 'stable',
        lastCheckAt: app.clock.now(),
        lastResult: 'skipped',
        lastReason: 'Not at night.',
        targetVersion: '1.3.0',
      },
    })
    const { status, body: envelope } = await install.send(body)
    expect(status).toBe(200)
    expect(Object.keys(envelope)).toEqual(['payload', 'signature', 'keyId'])
    expect(JSON.parse(Buffer.from(envelope.payload, 'base64url').toString('utf8'))).toEqual({
      installId: install.installId,
      nonce: body.nonce,
      serverTime: app.clock.now(),
      state: 'active',
      commands: [],
      features: null,
      quotas: null,
      nextHeartbeatSec: 21_600,
    })
    expect(verifyEnvelope(envelope, license.vendor, body).ok).toBe(true)
    const [firstSeenAt, lastCheckAt] = [app.clock.now(), app.clock.now()]
    app.clock.advance(3600)
    await install.beat({ appVersion: '1.3.0' })
    expect(await installs()).toEqual([
      {
        id: expect.any(String),
        licenseId: license.id,
        installId: install.installId,
        appVersion: '1.3.0',
        lastSeenAt: app.clock.now(),
        heartbeatCounter: 2,
        signals: [],
        firstSeenAt,
        lanName: null,
        lastWitnessAt: app.clock.now(),
        updateChannel: 'stable',
        updaterLastCheckAt: lastCheckAt,
        updaterLastResult: 'skipped',
        updaterLastReason: 'Not at night.',
        pendingCommands: [],
      },
    ])
    expect(await auditOf(app, institute, 'licenses.heartbeat')).toMatchObject([
      { actor_type: 'public', entity_type: 'license_install', metadata: { counter: 1, keyId: install.key.key.keyId } },
      { metadata: { counter: 2 } },
    ])
  })

  test('is taken without a signature until one was signed, and from then on only with it', async () => {
    const first = await install.sendUnsigned(install.next())
    expect(first.status).toBe(200)
    expect(await installs()).toMatchObject([{ lastWitnessAt: null, heartbeatCounter: 1 }])
    await install.beat()
    const body = install.next()
    expect(await install.sendUnsigned(body)).toMatchObject(refusedBecause('signature_missing'))
    const headers = signHeartbeat(Buffer.from(JSON.stringify(body)), install.key)
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...rest } = headers
      const half = await app.send('POST', HEARTBEAT, { body, headers: rest })
      expect(half).toMatchObject(refusedBecause('signature_missing'))
    }
    expect(await installs()).toMatchObject([{ lastWitnessAt: app.clock.now(), heartbeatCounter: 2 }])
  })

  test('is signed over its exact bytes', async () => {
    await install.beat()
    const body = JSON.stringify(install.next())
    const headers = signHeartbeat(Buffer.from(body), install.key)
    for (const raw of [` ${body}`, body.replace('1.2.0', '1.2.1'), JSON.stringify(JSON.parse(body), null, 1)]) {
      expect(await app.send('POST', HEARTBEAT, { raw, headers })).toMatchObject(refusedBecause('signature_invalid'))
    }
    expect((await app.send('POST', HEARTBEAT, { raw: body, headers })).status).toBe(200)
  })

  test('that is wrongly signed is refused before a key is pinned too, and leaves no row', async () => {
    const body = JSON.stringify(install.next())
    const good = signHeartbeat(Buffer.from(body), install.key)
    const { 'X-Install-Signature': signature = '' } = good
    const wrong = [
      { ...good, 'X-Install-Signature': signerOf(newSigningSecret()).sign(Buffer.from(body)) },
      { ...good, 'X-Install-Signature': `${signature}=` },
      { ...good, 'X-Install-Signature': 'x' },
      { ...good, 'X-Install-Key': signerOf(newSigningSecret()).key.text },
      // A key of low order, and the signature that fits many messages under it.
      {
        'X-Install-Key': Buffer.concat([Buffer.of(1), Buffer.alloc(31)]).toString('base64url'),
        'X-Install-Signature': Buffer.concat([Buffer.of(1), Buffer.alloc(63)]).toString('base64url'),
      },
    ]
    const before = await rowsIn('license_install')
    for (const headers of wrong) {
      expect(await app.send('POST', HEARTBEAT, { raw: body, headers })).toMatchObject(
        refusedBecause('signature_invalid'),
      )
    }
    expect(await rowsIn('license_install')).toBe(before)
  })

  test('sent twice is answered twice, and counts once', async () => {
    await install.beat()
    const body = JSON.stringify(install.next())
    const [one, again] = [await install.send(body), await install.send(body)]
    expect([one.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(one.body)
    expect(await installs()).toMatchObject([{ heartbeatCounter: 2, signals: [] }])
  })

  test('acknowledges commands of its own licence only', async () => {
    const other = await newLicense(app, await makeInstitute(app))
    const { body: theirs } = await admin.post(`${other.path}/lock`, { reason: 'theirs' })
    const { body: ours } = await admin.post(`${license.path}/lock`, { reason: 'ours' })
    const { commands } = await install.beat({ appliedCommandIds: [theirs.id, randomUUID()] })
    expect(commands.map(({ id }) => id)).toEqual([ours.id])
    const acknowledged = async () =>
      (
        await app.app.database.read
          .selectFrom('license_command')
          .select(['id', 'acknowledged_at'])
          .where('id', 'in', [theirs.id, ours.id])
          .execute()
      ).filter((row) => row.acknowledged_at !== null)
    expect(await acknowledged()).toEqual([])
    await install.beat({ appliedCommandIds: [ours.id, theirs.id] })
    expect((await acknowledged()).map(({ id }) => id)).toEqual([ours.id])
  })

  test('whose counter went back brings the newest command again, and changes no acknowledgement', async () => {
    const { body: lock } = await admin.post(`${license.path}/lock`, { reason: 'Unpaid.' })
    await install.beat({ counter: 10 })
    expect((await install.beat({ appliedCommandIds: [lock.id] })).commands).toEqual([])
    expect((await install.beat({ counter: 1 })).commands).toMatchObject([{ id: lock.id, kind: 'lock' }])
    expect((await installs())[0].pendingCommands).toEqual([])
    expect((await install.beat({ counter: 2 })).commands).toEqual([])
  })

  test('brings the newest of very many commands, and acknowledging the last acknowledges all', async () => {
    const issued_at = app.clock.now()
    const rows = Array.from({ length: 250 }, (_, index) => ({
      id: randomUUID(),
      license_id: license.id,
      seq: index + 1,
      kind: index % 2 === 0 ? ('lock' as const) : ('unlock' as const),
      reason: null,
      issued_at,
      acknowledged_at: null,
    }))
    await app.app.database.write(async (db) => {
      await db.insertInto('license_command').values(rows).execute()
      await db.updateTable('license').set({ last_seq: 250 }).where('id', '=', license.id).execute()
    })
    const { commands } = await install.beat()
    expect(commands.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 151))
    expect((await install.beat({ appliedCommandIds: commands.map(({ id }) => id) })).commands).toEqual([])
    expect((await installs())[0].pendingCommands).toEqual([])
  })

  test.each([
    ['a counter of 2^53 + 1', { counter: 2 ** 53 + 1 }],
    ['a counter of 2^53', { counter: 2 ** 53 }],
    ['a negative counter', { counter: -1 }],
    ['a counter with a fraction', { counter: 1.5 }],
    ['a counter of text', { counter: '1' }],
    ['a time that is none', { clientTime: 'NaN' }],
    ['a time of the 30th of February', { clientTime: '2026-02-30T08:00:00.000Z' }],
    ['a time beyond all', { maxObservedTime: '+275760-09-13T00:00:00.000Z' }],
    ['no latest time', { maxObservedTime: undefined }],
    ['an install id that is none', { installId: 'x' }],
    ['a nonce too long', { nonce: 'x'.repeat(101) }],
    ['an empty nonce', { nonce: '' }],
    ['a version too long', { appVersion: 'x'.repeat(51) }],
    ['a jti too long', { jti: 'x'.repeat(201) }],
    ['command ids that are none', { appliedCommandIds: ['x'] }],
    ['too many command ids', { appliedCommandIds: Array.from({ length: 101 }, () => randomUUID()) }],
    ['a result that there is not', { updater: { channel: 'stable', lastResult: 'perhaps' } }],
  ])('with %s is 422', async (_, wrong) => {
    const before = await rowsIn('license_install')
    const { status, body } = await install.send({ ...install.next(), ...wrong } as never)
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(await rowsIn('license_install')).toBe(before)
  })

  test('of more than 64 KiB is 400 before it is read', async () => {
    const raw = JSON.stringify({ ...install.next(), padding: 'x'.repeat(64 * 1024) })
    expect(await install.send(raw)).toMatchObject({ status: 400, body: { error: { code: 'MALFORMED_REQUEST' } } })
  })

  test('takes the highest counter that there is', async () => {
    await install.beat({ counter: 2 ** 53 - 1 })
    expect(await installs()).toMatchObject([{ heartbeatCounter: 2 ** 53 - 1, signals: [] }])
  })
})

describe('heartbeats of installs that nobody knows', () => {
  test('of no licence here leave no row, not even in the audit log', async () => {
    const before = [await rowsIn('license_install'), await rowsIn('audit_entry')]
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const stranger = new TestInstall(app, { ...license, jti: `${license.jti}${index}` })
        return index % 2 === 0 ? stranger.send(stranger.next()) : stranger.sendUnsigned(stranger.next())
      }),
    )
    for (const reply of replies) expect(reply).toMatchObject(refusedBecause('unknown_license'))
    expect([await rowsIn('license_install'), await rowsIn('audit_entry')]).toEqual(before)
  })

  test('of a licence are kept up to 20 more than it is for', async () => {
    const replies = await Promise.all(
      Array.from({ length: 120 }, () => {
        const one = new TestInstall(app, license)
        return one.send(one.next())
      }),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(23)
    const refused = replies.filter(({ status }) => status !== 200)
    for (const reply of refused) expect(reply).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    const known = await installs()
    expect(known).toHaveLength(23)
    const signals = known.flatMap((one: { signals: unknown[] }) => one.signals)
    expect(signals).toHaveLength(20)
  }, 60_000)

  test('find room when one of them was not seen for 90 days, which is then forgotten', async () => {
    const long = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 * 365 } })
    const own = await newLicense(long, await makeInstitute(long))
    for (let index = 0; index < 22; index += 1) await new TestInstall(long, own).beat()
    long.clock.advance(50 * 86_400)
    const seen = new TestInstall(long, own)
    await seen.beat()
    long.clock.advance(41 * 86_400)
    await new TestInstall(long, own).beat()
    // The session of the first platform admin has ended meanwhile.
    const { body } = await (await makePlatformAdmin(long)).get(`${own.path}/installs?limit=100`)
    expect(body.data).toHaveLength(23)
    expect(body.data.map((one: { installId: string }) => one.installId)).toContain(seen.installId)
    // Of those that came before the new one, only this one is not gone.
    expect(body.data[0]).toMatchObject({ firstSeenAt: long.clock.now(), signals: [] })
    await long.close()
  })

  test('are counted for each network, and for each licence', async () => {
    const { publicLimits } = NO_LIMITS
    const limited = await startApp({
      config: { publicLimits: { ...publicLimits, heartbeatsPerMinuteOfAddress: 8, heartbeatsPerMinuteOfLicense: 5 } },
    })
    const own = await newLicense(limited, await makeInstitute(limited))
    const one = new TestInstall(limited, own)
    for (let index = 0; index < 5; index += 1) await one.beat()
    const { status, headers } = await one.send(one.next())
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, 60])
    const stranger = new TestInstall(limited, { ...own, jti: 'nobody' })
    const statuses: number[] = []
    for (let index = 0; index < 4; index += 1) statuses.push((await stranger.send(stranger.next())).status)
    expect(statuses).toEqual([400, 400, 429, 429])
    limited.clock.advance(61)
    await one.beat()
    await limited.close()
  })
})

test('the times of an install are read from the vendor’s own clock', async () => {
  await install.beat({ clientTime: plusSeconds(app.clock.now(), 10 * 365 * 86_400) })
  expect(await installs()).toMatchObject([{ lastSeenAt: app.clock.now(), firstSeenAt: app.clock.now() }])
})
