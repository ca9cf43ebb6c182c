import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Config } from '#app/config/config.ts'
import { lookAtBackupBucket } from '#app/backup/bucket.ts'
import { examine } from '#app/operator/doctor.ts'
import { Bucket } from '#ports/files/s3/requests.ts'
import { startS3rver, type TestStore } from '#kit/s3.ts'
import { stateOf } from './backup-kit.ts'
import { command } from './command.ts'
import { makeFolder } from './folder.ts'
import { DAY, startNightly, type Nightly } from './nightly-kit.ts'

// Backups run at the lowest priority, so they take long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let store: TestStore
let folder: string
let keyFile: string
let key: string
beforeAll(async () => {
  store = await startS3rver()
  folder = makeFolder()
  keyFile = path.join(folder, 'backup.key')
  const made = await command(['backup', 'key', keyFile])
  key = /^INSTITUTE_BACKUP_KEY=(age1[a-z0-9]{58})\n$/.exec(made.stdout)?.[1] ?? ''
  if (key === '') throw new Error(`no key was made: ${made.stderr}`)
})
afterAll(() => store.close())

let open: Nightly | undefined
beforeEach(async () => {
  store.fault = () => undefined
  await store.emptyBucket()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await open?.app.close()
  open = undefined
})

const inBucket = (): NonNullable<Config['backups']['to']> => ({ s3: store.settings, under: 'school/' })
const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  INSTITUTE_BACKUP_TO: store.url.replace('?', '/school?'),
  ...more,
})

/** An institute in the morning after a night for which no backup was made yet. */
const afterNight = async (backups: Partial<Config['backups']> = {}): Promise<Nightly> => {
  open = await startNightly({ to: inBucket(), key, ...backups })
  open.app.clock.advance(DAY)
  return open
}

const doctor = async ({ app }: Nightly, what = 'backups') =>
  (await examine(app.app.config, app.clock)).find(({ about }) => about === what)

/** The bytes of an object, as whoever steals the bucket has them. */
const bytesOf = async (name: string): Promise<Buffer> => {
  const bucket = new Bucket(store.settings)
  try {
    const chunks: Buffer[] = []
    for await (const chunk of await bucket.send({ method: 'GET', key: name }, [200])) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  } finally {
    bucket.close()
  }
}

