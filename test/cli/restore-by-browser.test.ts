import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encrypted, newBackupKey } from '#app/backup/encryption.ts'
import { writeWhole } from '#app/backup/write-whole.ts'
import { openSqlite } from '#db/database.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { newSetup, OWNER } from '#kit/setup.ts'
import type { Server } from '../binary/program.ts'
import { makeBackup, type Backup } from '#app/backup/make.ts'
import type { RestoreState } from '#modules/setup/index.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

/** Another process is started, and the program comes back. */
const LONG = { timeout: 60_000, interval: 100 }

let app: TestApp
let backup: Backup
let branchId: string
let owner: ReturnType<TestApp['as']>

const addStudent = (lastName: string) => owner.post('/students', { branchId, firstName: 'نور', lastName })

beforeAll(async () => {
  app = await startApp({ passwords: createArgon2Passwords({}) })
  const { body } = await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  owner = app.as(body.accessToken)
  branchId = (await owner.get('/branches')).body[0].id
  await addStudent('before the backup')
  backup = await makeBackup(app.app.config, systemClock)
})
afterAll(() => app.close())

/** A server that waits for its institute, and what the wizard asks of it. */
const freshServer = async (dataDir = makeFolder()) => {
  const server = await startProgram(dataDir)
  const setupToken = existsSync(path.join(dataDir, 'setup-token'))
    ? readFileSync(path.join(dataDir, 'setup-token'), 'utf8').trim()
    : ''
  const headers = { 'X-Setup-Token': setupToken }
  const state = async () => (await (await fetch(`${server.url}/setup/restore`, { headers })).json()) as RestoreState
  const post = (address: string, body: object = {}) =>
    fetch(`${server.url}/setup/restore${address}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ setupToken, ...body }),
    })
  const send = (file: string) =>
    fetch(`${server.url}/setup/restore/file`, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/octet-stream' },
      body: readFileSync(file),
    })
  /** Sends a file and has it checked. */
  const look = async (file: string, key?: string) => {
    expect((await send(file)).status).toBe(200)
    expect((await post('/check', key === undefined ? {} : { key })).status).toBe(202)
    await expect.poll(async () => (await state()).step, LONG).toMatch(/^(ready|failed)$/)
    return state()
  }
  return { dataDir, server, state, post, send, look }
}

const needsSetup = async ({ url }: Server): Promise<boolean | undefined> => {
  try {
    const reply = await fetch(`${url}/api/v1/setup/status`)
    return reply.ok ? ((await reply.json()) as { needsSetup: boolean }).needsSetup : undefined
  } catch {
    return undefined
  }
}

const signIn = async ({ url }: Server) => {
  const { email, password } = OWNER
  return fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, client: 'mobile' }),
  })
}

test('a backup that was given to a new server is shown first, and then served with the accounts that it has', async () => {
  const { server, look, post, dataDir } = await freshServer()
  const { createdAt, ...held } = (await look(backup.file)).held as NonNullable<RestoreState['held']>
  expect(held).toEqual({
    institute: 'معهد النور',
    version: expect.any(String),
    students: 1,
    invoices: 0,
    files: 0,
    sizeBytes: backup.bytes,
  })
  expect(backup.file).toContain(createdAt.replaceAll(/[:.]/g, '-'))
  expect(await needsSetup(server)).toBe(true)

  expect((await post('')).status).toBe(202)
  await expect.poll(() => needsSetup(server), LONG).toBe(false)
  const reply = await signIn(server)
  expect(reply.status).toBe(200)
  const { accessToken } = (await reply.json()) as { accessToken: string }
  const students = await fetch(`${server.url}/api/v1/students`, { headers: { Authorization: `Bearer ${accessToken}` } })
  expect(await students.json()).toMatchObject({ data: [{ lastName: 'before the backup' }] })
  // Nothing is left of the empty server, of its code, or of the file.
  expect(readdirSync(path.join(dataDir, 'backups')).filter((name) => name.startsWith('before'))).toEqual([])
  for (const name of ['.restore', '.restore-from', 'setup-token'])
    expect(existsSync(path.join(dataDir, name))).toBe(false)
  // It is stopped as any other.
  expect(await server.stop()).toBe(0)
})

test('an encrypted backup asks for its key, and takes no other', async () => {
  const { look, state, post } = await freshServer()
  const mine = await newBackupKey()
  const file = path.join(makeFolder(), 'sealed.tar.gz.age')
  await writeWhole(await encrypted([readFileSync(backup.file)] as never, mine.recipient), file)
  expect(await look(file)).toMatchObject({ step: 'failed', reason: 'needs_key', needsKey: true })
  const again = async (key: string) => {
    expect((await post('/check', { key })).status).toBe(202)
    await expect.poll(async () => (await state()).step, LONG).toMatch(/^(ready|failed)$/)
    return state()
  }
  expect(await again((await newBackupKey()).identity)).toMatchObject({ step: 'failed', reason: 'wrong_key' })
  expect(await again('my dog')).toMatchObject({ step: 'failed', reason: 'wrong_key' })
  expect(await again(`# a comment\n${mine.identity}\n`)).toMatchObject({ step: 'ready', held: { students: 1 } })
})

describe('what cannot be restored says why, and nothing is changed:', () => {
  const file = (name: string) => path.join(makeFolder(), name)
  const changed = (change: (to: string) => void) => () => {
    const to = file('changed.tar.gz')
    writeFileSync(to, readFileSync(backup.file))
    change(to)
    return to
  }
  const text = (words: string) => () => {
    const to = file('other')
    writeFileSync(to, words)
    return to
  }
  /** A backup of a version that has one migration more. */
  const newer = async () => {
    const database = openSqlite(path.join(app.dataDir, 'institute.db'))
    const name = '9999_of_tomorrow'
    database.sqlite?.prepare(`insert into schema_migration (name, timestamp) values (?, '2030')`).run(name)
    try {
      return (await makeBackup(app.app.config, systemClock, { to: makeFolder() })).file
    } finally {
      database.sqlite?.prepare('delete from schema_migration where name = ?').run(name)
      await database.close()
    }
  }

  test('each is told by name, and the next file is taken', async () => {
    const { look, server, post } = await freshServer()
    const cases: [string, () => string | Promise<string>][] = [
      ['newer', newer],
      ['damaged', changed((to) => truncateSync(to, 5000))],
      ['damaged', changed((to) => truncateSync(to, backup.bytes - 200))],
      ['damaged', text('')],
      ['not_a_backup', text('a letter to the parents')],
      ['postgres_dump', text('PGDMP and more')],
    ]
    for (const [reason, make] of cases)
      expect(await look(await make())).toMatchObject({ step: 'failed', reason, held: null })
    expect((await post('')).status).toBe(409)
    expect(await needsSetup(server)).toBe(true)
    expect(await look(backup.file)).toMatchObject({ step: 'ready' })
  })
})

test('killed at any moment, the server is the empty one or the whole restored one', async () => {
  let dataDir = makeFolder()
  for (const millis of [0, 15, 60, 150, 400]) {
    const { server, look, post } = await freshServer(dataDir)
    await look(backup.file)
    await post('').catch(() => {})
    await pause(millis)
    await server.stop('SIGKILL')
    const next = await startProgram(dataDir)
    const isEmpty = await needsSetup(next)
    expect(isEmpty).toBeDefined()
    expect((await signIn(next)).status).toBe(isEmpty ? 401 : 200)
    expect(existsSync(path.join(dataDir, '.restore'))).toBe(false)
    await next.stop()
    if (!isEmpty) dataDir = makeFolder()
  }
})
