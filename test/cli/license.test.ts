import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { client, type Client } from '#kit/client.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { licenseToken, startVendor, unlockToken, type TestVendor } from '#kit/vendor.ts'
import { makeFolder } from './folder.ts'
import { institute, startProgram } from './institute.ts'

const licenseId = newId()
const setup = newSetup('token')

let vendor: TestVendor
let dataDir: string
let env: Record<string, string>

beforeEach(async () => {
  vendor = await startVendor(() => systemClock.now())
  dataDir = makeFolder()
  env = {
    INSTITUTE_LICENSE_VENDOR_URL: vendor.config.vendorUrl,
    INSTITUTE_LICENSE_PUBLIC_KEY: vendor.config.publicKey.text,
    INSTITUTE_LICENSE_HEARTBEAT_SEC: '5',
    INSTITUTE_BACKUP_KEEP: '0',
  }
})
afterEach(() => vendor.close())

const ownerOf = async (url = ''): Promise<Client> => {
  const api = client(url)
  const { body } = await api.post('/auth/login', { email: setup.owner.email, password: setup.owner.password })
  return api.as(body.accessToken)
}
const start = async () => {
  const server = await startProgram(dataDir, env)
  return { server, owner: await ownerOf(server.url) }
}
const state = async (owner: Client) => (await owner.get('/license')).body.state
const cut = () => vendor.answerBy((_, response) => response.destroy())
const command = (...words: string[]) => institute([...words, '--data-dir', dataDir], env)

describe('a real server', () => {
  test('stays locked over a SIGKILL, without its vendor and over an old backup, and its token unlocks it once', async () => {
    const first = await startProgram(dataDir, env)
    const opened = newSetup(setupTokenIn(dataDir))
    await client(first.url ?? '').post('/setup/bootstrap', opened)
    const owner = await ownerOf(first.url)
    await owner.post('/license', { token: licenseToken({ licenseId }) })
    await expect.poll(() => vendor.heartbeats.length).toBeGreaterThan(0)
    const beforeLock = path.join(makeFolder(), 'before-lock.tar.gz')
    expect((await command('backup', '--to', beforeLock)).code).toBe(0)

    const seq = vendor.command('lock', 'unpaid')
    await expect.poll(() => state(owner), { timeout: 20_000 }).toBe('locked')
    expect((await owner.get('/branches')).status).toBe(402)
    await expect.poll(() => vendor.waiting().length, { timeout: 20_000 }).toBe(0)
    const whileLocked = path.join(makeFolder(), 'while-locked.tar.gz')
    expect((await command('backup', '--to', whileLocked)).code).toBe(0)
    cut()
    await first.stop('SIGKILL')
    const second = await start()
    expect(await state(second.owner)).toBe('locked')
    await second.server.stop('SIGTERM')

    expect((await command('restore', beforeLock)).code).toBe(0)
    expect(existsSync(path.join(dataDir, 'license-state'))).toBe(true)
    const third = await start()
    await expect.poll(() => state(third.owner)).toBe('locked')
    const token = unlockToken({ licenseId, seq: seq + 1 })
    expect((await third.owner.post('/license/unlock', { token })).body).toMatchObject({ state: 'active' })
    expect((await third.owner.get('/branches')).status).toBe(200)
    await third.server.stop('SIGKILL')

    expect((await command('restore', whileLocked)).code).toBe(0)
    const fourth = await start()
    await expect.poll(() => state(fourth.owner)).toBe('active')
    expect((await fourth.owner.post('/license/unlock', { token })).body.error).toMatchObject({
      code: 'LICENSE_INVALID',
      details: { reason: 'used' },
    })
    vendor.close()
    const { code, stdout } = await command('doctor')
    expect(stdout).toMatch(/^warning +vendor +the licence is active; .*the vendor does not answer/im)
    expect(code).toBe(0)
    await fourth.server.stop('SIGTERM')
  }, 240_000)
})