describe('a bucket', () => {
  test('gets a copy of each night that only the owner of the key can read, and keeps as many', async () => {
    const nights = await afterNight({ keep: 2 })
    for (let night = 0; night < 3; night += 1) {
      await nights.tick()
      nights.app.clock.advance(DAY)
    }
    nights.app.clock.advance(-DAY)
    const names = nights.nightly()
    expect(names).toHaveLength(2)
    expect(await store.held()).toEqual(names.map((name) => `school/${name}.age`))
    expect(nights.state()).toMatchObject({ offServer: 'ok', problem: undefined })
    expect(await doctor(nights)).toMatchObject({ state: 'ok' })
    const there = await bytesOf(`school/${names[1]}.age`)
    expect(there.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')
    expect(there.includes(readFileSync(path.join(nights.backups, names[1] ?? '')).subarray(0, 64))).toBe(false)
  })

  test('gives them back to a new server, which needs the key and the address alone', async () => {
    const nights = await afterNight()
    await nights.tick()
    const [name = ''] = nights.nightly()
    const before = await stateOf(nights.app.dataDir)

    const listed = await command(['backup', 'list', '--elsewhere'], environment())
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(listed.stdout).toMatch(new RegExp(`^MADE +SIZE +NAME\\n\\S+ \\S+ UTC +\\d+ KB +${name}\\n$`))
    const json = await command(['backup', 'list', '--elsewhere', '--json'], environment())
    expect(JSON.parse(json.stdout)).toEqual([{ name, bytes: expect.any(Number), createdAt: expect.any(String) }])

    const dataDir = makeFolder()
    const restored = await command(
      ['restore', 'newest', '--elsewhere', '--key', keyFile, '--data-dir', dataDir],
      environment(),
    )
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored the institute as it was at /) })
    expect(await stateOf(dataDir)).toEqual(before)
    expect(statSync(path.join(dataDir, 'backups', `fetched-${name}`)).mode & 0o777).toBe(0o600)

    // Somebody took it out of the bucket with another program.
    const taken = path.join(makeFolder(), `${name}.age`)
    writeFileSync(taken, await bytesOf(`school/${name}.age`))
    const again = makeFolder()
    expect(await command(['restore', taken, '--key', keyFile, '--data-dir', again])).toMatchObject({ code: 0 })
    expect(await stateOf(again)).toEqual(before)
  })

  test('gives nothing to whoever has another key, none, or not every byte', async () => {
    const nights = await afterNight()
    await nights.tick()
    const [name = ''] = nights.nightly()
    const dataDir = makeFolder()
    const restore = async (...more: string[]) =>
      command(['restore', name, '--elsewhere', '--data-dir', dataDir, ...more], environment())
    expect(await restore()).toMatchObject({ code: 2, stderr: expect.stringContaining('--key FILE') })
    const other = path.join(folder, 'other.key')
    await command(['backup', 'key', other])
    expect(await restore('--key', other)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^This key does not open the backup, or the backup is damaged: .* Nothing was changed\.\n$/,
      ),
    })
    writeFileSync(path.join(folder, 'no.key'), 'AGE-SECRET-KEY-1AAAA')
    expect(await restore('--key', path.join(folder, 'no.key'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no key to backups'),
    })
    const cut = path.join(folder, `${name}.age`)
    writeFileSync(cut, (await bytesOf(`school/${name}.age`)).subarray(0, -100))
    expect(await command(['restore', cut, '--key', keyFile, '--data-dir', dataDir])).toMatchObject({ code: 1 })
    expect(await command(['backup', 'list', '--data-dir', dataDir])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('There is no backup'),
    })
    expect(
      await command(['restore', 'nightly-x', '--elsewhere', '--key', keyFile, '--data-dir', dataDir], environment()),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no backup nightly-x in institute-\S+\/school at 127/),
    })
  })

  test('that does not take it is tried again, and the backup goes there later', async () => {
    const nights = await afterNight()
    store.fault = () => ({ status: 403, code: 'AccessDenied' })
    const why = 'may not put (s3:PutObject)'
    expect(await doctor(nights, 'backup bucket')).toMatchObject({ state: 'wrong', text: expect.stringContaining(why) })
    await nights.tick()
    expect(nights.state()).toMatchObject({ offServer: 'failed' })
    expect(await doctor(nights)).toMatchObject({ state: 'warning', text: expect.stringContaining(why) })
    expect(JSON.stringify(nights.complaints)).not.toContain(`${store.settings.keyId}:${store.settings.secret}`)
    store.fault = () => undefined
    expect(await doctor(nights, 'backup bucket')).toMatchObject({
      state: 'ok',
      text: expect.stringMatching(/^institute-\S+\/school at 127\.0\.0\.1:\d+ takes backups$/),
    })
    expect(await store.held()).toEqual([])
    nights.app.clock.advance(3600)
    await nights.tick()
    expect(nights.state()).toMatchObject({ offServer: 'ok' })
  })

  test.each([
    [
      'a wrong key',
      { status: 403, code: 'InvalidAccessKeyId' },
      'does not know the key S3RVER: correct it in INSTITUTE_BACKUP_TO',
    ],
    ['a bucket that is not there', { status: 404, code: 'NoSuchBucket' }, 'there is no bucket'],
    [
      'another region',
      { status: 301, code: 'PermanentRedirect', more: '<Region>eu-west-1</Region>' },
      'write region=eu-west-1 in INSTITUTE_BACKUP_TO',
    ],
  ])('with %s says so, and what to do', async (_, fault, why) => {
    store.fault = () => fault
    expect(await lookAtBackupBucket({ s3: store.settings, under: 'school/' })).toMatchObject({
      state: 'wrong',
      text: expect.stringContaining(why),
    })
  })

  test('from which a key may not delete keeps all, and a copy that failed in the middle leaves nothing', async () => {
    const nights = await afterNight({ keep: 1 })
    await nights.tick()
    store.fault = ({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined)
    nights.app.clock.advance(DAY)
    await nights.tick()
    expect(nights.state()).toMatchObject({ offServer: 'ok' })
    expect(await store.held()).toHaveLength(2)
    expect(await doctor(nights, 'backup bucket')).toMatchObject({
      state: 'ok',
      text: expect.stringContaining('a rule of the bucket has to remove old ones'),
    })
    store.fault = ({ method, url }) => (method === 'PUT' && url?.includes('partNumber') ? { status: 503 } : undefined)
    nights.app.clock.advance(DAY)
    await nights.tick()
    expect(nights.state()).toMatchObject({ offServer: 'failed' })
    // Beside both, what doctor wrote.
    expect(await store.held()).toHaveLength(3)
  })
})

test('a key is never written over, and no bucket is used without one', async () => {
  const former = readFileSync(keyFile, 'utf8')
  expect(former).toMatch(/^# The key [^]*\n# public key: age1\w+\nAGE-SECRET-KEY-1\w+\n$/)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(await command(['backup', 'key', keyFile])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is there already'),
  })
  expect(readFileSync(keyFile, 'utf8')).toBe(former)
  await expect(startNightly({ to: inBucket() })).rejects.toThrow(/institute backup key FILE/)
  const mistyped = key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
  const wrong = await command(['doctor', '--data-dir', folder], { INSTITUTE_BACKUP_KEY: mistyped })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('INSTITUTE_BACKUP_KEY') })
  const shown = await command(['doctor', '--data-dir', folder], { INSTITUTE_BACKUP_TO: 's3://A:secret@host/b!' })
  expect(shown.stderr).toContain('INSTITUTE_BACKUP_TO=(not shown)')
})
