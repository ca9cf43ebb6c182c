import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TELLING_JOBS } from '#app/backup/telling-jobs.ts'
import { AT_HOME, engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { newSetup } from '#kit/setup.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'

/** They do more than tell: after a restore they run again. A new kind of job goes here or to TELLING_JOBS. */
const OTHER_JOBS = [
  'backups.nightly',
  'billing.sweep-cheques',
  'billing.sweep-overdue',
  'billing.sweep-steps',
  'closures.align',
  'export.discard',
  'export.make',
  'export.sweep',
  'fees.billing-run',
  'files.arrived',
  'files.discard',
  'files.sweep',
  'groups.keep-days',
  'groups.sweep-ends',
  'housekeeping.sweep',
  'https.hourly',
  'identity.sweep',
  'imports.run',
  'imports.sweep',
  'leads.sweep-registrations',
  'license.heartbeat',
  'license.watch',
  'notifications.retry-stuck',
  'notifications.sweep',
  'oauth.sweep',
  'online-payments.notice',
  'online-payments.reconcile',
  'online-payments.reconcile-all',
  'people.erase-traces',
  'people.sweep-days',
  'plans.sweep-subscriptions',
  'platform.count-month',
  'rollover.fill',
  'rollover.sweep-former',
  'sessions.align-group',
  'sessions.follow-zone',
  'server.sweep-brought',
  'sessions.sweep-ahead',
  'setup.forget-token',
  'updates.hourly',
  'waiting-lists.sweep-offers',
  'webhooks.disable-queued',
  'webhooks.sweep',
]

/** A process of its own is started from the sources. */
const STARTED_MILLIS = 100_000

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 86_400 } })
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const backups = async () => (await institute.owner.get('/server/backups')).body
const address = (name: string, password = PASSWORD) =>
  institute.owner.post(`/server/backups/${name}/download`, { password })

describe.runIf(engine === 'sqlite')('backups', () => {
  test(
    'are made when the owner asks, listed with what they hold, and downloaded with the password',
    async () => {
      expect(await backups()).toMatchObject({ canMake: true, isMaking: false, failedAt: null, kept: [] })
      const begun = await institute.owner.post('/server/backups')
      expect(begun).toMatchObject({ status: 202, body: { isMaking: true } })
      // Asked again, it is the same one.
      expect((await institute.owner.post('/server/backups')).status).toBe(202)
      await expect.poll(async () => (await backups()).isMaking, { timeout: STARTED_MILLIS, interval: 500 }).toBe(false)
      const { kept, failedAt } = await backups()
      expect(failedAt).toBeNull()
      expect(kept).toHaveLength(1)
      expect(kept[0]).toMatchObject({ kind: 'asked', isWhole: true, students: 0, files: 0, createdAt: app.clock.now() })

      const [{ name, sizeBytes }] = kept
      const wrong = await address(name, 'a wrong password')
      expect(wrong).toMatchObject({ status: 401, body: { error: { details: { reason: 'invalid_credentials' } } } })
      const { body } = await address(name)
      const reply = await fetch(`${app.url}${body.url}`)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-disposition')).toBe(`attachment; filename=${name}`)
      expect((await reply.arrayBuffer()).byteLength).toBe(sizeBytes)
      expect(await auditOf(app, institute, 'server.backup-address')).toHaveLength(1)

      const forged = await fetch(`${app.url}${(body.url as string).replace(/signature=../, 'signature=xx')}`)
      expect(forged.status).toBe(403)
      app.clock.advance(5 * 60)
      expect(await (await fetch(`${app.url}${body.url}`)).json()).toMatchObject({
        error: { details: { reason: 'expired' } },
      })
    },
    STARTED_MILLIS + 20_000,
  )

  test('that cannot be read are shown as such, and what is no backup is never given out', async () => {
    writeFileSync(path.join(app.dataDir, 'backups', 'cut.tar.gz'), 'no archive')
    const cut = (await backups()).kept.find(({ name }: { name: string }) => name === 'cut.tar.gz')
    expect(cut).toMatchObject({ isWhole: false, files: null })
    for (const name of ['none.tar.gz', '..%2Fmaster-key', '.nightly.json'])
      expect((await address(name)).status).toBe(404)
  })

  test('that is gone since its address was given is 404', async () => {
    const file = path.join(app.dataDir, 'backups', 'gone.tar.gz')
    writeFileSync(file, 'soon gone')
    const { body } = await address('gone.tar.gz')
    rmSync(file)
    expect((await fetch(`${app.url}${body.url}`)).status).toBe(404)
  })

  test('are not given to whoever guesses the password', async () => {
    writeFileSync(path.join(app.dataDir, 'backups', 'kept.tar.gz'), 'kept')
    for (let time = 0; time < 5; time += 1) expect((await address('kept.tar.gz', 'wrong')).status).toBe(401)
    const reason = 'too_many_wrong_passwords'
    const locked = { status: 423, body: { error: { code: 'ACCOUNT_LOCKED', details: { reason } } } }
    expect(await address('kept.tar.gz')).toMatchObject(locked)
    expect(await restore('kept.tar.gz')).toMatchObject(locked)
    // Whoever took the session over locks the owner out of nothing.
    const signedIn = await app.post('/auth/login', {
      email: emailOf(institute.ownerUserId),
      password: PASSWORD,
      client: 'mobile',
    })
    expect(signedIn.status).toBe(200)
    const again = app.as(signedIn.body.accessToken)
    expect((await again.post('/server/backups/kept.tar.gz/download', { password: PASSWORD })).status).toBe(200)
    app.clock.advance(3600)
  })
})

