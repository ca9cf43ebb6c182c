import { X509Certificate } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { httpsJob } from '#app/https/module.ts'
import { FakeAuthority } from '#kit/acme.ts'
import { AT_HOME, startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newSetup } from '#kit/setup.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'

let app: TestApp
let owner: Client
let authority: FakeAuthority | undefined
let addresses: string[]
afterEach(async () => {
  await app.close()
  await authority?.close()
  authority = undefined
})

const start = async (options: TestAppOptions = {}): Promise<void> => {
  addresses = ['127.0.0.1', '::1', '192.168.1.20', '8.8.8.8', 'fe80::1']
  const machine = {
    ...AT_HOME,
    addresses: () => addresses,
    lanName: () => 'institute.local',
    resolve: async (name: string) => (name.startsWith('nowhere') ? [] : ['203.0.113.5']),
  }
  app = await startApp({ machine, ...options, config: { accessTokenSeconds: 1000 * 86_400, ...options.config } })
  const { body } = await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  owner = app.as(body.accessToken)
}

const choose = async (way: string, { name = null, leads = false }: { name?: string | null; leads?: boolean } = {}) =>
  owner.put('/server/https', { way, name, leads })
const rootPem = async () =>
  new X509Certificate(Buffer.from(await (await fetch(`${app.url}/ca/root.crt`)).arrayBuffer()))

interface Met {
  status: number | undefined
  certificate: X509Certificate
}

/** Asks over a new connection, as a device that trusts this root. */
const meet = (name: string, ca: string | undefined): Promise<Met> =>
  new Promise((resolve, reject) => {
    const sent = httpsRequest(
      { host: '127.0.0.1', port: app.app.https.port, path: '/api/v1/health/live', servername: name, ca, agent: false },
      (reply) => {
        const certificate = (reply.socket as TLSSocket).getPeerX509Certificate() as X509Certificate
        reply.resume().on('end', () => resolve({ status: reply.statusCode, certificate }))
      },
    )
    sent.on('error', reject).end()
  })

