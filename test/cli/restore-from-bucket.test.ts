import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encrypted, newBackupKey } from '#app/backup/encryption.ts'
import { makeBackup, type Backup } from '#app/backup/make.ts'
import { writeWhole } from '#app/backup/write-whole.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { putInStore, startS3rver, type TestStore } from '#kit/s3.ts'
import { newSetup, OWNER } from '#kit/setup.ts'
import type { RestoreState } from '#modules/setup/index.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

/** Another process is started, and the program comes back. */
const LONG = { timeout: 60_000, interval: 100 }
const NIGHTS = ['nightly-2026-08-30T00-30-00-000Z.tar.gz', 'nightly-2026-09-01T00-30-00-000Z.tar.gz'] as const
const [HALF, WHOLE] = NIGHTS

let store: TestStore
let app: TestApp
let backup: Backup
const key = await newBackupKey()

beforeAll(async () => {
  store = await startS3rver()
  app = await startApp({ passwords: createArgon2Passwords({}) })
  const { body } = await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  const owner = app.as(body.accessToken)
  const [branch] = (await owner.get('/branches')).body
  await owner.post('/students', { branchId: branch.id, firstName: 'نور', lastName: 'of the old server' })
  backup = await makeBackup(app.app.config, systemClock)
  const sealed = path.join(makeFolder(), 'sealed')
  await writeWhole(await encrypted([readFileSync(backup.file)] as never, key.recipient), sealed)
  await putInStore(store, `school/${WHOLE}.age`, readFileSync(sealed))
  await putInStore(store, `school/${HALF}.age`, readFileSync(sealed).subarray(0, 3000))
})
afterAll(async () => {
  await app.close()
  await store.close()
})

test('a machine died: its institute comes back on a new server out of the bucket with its copies, and they go on into it', async () => {
  const dataDir = makeFolder()
  const server = await startProgram(dataDir)
  const setupToken = readFileSync(path.join(dataDir, 'setup-token'), 'utf8').trim()
  const from = {
    address: `http://${store.settings.host}`,
    region: '',
    bucket: store.settings.bucket,
    folder: 'school',
    keyId: store.settings.keyId,
    secret: store.settings.secret,
  }
  const ask = async (address: string, body?: object) => {
    const reply = await fetch(`${server.url}/setup/restore${address}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-Setup-Token': setupToken, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify({ setupToken, ...body }) }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
    return { status: reply.status, body: (await reply.json()) as any }
  }
  const ended = async (): Promise<RestoreState> => {
    await expect.poll(async () => (await ask('')).body.step, LONG).toMatch(/^(uploaded|ready|failed)$/)
    return (await ask('')).body
  }
  const open = async (text: string) => {
    expect((await ask('/check', { key: text })).status).toBe(202)
    return ended()
  }

  // What it looks through is as the store has it: the newest first.
  expect((await ask('/bucket', { store: from })).body.kept.map(({ name }: { name: string }) => name)).toEqual([
    WHOLE,
    HALF,
  ])
  expect((await ask('/bucket/fetch', { store: from, copy: HALF })).status).toBe(202)
  expect(await ended()).toMatchObject({ step: 'uploaded', needsKey: true })
  expect(await open(key.identity)).toMatchObject({ step: 'failed', reason: 'damaged', held: null })

  // The connection is cut in the middle.
  let cuts = 0
  store.fault = ({ method, url = '' }) =>
    method === 'GET' && url.includes('.age') && (cuts += 1) <= 2 ? { cutAfter: 2000 } : undefined
  expect((await ask('/bucket/fetch', { store: from, copy: WHOLE })).status).toBe(202)
  expect(await ended()).toMatchObject({ step: 'uploaded', reason: null })
  expect(cuts).toBe(3)
  expect(await open((await newBackupKey()).identity)).toMatchObject({ step: 'failed', reason: 'wrong_key' })
  expect(await open(key.identity)).toMatchObject({
    step: 'ready',
    canKeepCopies: true,
    held: { institute: 'معهد النور', students: 1, version: expect.any(String), createdAt: expect.any(String) },
  })
  expect(existsSync(path.join(dataDir, 'institute.conf'))).toBe(false)

  expect((await ask('', { copiesTo: { store: from, key: key.identity } })).status).toBe(202)
  const needsSetup = async () => {
    const reply = await fetch(`${server.url}/api/v1/setup/status`).catch(() => undefined)
    return reply?.ok ? ((await reply.json()) as { needsSetup: boolean }).needsSetup : undefined
  }
  await expect.poll(needsSetup, LONG).toBe(false)
  const { email, password } = OWNER
  const reply = await fetch(`${server.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, client: 'mobile' }),
  })
  const { accessToken } = (await reply.json()) as { accessToken: string }
  const get = async (address: string) =>
    (await fetch(`${server.url}/api/v1${address}`, { headers: { Authorization: `Bearer ${accessToken}` } })).json()
  expect(await get('/students')).toMatchObject({ data: [{ lastName: 'of the old server' }] })

  // From tonight on its copies go there, encrypted for the key that the owner has.
  const settings = readFileSync(path.join(dataDir, 'institute.conf'), 'utf8')
  expect(settings).toContain(`INSTITUTE_BACKUP_KEY=${key.recipient}\n`)
  expect(await get('/server/backups/bucket')).toMatchObject({ reason: null, kept: [{ name: WHOLE }, { name: HALF }] })
  // The private key is kept nowhere, and nothing of the bucket's stands in the log.
  const said = server.stdout + server.stderr
  for (const secret of [key.identity, `${store.settings.keyId}:${store.settings.secret}`])
    expect(said).not.toContain(secret)
  expect(settings).not.toContain(key.identity)
  expect(existsSync(path.join(dataDir, '.restore-from'))).toBe(false)
  expect(await server.stop()).toBe(0)
})