const restore = (name: string, password = PASSWORD) =>
  institute.owner.post(`/server/backups/${name}/restore`, { password })
const contents = (name: string) => institute.owner.get(`/server/backups/${name}/contents`)

describe.runIf(engine === 'sqlite')('a restore', () => {
  const lay = (name: string, text: string) => writeFileSync(path.join(app.dataDir, 'backups', name), text)

  test('is told at once of what is no backup that could be restored here', async () => {
    const cases = {
      'letter.tar.gz': ['not_a_backup', 'a letter to the parents'],
      'empty.tar.gz': ['damaged', ''],
      'dump.tar.gz': ['postgres_dump', 'PGDMP and more'],
      'sealed.tar.gz': ['needs_key', 'age-encryption.org/v1'],
    }
    for (const [name, [reason = '', text = '']] of Object.entries(cases)) {
      lay(name, text)
      expect((await contents(name)).body).toMatchObject({ isReading: false, held: null, since: null, reason })
    }
    expect((await contents('none.tar.gz')).status).toBe(404)
  })

  test('begins with the password alone, one at a time, and says why it came to nothing', async () => {
    lay('letter.tar.gz', 'a letter to the parents')
    expect((await restore('none.tar.gz')).status).toBe(404)
    const wrong = { status: 401, body: { error: { details: { reason: 'invalid_credentials' } } } }
    expect(await restore('letter.tar.gz', 'a wrong password')).toMatchObject(wrong)
    expect((await institute.owner.get('/server/restore')).body).toMatchObject({ canRestore: true, step: 'none' })
    expect(await restore('letter.tar.gz')).toMatchObject({ status: 202, body: { step: 'checking' } })
    const busy = { status: 409, body: { error: { details: { reason: 'restore_busy' } } } }
    expect(await restore('letter.tar.gz')).toMatchObject(busy)
    await expect
      .poll(async () => (await institute.owner.get('/server/restore')).body, {
        timeout: STARTED_MILLIS,
        interval: 500,
      })
      .toMatchObject({ step: 'failed', reason: 'not_a_backup', backup: null })
    expect(await auditOf(app, institute, 'server.restore-backup')).toHaveLength(1)
  })

  test('knows of each kind of job whether it tells somebody something', () => {
    const kinds = app.app.modules.flatMap(({ jobs = [] }) => jobs.map(({ name }) => name))
    expect([...TELLING_JOBS, ...OTHER_JOBS].toSorted()).toEqual(kinds.toSorted())
  })
})

test.runIf(engine === 'postgres')('a server with Postgres is restored by its tools, and says so', async () => {
  const elsewhere = { status: 409, body: { error: { details: { reason: 'restored_by_postgres' } } } }
  expect(await restore('any.tar.gz')).toMatchObject(elsewhere)
  expect(await contents('any.tar.gz')).toMatchObject(elsewhere)
  expect((await institute.owner.get('/server/restore')).body).toMatchObject({ canRestore: false, step: 'none' })
})

describe('the health of the server', () => {
  test('is told in the words of doctor, without a look at the whole database', async () => {
    const { status, body } = await institute.owner.get('/server/health')
    expect(status).toBe(200)
    expect(body.findings.map(({ about }: { about: string }) => about)).toEqual([
      'disk',
      'clock',
      'mail',
      'queue',
      'files',
      'backups',
      'address',
      'vendor',
    ])
    expect(body.findings).toContainEqual(expect.objectContaining({ about: 'mail', state: 'warning' }))
    expect(body.findings).toContainEqual({ about: 'queue', state: 'ok', text: 'no job is dead' })
  })
})

