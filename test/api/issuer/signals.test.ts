import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plusSeconds } from '#kernel/time/clock.ts'
import { newSigningSecret, signerOf } from '#modules/licensing/signing.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLicense, TestInstall, type TestLicense } from '#kit/licenses.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { eventsOf } from '#kit/records.ts'
import { startReceiver } from '#kit/receiver.ts'
import { newWebhook } from '../examples/integrations.ts'

const DAY = 86_400

let app: TestApp
let admin: TestPlatformAdmin
let institute: TestInstitute
let license: TestLicense
let install: TestInstall

beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: DAY * 365 } })
  admin = await platformAdmin(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
  license = await newLicense(app, institute, { maxInstalls: 2 })
  install = new TestInstall(app, license)
  await install.beat({ counter: 10 })
})

const knownOf = async (one: TestInstall) => {
  const { body } = await admin.get(`${license.path}/installs`)
  return body.data.find((known: { installId: string }) => known.installId === one.installId)
}
const signalsOf = async (one = install): Promise<[kind: string, severity: string][]> =>
  (await knownOf(one)).signals.map(({ kind, severity }: Record<string, string>) => [kind, severity])
const told = () => eventsOf(app, institute, 'license.signal')

describe('the counter', () => {
  test('that goes up, with gaps, is nothing unusual', async () => {
    for (const counter of [11, 15, 1000]) await install.beat({ counter })
    expect(await signalsOf()).toEqual([])
  })

  test.each([10, 9, 0])('that was 10 and is then %d is a signal, told once', async (counter) => {
    await install.beat({ counter })
    expect((await knownOf(install)).signals).toEqual([
      {
        kind: 'counter_regressed',
        severity: 'warning',
        detectedAt: app.clock.now(),
        detail: `The counter was 10, and then ${counter}.`,
      },
    ])
    await install.beat({ counter: 0 })
    expect(await told()).toEqual([
      { licenseId: license.id, installId: install.installId, kinds: ['counter_regressed'], severity: 'warning' },
    ])
  })

  test('of a restored backup goes back once and is no second machine', async () => {
    for (const counter of [5, 6, 7, 8, 9, 10, 11, 12, 13]) await install.beat({ counter })
    expect(await signalsOf()).toEqual([['counter_regressed', 'warning']])
  })

  test('of a restored backup whose vendor was away meanwhile is no second machine either', async () => {
    for (const counter of [5, 6, 40, 41]) await install.beat({ counter })
    expect(await signalsOf()).toEqual([['counter_regressed', 'warning']])
  })

  test.each([
    ['from a copy of long ago', [3, 11, 4, 12, 5]],
    ['from a copy of yesterday', [9, 11, 10, 12, 11]],
    ['with several of one before the other', [3, 11, 12, 13, 4, 5, 14]],
  ])('of two machines that alternate, %s, is a signal', async (_, counters) => {
    for (const counter of counters) await install.beat({ counter })
    expect(Object.fromEntries(await signalsOf())).toEqual({
      counter_regressed: 'warning',
      duplicate_install: 'critical',
    })
    expect((await told()).map(({ kinds, severity }) => [kinds, severity])).toEqual([
      [['counter_regressed'], 'warning'],
      [['duplicate_install'], 'critical'],
    ])
  })
})

