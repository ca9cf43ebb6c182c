import { createServer, type Server } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { updatesJob } from '#app/updates/module.ts'
import { bootId } from '#app/updates/outcome.ts'
import { stagedIn } from '#app/updates/places.ts'
import type { Manifest } from '#app/updates/manifest.ts'
import { AT_HOME, engine, startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newSetup } from '#kit/setup.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { keysDocument, manifestOf, newSigner, NEWS, releaseOf, VendorFolder } from '#kit/updates.ts'

const BYTES = Buffer.from('a release')

let folder: string
let vendor: VendorFolder
let programDir: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-updates-'))
  vendor = new VendorFolder(path.join(folder, 'vendor'))
  programDir = mkdtempSync(path.join(folder, 'program-'))
  writeFileSync(path.join(programDir, 'install.sh'), '')
  writeFileSync(path.join(programDir, 'update-keys.json'), JSON.stringify(vendor.keys))
})

let app: TestApp
let owner: Client
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = async (from: string | undefined = vendor.folder, options: TestAppOptions = {}): Promise<void> => {
  app = await startApp({
    ...options,
    config: { updates: { from, programDir }, accessTokenSeconds: 30 * 86_400, ...options.config },
  })
  const { body } = await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  owner = app.as(body.accessToken)
}

const publish = (version: string, { bytes = BYTES, ...more }: Partial<Manifest> & { bytes?: Buffer } = {}) => {
  vendor.layFile(bytes)
  return vendor.publish(manifestOf([releaseOf(version, bytes)], more))
}

const updates = async () => (await owner.get('/server/updates')).body
const check = async () => (await owner.post('/server/updates/check')).body
const hour = async (seconds = 3600) => {
  app.clock.advance(seconds)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(updatesJob, {}),
  )
  await app.drain()
}
const notices = async () =>
  (await owner.get('/me/notifications')).body.data
    .map(({ templateKey }: { templateKey: string }) => templateKey)
    .filter((key: string) => key.startsWith('update.'))
const install = async () => {
  await owner.post('/server/updates/install')
  await expect.poll(async () => (await updates()).install ?? existsSync(stagedIn(app.dataDir).wanted)).not.toBe(false)
  return updates()
}
/** As the updater, which is root, writes it. */
const outcome = (more: object) =>
  writeFileSync(
    path.join(programDir, 'update-result.json'),
    JSON.stringify({ reason: null, detail: '', at: app.clock.now(), boot: 'another', ...more }),
  )

describe('a look', () => {
  test('finds the new version, and what is new in it by language', async () => {
    await start()
    expect(await updates()).toMatchObject({
      version: '0.1.0',
      isConfigured: true,
      mode: 'tell',
      offer: null,
      check: null,
    })
    publish('0.2.0')
    expect(await check()).toMatchObject({
      offer: { version: '0.2.0', news: NEWS, sizeBytes: BYTES.length },
      check: { at: app.clock.now(), reason: engine === 'sqlite' ? null : 'postgres', version: '0.2.0' },
      isInstalling: false,
    })
    expect((await owner.get('/audit?action=server.check-updates')).body.data).toHaveLength(1)
  })

  test('refuses by name, and remembers what it has seen beside the database', async () => {
    await start()
    publish('0.2.0', { sequence: 8 })
    await check()
    const wrong: [string, () => void][] = [
      ['manifest_rolled_back', () => publish('0.2.0', { sequence: 7 })],
      ['bad_signature', () => vendor.publish(manifestOf([]), newSigner())],
      [
        'wrong_channel',
        () =>
          writeFileSync(
            path.join(vendor.folder, 'stable/manifest.json'),
            JSON.stringify(vendor.publish(manifestOf([], { channel: 'early', sequence: 9 }))),
          ),
      ],
      ['manifest_expired', () => publish('0.2.0', { sequence: 9, expiresAt: '2026-03-02T07:00:00.000Z' })],
      ['malformed', () => writeFileSync(path.join(vendor.folder, 'stable/manifest.json'), '<html>')],
      ['unreachable', () => rmSync(path.join(vendor.folder, 'stable/manifest.json'))],
      ['no_keys', () => rmSync(path.join(programDir, 'update-keys.json'))],
    ]
    for (const [reason, change] of wrong) {
      change()
      expect((await check()).check, reason).toMatchObject({ result: 'failed', reason })
    }
  })

  test('believes keys that two of three root keys have named since, and never the former ones again', async () => {
    await start()
    const thief = vendor.release
    vendor.release = newSigner()
    const [r1, r2, r3] = vendor.root
    vendor.publishKeys(keysDocument(2, { root: vendor.root, release: [vendor.release] }), [r1, r2])
    publish('0.2.0')
    expect((await check()).offer).toMatchObject({ version: '0.2.0' })
    // A mirror that leaves the statement out.
    rmSync(path.join(vendor.folder, 'keys'), { recursive: true })
    vendor.publish(manifestOf([releaseOf('0.3.0', BYTES)], { sequence: 9 }), thief)
    expect((await check()).check).toMatchObject({ result: 'failed', reason: 'bad_signature' })
    vendor.publishKeys(keysDocument(3, { root: vendor.root, release: [thief] }), [r3])
    expect((await check()).check).toMatchObject({ reason: 'bad_signature' })
  })

  test('comes once a day, is off where the institute says so, and tells the owner of a version once', async () => {
    await start()
    publish('0.2.0')
    await hour()
    expect(await notices()).toEqual(['update.available'])
    const { check: first, nextCheckAt } = await updates()
    await hour()
    expect((await updates()).check.at).toBe(first.at)
    expect(Date.parse(nextCheckAt) - Date.parse(first.at)).toBeGreaterThan(19 * 3600 * 1000)
    await hour(24 * 3600)
    expect((await updates()).check.at).not.toBe(first.at)
    expect(await notices()).toEqual(['update.available'])
    await owner.patch('/server/updates', { mode: 'off' })
    const { check: last } = await updates()
    publish('0.3.0', { sequence: 9 })
    await hour(48 * 3600)
    expect(await updates()).toMatchObject({ check: last, nextCheckAt: null })
    const { data } = (await owner.get('/audit?action=server.change-updates')).body
    expect(data).toMatchObject([{ metadata: { mode: 'off' } }])
  })

  test('is never made where nobody said where', async () => {
    await start('')
    app.app.config.updates.from = undefined
    await hour()
    expect(await updates()).toMatchObject({ check: null })
  })

  test('forgets what another channel offered', async () => {
    await start()
    publish('0.2.0')
    await check()
    const { body } = await owner.patch('/server/updates', { channel: 'early', hour: 5 })
    expect(body).toMatchObject({ channel: 'early', hour: 5, mode: 'tell', offer: null })
    const refused = await owner.patch('/server/updates', { hour: 24 })
    expect(refused.status).toBe(422)
  })
})

