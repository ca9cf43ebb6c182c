import { Resolver } from 'node:dns/promises'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { X509Certificate } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { httpsJob } from '#app/https/module.ts'
import { FakeAuthority } from '#kit/acme.ts'
import { AT_HOME, LAN_ZONE, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLicense, type TestLicense } from '#kit/licenses.ts'
import { Pebble, whyNoPebble } from '#kit/pebble.ts'
import { makePlatformAdmin, platformAdmin } from '#kit/platform-admin.ts'
import { newSetup } from '#kit/setup.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'

/** A server of an institute and the one of its vendor, both whole, with the vendor's name server between them. */

const why = whyNoPebble()
if (why !== undefined) console.log(`A real authority is skipped: ${why}`)

const YEARS = { ...NO_LIMITS, accessTokenSeconds: 1000 * 86_400 }

let vendor: TestApp
let licensee: TestInstitute
let license: TestLicense
let office: TestApp
let owner: Client
let addresses: string[]
/** What the router of the office says of the name; undefined: what the name server says. */
let router: readonly string[] | undefined
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await office.close()
  await vendor.close()
  for (const end of ends.splice(0)) await end()
})

const dnsPort = (): number => vendor.app.lanZone?.port as number

/** What a resolver finds at the vendor's name server. */
const found = async (name: string): Promise<readonly string[]> => {
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${dnsPort()}`])
  return resolver.resolve4(name).catch(() => [])
}

const REAL = new Date().toISOString()

const startVendor = async (now: string): Promise<void> => {
  const lanZone = { ...LAN_ZONE, listen: { host: '127.0.0.1', port: 0 } }
  vendor = await startApp({ now, config: { ...YEARS, mode: 'cloud', lanZone } })
  licensee = await makeInstitute(vendor)
  license = await newLicense(vendor, licensee, { maxInstalls: 1 })
}

const startOffice = async ({ now, directory, outbound }: { now: string; directory: string; outbound?: Outbound }) => {
  addresses = ['192.168.1.20', 'fd00::20', '127.0.0.1', 'fe80::1', '8.8.8.8']
  router = undefined
  office = await startApp({
    now,
    machine: { ...AT_HOME, addresses: () => addresses, resolve: async (name) => router ?? found(name) },
    httpsPlaces: { ports: [0], plainPort: undefined, directory },
    config: { ...YEARS, license: { ...DEFAULTS.license, vendorUrl: vendor.url, publicKey: license.vendor } },
    ...(outbound && { outbound }),
  })
  const { body } = await office.post('/setup/bootstrap', newSetup(office.app.setupToken.ensure()))
  owner = office.as(body.accessToken)
}

const enterLicense = async (): Promise<void> => {
  expect((await owner.post('/license', { token: license.token })).status).toBe(200)
  await office.drain()
}
const choose = () => owner.put('/server/https', { way: 'vendor', name: null, leads: true })
const state = async () => (await owner.get('/server/https')).body
const isDone = async () => {
  await expect.poll(() => office.app.https.isOrdering, { interval: 5 }).toBe(false)
}
const settled = async () => {
  await isDone()
  return state()
}
/** What happens every half a minute, with all that follows from it. */
const look = async () => {
  await office.app.https.look()
  await isDone()
  await office.app.https.look()
}
const hour = async () => {
  await runInTransaction(office.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(httpsJob, {}),
  )
  await office.drain()
}
const pass = (seconds: number) => {
  office.clock.advance(seconds)
  vendor.clock.advance(seconds)
}
const DAY = 86_400

const withFake = async (): Promise<FakeAuthority> => {
  await startVendor(REAL)
  const fake = await FakeAuthority.open(() => office.clock.millis())
  ends.push(() => fake.close())
  fake.dns = `127.0.0.1:${dnsPort()}`
  await startOffice({ now: REAL, directory: fake.directory })
  return fake
}

/** Asks over TLS by the name, as a device that trusts this root. */
const meet = (name: string, ca: string): Promise<{ status: number | undefined; certificate: X509Certificate }> =>
  new Promise((resolve, reject) => {
    const port = office.app.https.port
    httpsRequest(
      { host: '127.0.0.1', port, path: '/api/v1/health/live', servername: name, ca, agent: false },
      (reply) => {
        const certificate = (reply.socket as TLSSocket).getPeerX509Certificate() as X509Certificate
        reply.resume().on('end', () => resolve({ status: reply.statusCode, certificate }))
      },
    )
      .on('error', reject)
      .end()
  })

test.skipIf(why !== undefined)(
  'a server with a licence has a certificate for its name that a real authority gave',
  async () => {
    await startVendor(REAL)
    const pebble = await Pebble.open(dnsPort())
    ends.push(() => pebble.close())
    await startOffice({ now: REAL, directory: pebble.directory, outbound: pebble.outbound })
    await enterLicense()
    await choose()
    const { order, vendorName, addresses: opens, certificate } = await settled()
    expect(order).toMatchObject({ result: 'ok' })
    expect(vendorName.name).toMatch(/^[a-z0-9]{10}\.lan\.test$/)
    expect(opens).toEqual([`https://${vendorName.name}:${office.app.https.port}`])
    expect(certificate.names).toEqual([vendorName.name])
    const first = await meet(vendorName.name, pebble.root)
    expect(first.status).toBe(200)
    await expect(meet('www.example.com', pebble.root)).rejects.toThrow(/does not match/)
    expect(await found(vendorName.name)).toEqual(['192.168.1.20'])

    // The challenge is gone, and a new order proves the name anew.
    const resolver = new Resolver()
    resolver.setServers([`127.0.0.1:${dnsPort()}`])
    await expect(resolver.resolveTxt(`_acme-challenge.${vendorName.name}`)).rejects.toThrow(/ENODATA/)
    expect((await owner.post('/server/https/order')).status).toBe(202)
    expect((await settled()).order.result).toBe('ok')
    const second = await meet(vendorName.name, pebble.root)
    expect(second.certificate.fingerprint256).not.toBe(first.certificate.fingerprint256)
  },
)

