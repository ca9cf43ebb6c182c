import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '#app/server/checks.ts'
import { examine } from '#app/operator/doctor.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { AT_HOME, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { command } from './command.ts'
import { institute } from './institute.ts'
import { makeFolder } from './folder.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp({ now: new Date().toISOString() })
})
afterAll(() => app.close())

describe('doctor', () => {
  const finding = async (about: string, config = app.app.config, machine = AT_HOME): Promise<Finding | undefined> =>
    (await examine(config, systemClock, machine)).find((one) => one.about === about)

  test('finds no problem in a healthy install, also while it runs', async () => {
    const { code, stdout, stderr } = await command(['doctor', '--data-dir', app.dataDir])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(9, 17).trim())
    expect(names).toEqual([
      'program',
      'folder',
      'database',
      'keys',
      'disk',
      'clock',
      'queue',
      'mail',
      'files',
      'address',
      'backups',
      'vendor',
    ])
    expect(stdout).not.toContain('WRONG')
  })

  test('finds a database that is missing, of an institute or of nobody yet, and exits 1', async () => {
    const dataDir = makeFolder()
    const withoutDatabase = async () => {
      rmSync(path.join(dataDir, 'institute.db'))
      const { code, stdout } = await command(['doctor', '--data-dir', dataDir])
      expect(code).toBe(1)
      return stdout
    }
    await command(['migrate', '--data-dir', dataDir])
    expect(await withoutDatabase()).toMatch(
      /^WRONG +database +There is no institute in .*: it holds no institute\.db$/m,
    )
    await command(['migrate', '--data-dir', dataDir])
    await command(['license-key', 'create', '--data-dir', dataDir])
    expect(await withoutDatabase()).toMatch(/^WRONG +database +There was an institute in .* is missing/m)
  })

  test('finds a master key that others may read, and one of another database', async () => {
    const key = path.join(app.dataDir, 'master-key')
    chmodSync(key, 0o644)
    expect(await finding('keys')).toMatchObject({ state: 'wrong', text: expect.stringContaining('chmod 600') })
    chmodSync(key, 0o600)
    const other = { ...app.app.config, masterKey: Buffer.alloc(32, 7) }
    expect(await finding('keys', other)).toMatchObject({ state: 'wrong', text: expect.stringContaining('not belong') })
    expect(await finding('keys')).toMatchObject({ state: 'ok' })
  })

  test('warns of an address that no other machine reaches, and of one that is not encrypted', async () => {
    const address = (baseUrl?: string) => finding('address', { ...app.app.config, baseUrl })
    const loopback = { state: 'warning', text: expect.stringContaining('opens on this machine alone') }
    for (const url of [undefined, 'http://localhost:8080', 'https://127.0.0.2', 'http://[::1]:8080/'])
      expect(await address(url), url).toMatchObject(loopback)
    expect(await address()).toMatchObject({ text: expect.stringContaining(`http://localhost:${app.app.config.port},`) })
    for (const url of ['http://203.0.113.20:8080', 'http://office.local/'])
      expect(await address(url), url).toMatchObject({
        state: 'warning',
        text: expect.stringContaining('is not encrypted'),
      })
    expect(await address('https://office.local')).toMatchObject({ state: 'ok', text: 'https://office.local' })
  })

  test('says that people are sent to an address that is not this machine’s any more, and what it knows of a name', async () => {
    const address = async (baseUrl: string, machine: Partial<Machine> = {}) =>
      finding('address', { ...app.app.config, baseUrl }, { ...AT_HOME, ...machine })
    expect(await address('http://192.168.254.20:8080')).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(
        /^people are sent to http:\/\/192\.168\.254\.20:8080, which is not this server's any more: .*; set INSTITUTE_BASE_URL to /,
      ),
    })
    const moved = { addresses: () => ['192.168.254.20'] }
    expect((await address('http://192.168.254.20:8080', moved))?.text).toContain('it is not encrypted')
    expect(await address('https://office.example.org', { resolve: async () => ['203.0.113.9'] })).toMatchObject({
      state: 'ok',
      text: expect.stringMatching(
        /^https:\/\/office\.example\.org, which leads to 203\.0\.113\.9 from here.*: right where a router or proxy there passes on/,
      ),
    })
    const own = { resolve: async () => ['192.168.254.20'], ...moved }
    expect((await address('https://office.example.org', own))?.text).toBe('https://office.example.org')
    expect(await address('https://office.example.org')).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('from here no address is found for that name'),
    })
  })

  test('warns of no mail server and of no backup yet, with what to type', async () => {
    const { config } = app.app
    expect(await finding('mail', { ...config, smtpUrl: undefined })).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/nobody is sent an invitation, .*institute mail-setup/),
    })
    expect(await finding('backups')).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/^none in .*institute backup makes one now$/),
    })
  })

  test('finds a row that refers to a missing record', async () => {
    const broken = await startApp()
    await makeInstitute(broken)
    broken.app.database.sqlite?.exec(
      `pragma foreign_keys = off; update branch set tenant_id = 'nobody'; pragma foreign_keys = on`,
    )
    expect(await finding('database', broken.app.config)).toMatchObject({
      state: 'wrong',
      text: expect.stringContaining('branch points at nothing in tenant'),
    })
    await broken.close()
  })

  test('finds a clock that was set back', async () => {
    const ahead = await startApp({ now: '2099-01-01T00:00:00.000Z' })
    await makeInstitute(ahead)
    await (await makeInstitute(ahead)).owner.post('/branches', { name: 'North' })
    expect(await finding('clock', ahead.app.config)).toMatchObject({ state: 'wrong' })
    await ahead.close()
  })

  test('finds a mail server that does not answer, and continues', async () => {
    const findings = await examine({ ...app.app.config, smtpUrl: 'smtp://127.0.0.1:1' }, systemClock)
    expect(findings.find(({ about }) => about === 'mail')).toMatchObject({ state: 'wrong' })
    expect(findings.at(-1)).toMatchObject({ about: 'vendor' })
  })
})

const SERVICE_USER = 12_345

test.runIf(process.getuid?.() === 0)(
  'files that root’s commands leave in the data directory of a service belong to the service',
  async () => {
    const dataDir = path.join(makeFolder(), 'data')
    mkdirSync(dataDir)
    // The service's user must be able to enter it.
    chmodSync(path.dirname(dataDir), 0o755)
    chownSync(dataDir, SERVICE_USER, SERVICE_USER)
    const outside = path.join(path.dirname(dataDir), 'outside')
    mkdirSync(outside, { mode: 0o700 })
    for (const args of [['migrate'], ['backup'], ['backup', '--to', outside], ['doctor']]) {
      const { code, stderr } = await institute([...args, '--data-dir', dataDir])
      expect({ args, code, stderr }).toMatchObject({ args, code: 0 })
    }
    const [copy] = readdirSync(outside)
    expect(lstatSync(path.join(outside, copy as string)).uid).toBe(0)
    writeFileSync(path.join(dataDir, 'mine'), '')
    expect((await institute(['restore', path.join(outside, copy as string), '--data-dir', dataDir])).code).toBe(0)
    for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
      (one) => !one.endsWith('mine'),
    )) {
      expect({ name, uid: lstatSync(path.join(dataDir, name)).uid }).toEqual({ name, uid: SERVICE_USER })
    }
  },
)
