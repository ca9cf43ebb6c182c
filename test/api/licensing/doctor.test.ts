import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULTS, type Config } from '#app/config/config.ts'
import { issuerOf } from '#app/config/issuer.ts'
import { outboundPolicy } from '#app/services.ts'
import { newId } from '#kernel/basics/ids.ts'
import { lookAtLicense } from '#modules/licensing/index.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { startReceiver } from '#kit/receiver.ts'
import { startVendor, licenseToken, type TestVendor } from '#kit/vendor.ts'

let app: TestApp
let vendor: TestVendor

beforeAll(async () => {
  vendor = await startVendor(() => app.clock.now())
  app = await startApp({ config: { license: { ...DEFAULTS.license, ...vendor.config } } })
  const { owner } = await makeInstitute(app)
  await owner.post('/license', { token: licenseToken({ licenseId: newId() }) })
  await app.drain()
})
afterAll(async () => {
  vendor.close()
  await app.close()
})

const look = async (license: Partial<Config['license']> = {}) => {
  const { app: program, clock } = app
  const outbound = guardedOutbound({ policy: outboundPolicy(program.config) })
  try {
    const config = { ...program.config, license: { ...program.config.license, ...license } }
    return await lookAtLicense(program.database.read, { issuer: issuerOf(config), outbound, now: clock.now() })
  } finally {
    await outbound.close()
  }
}

test('institute doctor tells the licence’s state, the last heartbeat and whether the vendor answers, and warns at the most', async () => {
  expect(await look()).toEqual({
    state: 'ok',
    text: 'the licence is active; the last heartbeat was answered at 2026-03-02T08:00:00.000Z; the vendor answers',
  })
  expect(vendor.heartbeats).toHaveLength(1)
  // This program is a vendor's server too, and refuses what is no heartbeat as that does.
  expect(await look({ vendorUrl: app.url })).toMatchObject({ state: 'ok' })
  const other = await startReceiver(404)
  const vendorUrl = new URL(other.url).origin
  expect(await look({ vendorUrl })).toMatchObject({
    state: 'warning',
    text: expect.stringContaining(`not the vendor’s server answers at ${vendorUrl} (status 404)`),
  })
  other.close()
  expect(await look({ vendorUrl: undefined })).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('neither the build nor the configuration names a vendor'),
  })
  expect(await look({ vendorUrl: 'http://127.0.0.1:9' })).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('the vendor does not answer (no connection could be made)'),
  })
  vendor.command('lock', 'unpaid')
  await app.pass(6 * 3600)
  expect((await look()).text).toContain('the institute is locked (unpaid)')
  await app.app.database.write((db) => db.deleteFrom('installed_license').execute())
  expect(await look()).toEqual({ state: 'ok', text: 'there is no licence: nothing is sent to the vendor' })
})