describe('the clock', () => {
  test.each([
    [1, 'info'],
    [300, 'info'],
    [301, 'warning'],
    [DAY, 'warning'],
    [365 * DAY, 'warning'],
  ])('that is %d s before what it has seen is a signal: %s', async (back, severity) => {
    const now = app.clock.now()
    await install.beat({ clientTime: plusSeconds(now, -back), maxObservedTime: now })
    expect(await signalsOf()).toEqual([['clock_rollback', severity]])
  })

  test('that was set back together with what it says to have seen is a signal', async () => {
    const earlier = plusSeconds(app.clock.now(), -DAY)
    await install.beat({ clientTime: earlier, maxObservedTime: earlier })
    expect(await signalsOf()).toEqual([['clock_rollback', 'warning']])
    await install.beat({ clientTime: earlier, maxObservedTime: null })
    expect(await told()).toHaveLength(1)
  })

  test('that was ten years ahead once, and is right again, is a signal once and not for ten years', async () => {
    const ahead = plusSeconds(app.clock.now(), 3650 * DAY)
    await install.beat({ clientTime: ahead, maxObservedTime: ahead })
    expect(await signalsOf()).toEqual([])
    await install.beat({ maxObservedTime: ahead })
    expect(await signalsOf()).toEqual([['clock_rollback', 'warning']])
    const { detectedAt } = (await knownOf(install)).signals[0]
    for (let week = 0; week < 3; week += 1) {
      app.clock.advance(5 * DAY)
      await install.beat()
    }
    expect((await knownOf(install)).signals).toMatchObject([{ detectedAt }])
    expect(await told()).toHaveLength(1)
  })

  test('that runs late, but on, is nothing unusual', async () => {
    const late = new TestInstall(app, license)
    for (const _ of [1, 2, 3]) {
      app.clock.advance(60)
      const clientTime = plusSeconds(app.clock.now(), -3600)
      await late.beat({ clientTime, maxObservedTime: clientTime })
    }
    expect(await signalsOf(late)).toEqual([])
  })
})

describe('another key', () => {
  const stranger = signerOf(newSigningSecret())

  test('is a signal, and is never pinned in place of the first', async () => {
    const { body: lock } = await admin.post(`${license.path}/lock`, { reason: 'Unpaid.' })
    const before = await knownOf(install)
    app.clock.advance(60)
    const answer = await install.beat(
      { counter: 900, appVersion: '0.0.1', appliedCommandIds: [lock.id], updater: { lastResult: 'failed' } },
      stranger,
    )
    expect(answer.commands).toMatchObject([{ id: lock.id }])
    const { signals, ...after } = await knownOf(install)
    expect(signals.map(({ kind, severity }: Record<string, string>) => [kind, severity])).toEqual([
      ['duplicate_install', 'critical'],
      ['key_changed', 'critical'],
    ])
    expect({ ...after, signals: [] }).toEqual(before)
    expect(await told()).toEqual([
      {
        licenseId: license.id,
        installId: install.installId,
        kinds: ['key_changed', 'duplicate_install'],
        severity: 'critical',
      },
    ])
    for (const key of [stranger, signerOf(newSigningSecret())]) await install.beat({ counter: 901 }, key)
    expect(await told()).toHaveLength(1)
    expect((await install.beat({ counter: 11, appliedCommandIds: [lock.id] })).commands).toEqual([])
    expect(await knownOf(install)).toMatchObject({ heartbeatCounter: 11, lastWitnessAt: app.clock.now() })
    // A copy that never saw the lock hears of it, though the install itself has acknowledged it.
    expect((await install.beat({ counter: 902 }, stranger)).commands).toMatchObject([{ id: lock.id }])
  })

  test('that first signs for an install nobody has signed for is pinned', async () => {
    const other = new TestInstall(app, license)
    await other.sendUnsigned(other.next())
    await other.beat({}, stranger)
    await other.beat()
    expect(await signalsOf(other)).toEqual([
      ['duplicate_install', 'critical'],
      ['key_changed', 'critical'],
    ])
  })
})

describe('the version', () => {
  test.each([
    ['1.2.0', '1.10.0'],
    ['1.2.0', '1.2.1'],
    ['1.2.0-rc.1', '1.2.0'],
    ['1.2.0', '1.2.0'],
    ['1.2.0-rc.1', '1.2.0-rc.2'],
  ])('%s and then %s is nothing unusual', async (before, after) => {
    await install.beat({ appVersion: before })
    await install.beat({ appVersion: after })
    expect((await signalsOf()).length).toBe(before === '1.2.0-rc.1' ? 1 : 0)
  })

  test.each([
    ['1.10.0', '1.9.0'],
    ['2.0.0', '1.99.99'],
    ['1.3.0', '1.3.0-rc.1'],
  ])('%s and then %s is a signal', async (before, after) => {
    await install.beat({ appVersion: before })
    await install.beat({ appVersion: after })
    expect(await signalsOf()).toEqual([['version_downgraded', 'info']])
  })
})