test('the name and its certificate go on for a year by themselves, under the same name', async () => {
  const fake = await withFake()
  await enterLicense()
  await choose()
  const { name } = (await settled()).vendorName
  for (let day = 0; day < 365; day += 1) {
    pass(DAY)
    await look()
    await office.app.https.hourly(office.clock.now().slice(0, 10))
    const left = (office.app.https.certificate as X509Certificate).validToDate.getTime() - office.clock.millis()
    expect(left).toBeGreaterThan(40 * DAY * 1000)
  }
  expect(fake.orders).toBeGreaterThanOrEqual(8)
  expect(fake.orders).toBeLessThanOrEqual(11)
  expect(fake.identifier).toEqual({ type: 'dns', value: name })
  const today = office.clock.now()
  expect(office.app.https.state().vendorName).toMatchObject({ name, failure: null, askedAt: today })
  const admin = await makePlatformAdmin(vendor)
  const { data } = (await admin.get(`${license.path}/installs`)).body
  expect(data[0].lanName).toEqual({ name, askedAt: today })
})

test('the name follows an address that changes, and leads to addresses of the network alone', async () => {
  await withFake()
  await enterLicense()
  await choose()
  const { name } = (await settled()).vendorName
  expect(await found(name)).toEqual(['192.168.1.20'])
  addresses = ['10.0.0.7', '8.8.8.8']
  await look()
  const { vendorName } = await state()
  expect(vendorName).toMatchObject({ name, leads: 'here' })
  expect(await found(name)).toEqual(['10.0.0.7'])
})

