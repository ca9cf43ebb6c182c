import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Manifest, Release } from '#app/updates/manifest.ts'
import { bootId } from '#app/updates/outcome.ts'
import { stagedIn } from '#app/updates/places.ts'
import { updatesJob } from '#app/updates/module.ts'
import { engine, startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newSetup } from '#kit/setup.ts'
import { manifestOf, newSigner, NEWS, releaseOf, VendorFolder } from '#kit/updates.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'

/** A version that an owner sends from a stick, to a server that was never told where to look. */

const BYTES = Buffer.alloc(200_000, 'a release')

let folder: string
let vendor: VendorFolder
let programDir: string
let app: TestApp
let owner: Client
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-stick-'))
  vendor = new VendorFolder(path.join(folder, 'vendor'))
  programDir = mkdtempSync(path.join(folder, 'program-'))
  writeFileSync(path.join(programDir, 'install.sh'), '')
  writeFileSync(path.join(programDir, 'update-keys.json'), JSON.stringify(vendor.keys))
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = async (options: TestAppOptions = {}, from?: string): Promise<void> => {
  app = await startApp({
    ...options,
    config: { updates: { from, programDir }, accessTokenSeconds: 30 * 86_400, ...options.config },
  })
  const { body } = await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  owner = app.as(body.accessToken)
}

const publish = (
  version: string,
  { release = {}, ...more }: Partial<Manifest> & { release?: Partial<Release> } = {},
) => {
  vendor.layFile(BYTES)
  vendor.publish(manifestOf([releaseOf(version, BYTES, release)], more))
}
const tarred = (): Buffer => execFileSync('tar', ['-cf', '-', '-C', vendor.folder, '.'], { maxBuffer: 1e9 })
const send = (raw: Buffer = tarred()) =>
  owner.send('PUT', '/server/updates/file', { raw, headers: { 'content-type': 'application/octet-stream' } })
const updates = async () => (await owner.get('/server/updates')).body
const kept = () => path.join(app.dataDir, '.update-from')
const staged = () => stagedIn(app.dataDir)
const hour = async () => {
  app.clock.advance(3600)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(updatesJob, {}),
  )
  await app.drain()
}
const notices = async () =>
  (await owner.get('/me/notifications')).body.data
    .map(({ templateKey }: { templateKey: string }) => templateKey)
    .filter((key: string) => key.startsWith('update.'))
/** As the updater, which is root, writes it. */
const outcome = (more: object) => {
  rmSync(staged().wanted, { force: true })
  writeFileSync(
    path.join(programDir, 'update-result.json'),
    JSON.stringify({ reason: null, detail: '', at: app.clock.now(), boot: bootId(), ...more }),
  )
}