describe.runIf(engine === 'sqlite')('putting a version in', () => {
  test('lays the file that was signed, and last of all the wish', async () => {
    await start()
    publish('0.2.0')
    await check()
    expect(await install()).toMatchObject({ isInstalling: true, install: null })
    const staged = stagedIn(app.dataDir)
    expect(readFileSync(staged.release)).toEqual(BYTES)
    expect(JSON.parse(readFileSync(staged.wanted, 'utf8'))).toEqual({ version: '0.2.0' })
  })

  test('by itself comes at the hour that was chosen, by the clocks of the institute', async () => {
    await start()
    // 10:00 in Jerusalem.
    await owner.patch('/server/updates', { mode: 'install', hour: 12 })
    publish('0.2.0')
    await hour()
    const { wanted } = stagedIn(app.dataDir)
    expect(existsSync(wanted)).toBe(false)
    await hour()
    expect(await updates()).toMatchObject({ install: null, isInstalling: true })
    expect(existsSync(wanted)).toBe(true)
  })

  test('that fails in the night is told to the owner once, and tried again the next night', async () => {
    await start()
    await owner.patch('/server/updates', { mode: 'install', hour: 12 })
    publish('0.2.0')
    await hour()
    rmSync(filePath())
    const failures = async () => (await notices()).filter((key: string) => key === 'update.failed')
    for (let n = 0; n < 12; n += 1) await hour()
    expect((await updates()).install).toMatchObject({ result: 'failed', reason: 'no_file', version: '0.2.0' })
    expect(await failures()).toHaveLength(1)
    for (let n = 0; n < 48; n += 1) await hour()
    expect(await failures()).toHaveLength(1)
    publish('0.2.0', { sequence: 9 })
    for (let n = 0; n < 24; n += 1) await hour()
    expect(await updates()).toMatchObject({ isInstalling: true })
  })

  test.each([
    ['file_differs', () => writeFileSync(filePath(), 'a releasE')],
    ['file_incomplete', () => writeFileSync(filePath(), 'a rel')],
    ['no_file', () => rmSync(filePath())],
    ['not_newer', () => publish('0.1.0', { sequence: 9 })],
  ])('lays nothing: %s', async (reason, change) => {
    await start()
    publish('0.2.0')
    await check()
    change()
    expect((await install()).install).toMatchObject({ result: 'failed', reason })
    expect(existsSync(stagedIn(app.dataDir).wanted)).toBe(false)
  })

  const others: [string, TestAppOptions][] = [
    ['no_systemd', { machine: { ...AT_HOME, hasSystemd: () => false } }],
    ['container', { machine: { ...AT_HOME, isInContainer: () => true } }],
    ['not_installed', {}],
  ]
  test.each(others)('is only told of: %s', async (reason, options) => {
    if (reason === 'not_installed') rmSync(path.join(programDir, 'install.sh'))
    await start(undefined, options)
    publish('0.2.0')
    expect(await check()).toMatchObject({ obstacle: reason, check: { result: 'skipped', reason, version: '0.2.0' } })
    expect((await install()).install).toMatchObject({ result: 'skipped', reason })
  })

  test('that the updater did, or went back from, is told once, with what is new in it', async () => {
    await start()
    publish('0.2.0')
    await check()
    outcome({ state: 'failed', version: '0.2.0', reason: 'went_back' })
    await hour()
    await hour()
    expect((await updates()).install).toMatchObject({ result: 'failed', reason: 'went_back', version: '0.2.0' })
    expect((await notices()).toSorted()).toEqual(['update.available', 'update.failed'])
    // It is not tried again by itself.
    await owner.patch('/server/updates', { mode: 'install', hour: 12 })
    for (let n = 0; n < 24; n += 1) await hour()
    expect(existsSync(stagedIn(app.dataDir).wanted)).toBe(false)
  })

  test('that still goes on when the new version starts is told soon after its end, and not at the next hour', async () => {
    await start()
    outcome({ state: 'applying', version: '0.1.0', boot: bootId() })
    await hour()
    expect((await updates()).install).toBeNull()
    outcome({ state: 'ok', version: '0.1.0', boot: bootId() })
    await app.pass(30)
    expect((await updates()).install).toMatchObject({ result: 'ok', version: '0.1.0' })
  })

  test('that a power cut broke off is seen as such after the next start of the system', async () => {
    await start()
    outcome({ state: 'applying', version: '0.2.0' })
    await hour()
    expect((await updates()).install).toMatchObject({ result: 'failed', reason: 'power_cut' })
    expect(await notices()).toEqual(['update.failed'])
    app.clock.advance(60)
    outcome({ state: 'applying', version: '0.1.0' })
    await hour()
    expect((await updates()).install).toMatchObject({ result: 'ok', version: '0.1.0' })
  })
})