test('pages lead to the name only while it leads here: a router that hides it keeps nobody out', async () => {
  await withFake()
  await enterLicense()
  await choose()
  const { name } = (await settled()).vendorName
  const leadsTo = () => office.app.https.elsewhere({ host: '192.168.1.20', path: '/', url: '/' })
  router = []
  await look()
  expect((await state()).vendorName.leads).toBe('nowhere')
  expect(leadsTo()).toBeUndefined()
  router = ['192.168.9.9']
  await look()
  expect((await state()).vendorName.leads).toBe('elsewhere')
  expect(leadsTo()).toBeUndefined()
  router = undefined
  await look()
  expect((await state()).vendorName.leads).toBe('here')
  const to = `https://${name}:${office.app.https.port}/`
  expect(leadsTo()).toBe(to)
  const page = await (await fetch(`${office.url}/ca`, { headers: { 'Accept-Language': 'en' } })).text()
  expect(page).toContain(`data-url="${to.slice(0, -1)}"`)
  expect(page).toContain('rebind')
})

test('whatever the vendor refuses is said, and the certificate goes on', async () => {
  await withFake()
  await choose()
  expect((await settled()).vendorName).toMatchObject({ name: null, failure: { reason: 'no_license' } })
  expect((await state()).order).toMatchObject({ result: 'failed', reason: 'no_license' })

  await enterLicense()
  expect((await owner.post('/server/https/order')).status).toBe(202)
  const { certificate, vendorName } = await settled()
  expect(vendorName).toMatchObject({ failure: null })
  expect(certificate.names).toEqual([vendorName.name])

  const admin = await platformAdmin(vendor)
  await admin.post(`${license.path}/lock`, { reason: 'Unpaid.' })
  pass(DAY)
  await look()
  expect(await state()).toMatchObject({
    certificate,
    vendorName: { name: vendorName.name, failure: { reason: 'license_locked' } },
  })
  await admin.post(`${license.path}/unlock`)
  pass(DAY)
  await look()
  expect((await state()).vendorName.failure).toBeNull()

  await vendor.app.database.write((db) => db.updateTable('license').set({ expires_at: vendor.clock.now() }).execute())
  pass(DAY)
  await look()
  expect((await state()).vendorName.failure.reason).toBe('license_ended')
  await vendor.app.database.write((db) => db.updateTable('license').set({ expires_at: null }).execute())

  addresses = ['127.0.0.1', '8.8.8.8']
  pass(DAY)
  await look()
  expect((await state()).vendorName.failure.reason).toBe('no_lan_address')
})

test('a vendor that gives nothing is asked less and less, and the owner is told once before the end', async () => {
  const fake = await withFake()
  await enterLicense()
  await choose()
  const { certificate } = await settled()
  const before = fake.orders
  await vendor.app.database.write((db) => db.updateTable('license').set({ state: 'locked' }).execute())
  pass(46 * DAY)
  let asked = 0
  for (let hours = 0; hours < 48; hours += 1) {
    await look()
    asked += office.app.https.state().vendorName.failure?.at === office.clock.now() ? 1 : 0
    await hour()
    pass(3600)
  }
  expect(asked).toBeLessThanOrEqual(20)
  // The authority is not asked for what cannot be proven.
  expect(fake.orders).toBe(before)
  expect(await state()).toMatchObject({ certificate, order: { result: 'failed', reason: 'license_locked' } })
  const { body } = await owner.get('/me/notifications')
  const told = body.data.filter(({ templateKey }: { templateKey: string }) => templateKey === 'https.failed')
  expect(told).toHaveLength(1)
})

test('a vendor that cannot be reached, and one that gives no names, are said as that', async () => {
  await startVendor(REAL)
  await startOffice({ now: REAL, directory: 'http://127.0.0.1:9/' })
  await enterLicense()
  const { url } = vendor
  await vendor.close()
  await choose()
  expect((await settled()).vendorName.failure.reason).toBe('vendor_unreachable')
  vendor = await startApp({ config: { lanZone: undefined, port: Number(new URL(url).port) } })
  pass(DAY)
  await look()
  expect((await state()).vendorName.failure.reason).toBe('vendor_has_none')
})
