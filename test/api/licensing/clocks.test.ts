import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { HeartbeatProxy } from '#kit/heartbeat-proxy.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLicense, type TestLicense } from '#kit/licenses.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { eventsOf } from '#kit/records.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { heartbeatJob } from '#modules/licensing/heartbeat.ts'

/** An install whose clock is wrong, and the vendor's server, whose clock is right: both as they are. */

const HOUR = 3600
const DAY = 24 * HOUR
const YEAR = 365 * DAY

let vendor: TestApp
let admin: TestPlatformAdmin
let licensed: TestInstitute
let license: TestLicense
let proxy: HeartbeatProxy
let install: TestApp
let tenantId: string

beforeEach(async () => {
  vendor = await startApp({ config: { accessTokenSeconds: 30 * DAY } })
  admin = await platformAdmin(vendor)
  licensed = await makeInstitute(vendor)
  license = await newLicense(vendor, licensed)
  proxy = await HeartbeatProxy.start(vendor.url)
  const pinned = { vendorUrl: proxy.url, publicKey: license.vendor }
  install = await startApp({ config: { license: { ...DEFAULTS.license, ...pinned } } })
  const { tenant, owner } = await makeInstitute(install)
  tenantId = tenant.id
  await owner.post('/license', { token: license.token })
  await install.drain()
  await pass(6 * HOUR)
})
afterEach(async () => {
  await install.close()
  proxy.close()
  await vendor.close()
})

/** Time passes for both. */
const pass = async (seconds: number) => {
  vendor.clock.advance(seconds)
  await install.pass(seconds)
}

/** Sets the clock of the install later, or with a minus earlier, and has it send a heartbeat. */
const set = async (seconds: number) => {
  install.clock.set(plusSeconds(install.clock.now(), seconds))
  await runInTransaction(install.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(heartbeatJob, { tenantId, soon: true }),
  )
  await install.drain()
}
const beat = () => set(0)

const seen = async () => {
  const { body } = await admin.get(`${license.path}/installs`)
  expect(body.data).toHaveLength(1)
  return body.data[0]
}
const signals = async () => (await seen()).signals.map(({ kind, severity }: Record<string, string>) => [kind, severity])
const events = async () => (await eventsOf(vendor, licensed, 'license.signal')).map(({ kinds }) => kinds)
/** As the database has it: sessions do not outlive the years that pass here. */
const state = async () => {
  const { read } = install.app.database
  const { status } = await read.selectFrom('tenant').select('status').executeTakeFirstOrThrow()
  const { last_error } = await read.selectFrom('installed_license').select('last_error').executeTakeFirstOrThrow()
  return { status, last_error }
}
const OPEN = { status: 'active', last_error: null }

const ROLLBACK = ['clock_rollback', 'warning']

describe('the clock of an install', () => {
  test.each([
    ['a day', DAY],
    ['a year', YEAR],
  ])('back by %s locks nothing, is one signal, and the vendor’s commands go on', async (_, seconds) => {
    expect(await signals()).toEqual([])
    await set(-seconds)
    expect(await signals()).toEqual([ROLLBACK])
    expect(await state()).toEqual(OPEN)

    const { heartbeatCounter } = await seen()
    for (let quarter = 0; quarter < 4; quarter += 1) await pass(6 * HOUR)
    expect((await seen()).heartbeatCounter).toBeGreaterThanOrEqual(heartbeatCounter + 4)
    expect(await state()).toEqual(OPEN)
    await admin.post(`${license.path}/lock`, { reason: 'unpaid' })
    await beat()
    expect((await state()).status).toBe('suspended')
    await admin.post(`${license.path}/unlock`)
    await beat()
    expect(await state()).toEqual(OPEN)

    await set(seconds)
    await pass(6 * HOUR)
    expect(await signals()).toEqual([ROLLBACK])
    expect(await events()).toEqual([['clock_rollback']])
    expect(await state()).toEqual(OPEN)
  })

  test('ten years ahead, and right again while the vendor answers, locks nothing and is no signal', async () => {
    await set(10 * YEAR)
    expect(await state()).toEqual(OPEN)
    await pass(6 * HOUR)
    await set(-10 * YEAR)
    await pass(6 * HOUR)
    expect(await signals()).toEqual([])
    expect(await events()).toEqual([])
    expect(await state()).toEqual(OPEN)
  })

  test('ten years ahead while the vendor is away, and right again, locks nothing and is a signal once', async () => {
    proxy.cut()
    await set(10 * YEAR)
    expect(await state()).toEqual({ status: 'active', last_error: expect.stringContaining('did not answer') })
    await set(-10 * YEAR)
    expect((await state()).status).toBe('active')
    proxy.pass()
    await beat()
    expect(await signals()).toEqual([ROLLBACK])
    expect(await state()).toEqual(OPEN)

    // The vendor’s time has corrected what the install has seen. Were it not so, each heartbeat more than a week after
    // the one before would be a signal again.
    await pass(8 * DAY)
    await beat()
    await pass(8 * DAY)
    await beat()
    expect(await events()).toEqual([['clock_rollback']])
  })
})