const filePath = (): string =>
  path.join(vendor.folder, Object.values(releaseOf('0.2.0', BYTES).files)[0]?.url as string)

describe.runIf(engine === 'sqlite')('over the network', () => {
  let server: Server
  let base: string
  /** Pieces that it still answers. */
  let left: number
  const asked: string[] = []
  beforeEach(async () => {
    left = 100
    asked.length = 0
    server = createServer(({ url = '', headers: { range } }, reply) => {
      const file = path.join(vendor.folder, url.replace(/^\/updates/, ''))
      if (!existsSync(file)) return void reply.writeHead(404).end()
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
      if (from === undefined) return void reply.end(readFileSync(file))
      asked.push(from)
      left -= 1
      if (left < 0) return void reply.destroy()
      return void reply.writeHead(206).end(readFileSync(file).subarray(Number(from), Number(to) + 1))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/updates/`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  test('a download that was cut goes on where it was', async () => {
    const bytes = Buffer.alloc(1_200_000, 'release')
    await start(base)
    publish('0.2.0', { bytes })
    await check()
    left = 1
    expect((await install()).install).toMatchObject({ result: 'failed', reason: 'unreachable' })
    left = 100
    asked.length = 0
    await owner.post('/server/updates/install')
    await expect.poll(() => existsSync(stagedIn(app.dataDir).wanted)).toBe(true)
    expect(asked).toEqual(['524288', '1048576'])
    expect(statSync(stagedIn(app.dataDir).release).size).toBe(bytes.length)
  })

  test('a list that leads back to itself is followed nowhere, and takes nothing back that was offered', async () => {
    await start(base)
    publish('0.2.0')
    await check()
    const requests: string[] = []
    server.removeAllListeners('request').on('request', ({ url = '' }, reply) => {
      requests.push(url)
      reply.writeHead(302, { location: url }).end()
    })
    expect(await check()).toMatchObject({
      check: { result: 'failed', reason: 'unreachable', detail: expect.stringContaining('302') },
      offer: { version: '0.2.0' },
    })
    expect(requests).toHaveLength(1)
  })

  test('a vendor who cannot be reached takes nothing back that was offered', async () => {
    await start(base)
    publish('0.2.0')
    await check()
    server.close()
    server.closeAllConnections()
    expect(await check()).toMatchObject({
      check: { result: 'failed', reason: 'unreachable' },
      offer: { version: '0.2.0' },
    })
  })
})