/** Asks over plain HTTP by a name. @returns status and Location */
const plainly = (host: string, path: string, accept = 'text/html'): Promise<[number | undefined, string | undefined]> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${app.url}${path}`, { headers: { host, accept }, agent: false }, (reply) => {
      reply.resume().on('end', () => resolve([reply.statusCode, reply.headers.location]))
    })
    sent.on('error', reject).end()
  })

/** TLS knows no other clock than the machine's. */
const REAL = { now: new Date().toISOString() }

describe('a local authority', () => {
  test('vouches for the names and addresses of the network, to whoever trusts its root and to nobody else', async () => {
    await start(REAL)
    expect((await owner.get('/server/https')).body).toMatchObject({ way: 'off', addresses: [], root: null })
    expect((await fetch(`${app.url}/ca/root.crt`)).status).toBe(404)

    const { body } = await choose('local')
    const root = await rootPem()
    expect(body.root.fingerprint).toBe(root.fingerprint256)
    const port = app.app.https.port as number
    expect(body.addresses.slice(0, 2)).toEqual([`https://institute.local:${port}`, `https://192.168.1.20:${port}`])
    expect(body.addresses).toContain(`https://office.local:${port}`)
    // An address of the internet would make the root refuse the whole certificate.
    expect(body.certificate.names).not.toContain('8.8.8.8')
    expect(body.certificate.names).not.toContain('fe80::1')
    expect((await meet('institute.local', root.toString())).status).toBe(200)
    await expect(meet('institute.local', undefined)).rejects.toThrow(/self-signed certificate|unable to/)
    await expect(meet('www.example.com', root.toString())).rejects.toThrow(/does not match/)
  })

  test('gives a new certificate while the server runs, for a new address and at half of its time', async () => {
    await start({ now: new Date(Date.now() - 46 * 86_400_000).toISOString() })
    await choose('local')
    const root = (await rootPem()).toString()
    const first = await meet('institute.local', root)
    await app.app.https.look()
    expect((await meet('institute.local', root)).certificate.fingerprint256).toBe(first.certificate.fingerprint256)

    addresses = ['10.0.0.7']
    await app.app.https.look()
    const second = await meet('institute.local', root)
    expect(second.certificate.checkIP('10.0.0.7')).toBe('10.0.0.7')

    app.clock.advance(46 * 86_400)
    await app.app.https.look()
    const third = await meet('institute.local', root)
    expect(third.certificate.validToDate.getTime()).toBeGreaterThan(second.certificate.validToDate.getTime())
    expect((await rootPem()).toString()).toBe(root)
  })

  test('is made anew for a name of the office that the one before may not vouch for', async () => {
    await start(REAL)
    await choose('local')
    const first = await rootPem()
    const { body } = await choose('local', { name: 'School.Example.org' })
    const second = await rootPem()
    expect(second.fingerprint256).not.toBe(first.fingerprint256)
    expect(body.addresses[0]).toBe(`https://school.example.org:${app.app.https.port}`)
    expect((await meet('school.example.org', second.toString())).status).toBe(200)
    await choose('local')
    expect((await rootPem()).fingerprint256).toBe(second.fingerprint256)
  })

  test('a page says in the reader’s language how a device comes to trust it, with the root for each system', async () => {
    await start(REAL)
    const page = async (language: string, agent = '') => {
      const reply = await fetch(`${app.url}/ca`, { headers: { 'Accept-Language': language, 'User-Agent': agent } })
      return { text: await reply.text(), policy: reply.headers.get('Content-Security-Policy') }
    }
    expect((await page('en')).text).toContain('Nothing has to be installed')
    const { body } = await choose('local')
    const english = await page('en', 'Mozilla/5.0 (Linux; Android 15)')
    expect(english.text).toContain('Trusted Root Certification Authorities')
    expect(english.text).toMatch(/<details open>\s*<summary><bdi>Android/)
    expect(english.text.replaceAll('\n', ':')).toContain(body.root.fingerprint)
    // Windows shows no other one.
    expect(body.root.thumbprint).toMatch(/^[0-9a-f]{40}$/)
    expect(english.text).toContain(body.root.thumbprint)
    expect(english.policy).toContain(`connect-src https://institute.local:${app.app.https.port}`)
    expect((await page('ar')).text).toContain('dir="rtl"')

    const profile = await fetch(`${app.url}/ca/root.mobileconfig`)
    expect(profile.headers.get('Content-Type')).toBe('application/x-apple-aspen-config')
    const data = /<data>(.*)<\/data>/.exec(await profile.text())?.[1] as string
    expect(new X509Certificate(Buffer.from(data, 'base64')).fingerprint256).toBe(body.root.fingerprint)
    expect((await fetch(`${app.url}/ca/other`)).status).toBe(404)
  })
})

describe('plain HTTP', () => {
  test('leads pages to HTTPS where that was chosen, and nothing that must go on without', async () => {
    await start(REAL)
    await choose('local')
    expect(await plainly('institute.local', '/setup')).toEqual([200, undefined])
    await choose('local', { leads: true })
    const to = `:${app.app.https.port}/setup?a=b`
    expect(await plainly('institute.local', '/setup?a=b')).toEqual([307, `https://institute.local${to}`])
    // Nobody is led to a host that is not the server's.
    expect(await plainly('elsewhere.example', '/setup?a=b')).toEqual([307, `https://institute.local${to}`])
    expect((await plainly('institute.local', '/ca'))[0]).toBe(200)
    expect((await plainly('institute.local', '/api/v1/health/live'))[0]).toBe(200)
    expect((await plainly('institute.local', '/setup', 'application/json'))[0]).toBe(200)
    // Whoever sits at the server.
    expect((await plainly('localhost:8080', '/setup'))[0]).toBe(200)

    expect((await choose('off', { leads: true })).body).toMatchObject({ addresses: [], certificate: null })
    expect((await plainly('institute.local', '/setup'))[0]).toBe(200)
  })
})