describe.runIf(engine === 'sqlite')('a stick', () => {
  test('brings a version that is offered, and put in at a tap', async () => {
    await start()
    publish('0.2.0')
    const { status, body } = await send()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      isConfigured: false,
      offer: { version: '0.2.0', news: NEWS, sizeBytes: BYTES.length, isFromStick: true },
      isPlanned: false,
      check: null,
    })
    expect(statSync(kept()).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(kept(), 'stable/manifest.json')).mode & 0o777).toBe(0o600)
    const { data } = (await owner.get('/audit?action=server.send-update')).body
    expect(data).toMatchObject([{ metadata: { version: '0.2.0' } }])
    // Whoever sent it knows of it.
    await hour()
    expect(await notices()).toEqual([])
    await owner.post('/server/updates/install')
    await expect.poll(() => existsSync(staged().wanted)).toBe(true)
    expect(readFileSync(staged().release)).toEqual(BYTES)
    expect(await updates()).toMatchObject({ isInstalling: true })
    // Nothing else is taken meanwhile.
    expect((await send()).body.error.details).toEqual({ reason: 'update_busy' })
    outcome({ state: 'ok', version: '0.1.0' })
    await app.pass(30)
    expect(await notices()).toEqual(['update.installed'])
  })

  test('may be packed, and hold what is none of the vendor’s', async () => {
    await start()
    publish('0.2.0')
    mkdirSync(path.join(vendor.folder, 'photos'))
    writeFileSync(path.join(vendor.folder, 'photos/one.jpg'), 'x')
    symlinkSync('/etc/passwd', path.join(vendor.folder, 'files/link'))
    expect((await send(gzipSync(tarred()))).body.offer).toMatchObject({ version: '0.2.0' })
    expect(existsSync(path.join(kept(), 'photos'))).toBe(false)
    expect(existsSync(path.join(kept(), 'files/link'))).toBe(false)
  })

  test('is put in at the hour where the owner says so, once', async () => {
    await start()
    publish('0.2.0')
    await send()
    const { body } = await owner.patch('/server/updates', { hour: 12, isPlanned: true })
    expect(body).toMatchObject({ isPlanned: true, mode: 'tell', hour: 12 })
    let hours = 0
    for (; hours < 24 && !existsSync(staged().wanted); hours += 1) await hour()
    expect(existsSync(staged().wanted)).toBe(true)
    outcome({ state: 'failed', version: '0.2.0', reason: 'disk_full' })
    await app.pass(30)
    await app.pass(30)
    // It comes round again within that hour, and does not try again.
    expect(existsSync(staged().wanted)).toBe(false)
    expect(await notices()).toEqual(['update.failed'])
    expect(await updates()).toMatchObject({ install: { result: 'failed', reason: 'disk_full' }, isInstalling: false })
  })

  const half = (): Buffer => {
    const whole = tarred()
    return whole.subarray(0, whole.length / 2)
  }
  const refusals: [string, () => unknown][] = [
    ['not_newer', () => publish('0.1.0')],
    ['bad_signature', () => vendor.publish(manifestOf([releaseOf('0.2.0', BYTES)]), newSigner())],
    ['manifest_expired', () => publish('0.2.0', { expiresAt: '2026-03-02T06:00:00.000Z' })],
    ['wrong_machine', () => publish('0.2.0', { release: { files: {} } })],
    ['from_too_old', () => publish('0.9.0', { release: { from: '0.8.0' } })],
    ['wrong_channel', () => vendor.publish(manifestOf([], { channel: 'early' }))],
    ['no_file', () => vendor.publish(manifestOf([releaseOf('0.2.0', BYTES)]))],
    [
      'file_incomplete',
      () => {
        publish('0.2.0')
        return half()
      },
    ],
    [
      'file_incomplete',
      () => {
        publish('0.2.0')
        return gzipSync(tarred()).subarray(0, -20)
      },
    ],
    [
      'file_differs',
      () => {
        publish('0.2.0')
        const bytes = tarred()
        const at = bytes.indexOf('a release')
        bytes[at] = 0
        return bytes
      },
    ],
    ['not_an_update', () => Buffer.from('<html>a page that somebody saved</html>'.repeat(100))],
    ['not_an_update', () => execFileSync('tar', ['-cf', '-', '-C', programDir, '.'])],
  ]
  test.each(refusals)('is refused by name, and nothing of it stays: %s', async (why, make) => {
    await start()
    const made = make()
    const bytes = Buffer.isBuffer(made) ? made : tarred()
    const { status, body } = await send(bytes)
    expect(status).toBe(409)
    expect(body.error.details).toMatchObject({ reason: 'update_not_taken', why })
    expect(existsSync(kept())).toBe(false)
    expect(await updates()).toMatchObject({ offer: null })
  })

  test('an older list than one that was seen is refused', async () => {
    await start()
    publish('0.2.0', { sequence: 8 })
    expect((await send()).status).toBe(200)
    publish('0.3.0', { sequence: 7 })
    expect((await send()).body.error.details).toMatchObject({ why: 'manifest_rolled_back' })
    // The one before it made room for it.
    expect(await updates()).toMatchObject({ offer: null })
    expect(existsSync(kept())).toBe(false)
  })

  test('pulled out amid the upload leaves nothing, and the next one is taken', async () => {
    await start()
    publish('0.2.0')
    const bytes = tarred()
    const first = request(`${app.url}/api/v1/server/updates/file`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${owner.credential}`,
        'content-type': 'application/octet-stream',
        'content-length': bytes.length,
      },
    })
    first.on('error', () => {})
    first.write(bytes.subarray(0, bytes.length - 30_000))
    await expect.poll(() => existsSync(kept())).toBe(true)
    expect((await send()).body.error.details).toEqual({ reason: 'update_busy' })
    first.destroy()
    await expect.poll(() => existsSync(kept())).toBe(false)
    await expect.poll(async () => (await send()).status).toBe(200)
  })

  test('makes room for what is newer at the vendor’s, and goes with another channel', async () => {
    await start({}, vendor.folder)
    publish('0.2.0')
    await send()
    // The vendor has no more than that.
    expect((await owner.post('/server/updates/check')).body.offer).toMatchObject({ isFromStick: true })
    rmSync(path.join(vendor.folder, 'stable'), { recursive: true })
    expect((await owner.post('/server/updates/check')).body.offer).toMatchObject({ isFromStick: true })
    publish('0.3.0')
    expect((await owner.post('/server/updates/check')).body.offer).toMatchObject({
      version: '0.3.0',
      isFromStick: false,
    })
    expect(existsSync(kept())).toBe(false)
    await send()
    expect((await owner.patch('/server/updates', { channel: 'early' })).body).toMatchObject({ offer: null })
    expect(existsSync(kept())).toBe(false)
  })

  test('is for the owner', async () => {
    await start()
    const reply = await app.send('PUT', '/server/updates/file', {
      raw: Buffer.from('x'),
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect(reply.status).toBe(401)
  })
})

test.runIf(engine === 'postgres')('where nothing can be put in, nothing is taken', async () => {
  await start()
  publish('0.2.0')
  expect((await send()).body.error.details).toMatchObject({ why: 'postgres' })
  expect(existsSync(kept())).toBe(false)
})