describe('more installs than the licence is for', () => {
  test('are a signal of those that came last, and lock nobody', async () => {
    app.clock.advance(60)
    const [second, third] = [new TestInstall(app, license), new TestInstall(app, license)]
    await second.beat()
    app.clock.advance(60)
    expect((await third.beat()).state).toBe('active')
    for (const one of [install, second, third]) await one.beat({ counter: 100 })
    expect(await signalsOf(install)).toEqual([])
    expect(await signalsOf(second)).toEqual([])
    expect(await signalsOf(third)).toEqual([['too_many_installs', 'warning']])
    expect(await told()).toHaveLength(1)
    await admin.patch(license.path, { maxInstalls: 3 })
    app.clock.advance(8 * DAY)
    await third.beat()
    expect((await knownOf(third)).signals[0].detectedAt < plusSeconds(app.clock.now(), -7 * DAY)).toBe(true)
  })
})

describe('a signal', () => {
  test('is told again after a week without it, and when it becomes more serious', async () => {
    const back = (seconds: number) => {
      const now = app.clock.now()
      return install.beat({ clientTime: plusSeconds(now, -seconds), maxObservedTime: now })
    }
    await back(60)
    await back(60)
    await back(DAY)
    await back(60)
    expect((await told()).map(({ severity }) => severity)).toEqual(['info', 'warning'])
    app.clock.advance(7 * DAY)
    await back(60)
    expect(await told()).toHaveLength(2)
    app.clock.advance(7 * DAY + 1)
    await back(60)
    expect((await told()).map(({ severity }) => severity)).toEqual(['info', 'warning', 'info'])
    expect((await knownOf(install)).signals).toMatchObject([{ severity: 'info', detectedAt: app.clock.now() }])
  })

  test('reaches the subscribers of the institute that has the licence', async () => {
    const receiver = await startReceiver()
    const others = await makeInstitute(app)
    for (const one of [institute, others]) await newWebhook(one, { url: receiver.url, events: ['license.signal'] })
    await install.beat({ counter: 1 })
    await app.drain()
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'license.signal', tenantId: institute.tenant.id, data: { kinds: ['counter_regressed'] } },
    ])
    receiver.close()
  })

  test('is met by many at once and stored once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        install.send(install.next({ counter: 1, clientTime: '2020-01-01T00:00:00.000Z' })),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect((await signalsOf()).map(([kind]) => kind).toSorted()).toEqual(['clock_rollback', 'counter_regressed'])
    expect(await told()).toHaveLength(1)
  })
})

describe('a failed update', () => {
  const failed = {
    channel: 'stable',
    lastCheckAt: '2026-03-02T07:00:00.000Z',
    lastResult: 'failed',
    lastReason: 'The signature does not fit.',
    targetVersion: '1.3.0',
  } as const
  const failures = () => eventsOf(app, institute, 'install.update_failed')

  test('is told once, however often heartbeats repeat it, and the next one is told too', async () => {
    for (const _ of [1, 2, 3]) await install.beat({ updater: failed })
    await install.beat()
    await install.beat({ updater: failed })
    expect(await failures()).toEqual([
      {
        licenseId: license.id,
        installId: install.installId,
        channel: 'stable',
        appVersion: '1.2.0',
        targetVersion: '1.3.0',
        reason: 'The signature does not fit.',
        result: 'failed',
      },
    ])
    await install.beat({ updater: { ...failed, lastCheckAt: '2026-03-02T08:00:00.000Z' } })
    expect(await failures()).toHaveLength(2)
    expect(await knownOf(install)).toMatchObject({
      updateChannel: 'stable',
      updaterLastCheckAt: '2026-03-02T08:00:00.000Z',
      updaterLastResult: 'failed',
      updaterLastReason: 'The signature does not fit.',
    })
  })

  test('is told of an install’s first heartbeat, and of one that says no more than that', async () => {
    const other = new TestInstall(app, license)
    for (const _ of [1, 2]) await other.beat({ updater: { lastResult: 'failed' } })
    expect(await failures()).toMatchObject([{ installId: other.installId, channel: null, reason: null }])
  })

  test.each(['ok', 'skipped', null] as const)('is not one that is %s', async (lastResult) => {
    await install.beat({ updater: { ...failed, lastResult } })
    expect(await failures()).toEqual([])
  })
})