describe('the address to which people are sent', () => {
  test('is told as nobody’s once it is not this machine’s any more, until the owner sets another', async () => {
    const own = await startApp()
    const { body } = await own.post('/setup/bootstrap', newSetup(own.app.setupToken.ensure()))
    const owner = own.as(body.accessToken)
    const read = async () => (await owner.get('/server/address')).body
    const set = (baseUrl: string) => owner.patch('/settings', { baseUrl })
    expect(await read()).toMatchObject({ whose: 'loopback', isFixed: false, leadsTo: [] })
    await set('http://192.168.254.20:8080')
    expect(await read()).toMatchObject({ url: 'http://192.168.254.20:8080', whose: 'strange' })
    await set('http://office.local:8080')
    expect(await read()).toMatchObject({ url: 'http://office.local:8080', whose: 'own' })
    await set('http://school.example.org')
    expect(await read()).toMatchObject({ whose: 'unknown' })
    await own.close()
  })

  test('which the configuration names is told as fixed', async () => {
    const fixed = await startApp({ config: { baseUrl: 'http://192.168.254.20' } })
    const { owner } = await makeInstitute(fixed)
    expect((await owner.get('/server/address')).body).toMatchObject({ isFixed: true, whose: 'strange' })
    await fixed.close()
  })
})

test('others are told where to open it: a public name first, the name of its network last', async () => {
  const named = await startApp({ machine: { ...AT_HOME, lanName: () => 'institute.local' } })
  const { body } = await named.post('/setup/bootstrap', newSetup(named.app.setupToken.ensure()))
  const owner = named.as(body.accessToken)
  const ways = async () => (await owner.get('/server/address')).body.ways
  const ofName = { url: `http://institute.local:${new URL(named.url).port}`, isLocal: true }
  expect(await ways()).toEqual([ofName])
  for (const [url, isLocal] of [
    ['https://school.example.org', false],
    ['http://office.local:8080', true],
  ] as const) {
    expect((await owner.patch('/settings', { baseUrl: url })).status).toBe(200)
    expect(await ways()).toEqual([{ url, isLocal }, ofName])
  }
  // It leads elsewhere.
  await owner.patch('/settings', { baseUrl: 'http://192.168.254.20:8080' })
  expect(await ways()).toEqual([ofName])
  await named.close()
})

test('whom the server takes a caller for is told to its own check alone', async () => {
  const ask = (expires: number, signature = app.app.vault.tag('seen-address', String(expires))) =>
    app.get(`/server/address/seen?expires=${expires}&signature=${signature}`)
  const soon = app.clock.millis() + 60_000
  expect(await ask(soon)).toMatchObject({ status: 200, body: { address: '127.0.0.1', origin: app.url } })
  const refused = (reason: string) => ({ status: 403, body: { error: { details: { reason } } } })
  expect(await ask(soon, 'x'.repeat(22))).toMatchObject(refused('signature'))
  expect(await ask(app.clock.millis())).toMatchObject(refused('expired'))
})

test('nobody but the owner sees or makes any of it', async () => {
  const admin = await institute.member({ role: 'admin' })
  for (const reply of [
    await admin.get('/server/backups'),
    await admin.post('/server/backups'),
    await admin.post('/server/backups/x.tar.gz/download', { password: PASSWORD }),
    await admin.get('/server/health'),
    await admin.get('/server/address'),
    await admin.get('/server/lan-name'),
    await admin.put('/server/lan-name', { name: 'school' }),
  ])
    expect(reply.status).toBe(403)
})

test('in the cloud there is none of it: 404', async () => {
  const cloud = await startApp({ config: { mode: 'cloud' } })
  try {
    const { owner } = await makeInstitute(cloud)
    for (const reply of [
      await owner.get('/server/backups'),
      await owner.post('/server/backups'),
      await owner.post('/server/backups/x.tar.gz/download', { password: PASSWORD }),
      await owner.get('/server/backups/x.tar.gz/contents'),
      await owner.post('/server/backups/x.tar.gz/restore', { password: PASSWORD }),
      await owner.put('/server/backups/brought', {}),
      await owner.delete('/server/backups/brought'),
      await owner.get('/server/restore'),
      await owner.get('/server/health'),
      await owner.get('/server/address'),
      await owner.get('/server/updates'),
      await owner.get('/server/https'),
      await owner.put('/server/https', { way: 'local', name: null, leads: false }),
      await owner.post('/server/https/order'),
      await owner.get('/server/lan-name'),
      await owner.put('/server/lan-name', { name: 'school' }),
      await owner.patch('/server/updates', { mode: 'off' }),
      await owner.post('/server/updates/check'),
      await owner.put('/server/updates/file', {}),
      await owner.post('/server/updates/install', { version: '9.9.9' }),
    ])
      expect(reply.status).toBe(404)
  } finally {
    await cloud.close()
  }
})