describe('a public authority', () => {
  const startWith = async (options: TestAppOptions = {}): Promise<FakeAuthority> => {
    const fake = await FakeAuthority.open(() => app.clock.millis())
    authority = fake
    await start({ httpsPlaces: { ports: [0], plainPort: undefined, directory: fake.directory }, ...options })
    fake.proofsAt = app.url
    return fake
  }
  const state = async () => (await owner.get('/server/https')).body
  const settled = async () => {
    await expect.poll(async () => (await state()).isOrdering).toBe(false)
    return state()
  }
  const hour = async () => {
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(httpsJob, {}),
    )
    await app.drain()
  }

  test('gives a certificate for a name whose proof it finds here, and goes on for a year by itself', async () => {
    const fake = await startWith()
    fake.badNonces = 1
    expect((await choose('public', { name: 'school.example.org' })).body).toMatchObject({ certificate: null })
    expect(await settled()).toMatchObject({
      order: { result: 'ok', reason: null },
      addresses: [`https://school.example.org:${app.app.https.port}`],
      certificate: { names: ['school.example.org'] },
    })
    expect(fake.profile).toBeUndefined()
    expect((await fetch(`${app.url}/.well-known/acme-challenge/the-token`)).status).toBe(404)

    for (let day = 0; day < 365; day += 1) {
      app.clock.advance(86_400)
      await app.app.https.hourly(app.clock.now().slice(0, 10))
      const left = (app.app.https.certificate as X509Certificate).validToDate.getTime() - app.clock.millis()
      expect(left).toBeGreaterThan(40 * 86_400_000)
    }
    // Every 45 days, or a little before.
    expect(fake.orders).toBeGreaterThanOrEqual(8)
    expect(fake.orders).toBeLessThanOrEqual(11)
  })

  test('gives one of six days for an address', async () => {
    const fake = await startWith()
    fake.days = 6
    await choose('public', { name: '203.0.113.5' })
    await settled()
    expect(fake.identifier).toEqual({ type: 'ip', value: '203.0.113.5' })
    expect(fake.profile).toBe('shortlived')
    const after = await state()
    expect(Date.parse(after.nextOrderAt) - app.clock.millis()).toBeLessThanOrEqual(3 * 86_400_000)
  })

  test('that refuses is asked less and less, the certificate before goes on, and the owner is told once', async () => {
    const fake = await startWith()
    await choose('public', { name: 'school.example.org' })
    const before = (await settled()).certificate
    fake.refusal = 'rateLimited'
    app.clock.advance(46 * 86_400)
    const asked = fake.orders
    for (let hours = 0; hours < 48; hours += 1) {
      await hour()
      app.clock.advance(3600)
    }
    expect(fake.orders - asked).toBeGreaterThanOrEqual(4)
    expect(fake.orders - asked).toBeLessThanOrEqual(8)
    expect(await state()).toMatchObject({ certificate: before, order: { result: 'failed', reason: 'too_often' } })
    const { body } = await owner.get('/me/notifications')
    expect(body.data.filter(({ templateKey }: { templateKey: string }) => templateKey === 'https.failed')).toHaveLength(
      1,
    )

    fake.refusal = undefined
    expect((await owner.post('/server/https/order')).status).toBe(202)
    expect((await settled()).order.result).toBe('ok')
  })

  test('is not asked for what is plain from here', async () => {
    const fake = await startWith()
    for (const [name, reason] of [
      [null, 'no_name'],
      ['school.local', 'name_is_local'],
      ['192.168.1.20', 'name_is_local'],
      ['nowhere.example.org', 'name_leads_nowhere'],
    ]) {
      await choose('public', { name: name as string | null })
      expect((await settled()).order).toMatchObject({ result: 'failed', reason })
    }
    expect(fake.orders).toBe(0)
    const { status, body } = await choose('public', { name: 'not a name' })
    expect([status, body.error.details.issues[0].path]).toEqual([422, ['name']])
  })
})
