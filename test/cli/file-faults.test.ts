import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { examine } from '#app/operator/doctor.ts'
import { openSqlite } from '#db/database.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { setupTokenIn } from '#kit/setup.ts'
import { configOf } from './backup-kit.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'
import { isRoot } from '../binary/program.ts'

const OWNER = { email: 'owner@example.org', password: 'olive tree by the gate' }
const MEGABYTE = 1024 * 1024

interface Reply {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
  body: any
}

/** Starts the program on a data directory, sets it up if needed, and signs the owner in. */
const open = async (dataDir: string) => {
  const server = await startProgram(dataDir)
  let token = ''
  const send = async (method: string, where: string, body?: unknown): Promise<Reply> => {
    const response = await fetch(`${server.url}/api/v1${where}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const tokenFile = path.join(dataDir, 'setup-token')
  const signedIn = !existsSync(tokenFile)
    ? await send('POST', '/auth/login', { ...OWNER, client: 'mobile' })
    : await send('POST', '/setup/bootstrap', {
        setupToken: setupTokenIn(dataDir),
        institute: { slug: 'disk', name: 'Disk', defaultLocale: 'en', timezone: 'Asia/Jerusalem', currency: 'ILS' },
        owner: { ...OWNER, firstName: 'Noor', lastName: 'Haddad' },
      })
  token = signedIn.body.accessToken
  const put = async (address: string, bytes: Buffer): Promise<Reply> => {
    const { pathname, search } = new URL(address)
    const response = await fetch(`${server.url}${pathname}${search}`, {
      method: 'PUT',
      headers: { 'content-type': 'text/csv' },
      body: new Uint8Array(bytes),
    })
    return { status: response.status, body: await response.json() }
  }
  const get = async (address: string): Promise<Buffer> => {
    const { pathname, search } = new URL(address)
    return Buffer.from(await (await fetch(`${server.url}${pathname}${search}`)).arrayBuffer())
  }
  return { server, send, put, get }
}

/** The completion of a text file. */
const said = (bytes: Buffer) => ({
  kind: 'document',
  originalName: 'notes.csv',
  mimeType: 'text/csv',
  sizeBytes: bytes.length,
})
const text = (megabytes: number): Buffer => Buffer.from(randomBytes((megabytes * MEGABYTE) / 2).toString('hex'))
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile(),
      )
    : []

const doctorOn = async (dataDir: string) =>
  (await examine(configOf(dataDir), systemClock)).find(({ about }) => about === 'files')

test(
  'after a kill between the copy of an upload and the commit nothing is lost, and leftovers are deleted',
  { timeout: 120_000 },
  async () => {
    const dataDir = makeFolder()
    const objects = path.join(dataDir, 'files/objects')
    const bytes = text(19)
    const school = await open(dataDir)
    const asked = (await school.send('POST', '/files/upload-url', said(bytes))).body
    expect((await school.put(asked.uploadUrl, bytes)).status).toBe(200)
    const completion = { ...said(bytes), storageKey: asked.storageKey, sha256: sha256(bytes) }
    const completing = school.send('POST', '/files/complete', completion).catch((error: unknown) => error)
    // The object exists, and its bytes are being checked.
    while (filesIn(objects).length === 0) await pause(1)
    await school.server.stop('SIGKILL')
    expect(await completing).toBeInstanceOf(Error)
    expect(filesIn(objects)).toHaveLength(1)

    const again = await open(dataDir)
    expect(await doctorOn(dataDir)).toMatchObject({ state: 'ok', text: '0, each as its record says' })
    const completed = await again.send('POST', '/files/complete', completion)
    expect(completed).toMatchObject({ status: 201, body: { sha256: completion.sha256 } })
    expect((await again.get(completed.body.downloadUrl)).equals(bytes)).toBe(true)
    await again.server.stop('SIGKILL')

    // As if the hour had passed after which the first attempt's job runs.
    const database = openSqlite(path.join(dataDir, 'institute.db'))
    await database.write((db) =>
      db
        .updateTable('job')
        .set({ run_at: '2026-01-01T00:00:00.000Z' })
        .where('kind', '=', 'files.discard')
        .where('state', '=', 'queued')
        .execute(),
    )
    await database.close()
    const last = await open(dataDir)
    await expect.poll(() => filesIn(objects).length, { timeout: 20_000 }).toBe(1)
    await expect.poll(() => filesIn(path.join(dataDir, 'files/.uploads')).length, { timeout: 20_000 }).toBe(0)
    expect(
      (await last.get((await last.send('GET', `/files/${completed.body.id}`)).body.downloadUrl)).equals(bytes),
    ).toBe(true)
    expect(await doctorOn(dataDir)).toMatchObject({ state: 'ok', text: '1, each as its record says' })
  },
)

test(
  'a nearly full disk refuses files, says so, and everything else keeps working; with room it accepts them again',
  { timeout: 120_000 },
  async ({ skip }) => {
    skip(!isRoot, 'only root can mount a small disk')
    const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'none', dataDir])
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', dataDir])
      rmSync(dataDir, { recursive: true })
    })
    const school = await open(dataDir)
    const ballast = path.join(dataDir, 'ballast')
    writeFileSync(ballast, Buffer.alloc(190 * MEGABYTE))
    const bytes = text(19)
    const asked = (await school.send('POST', '/files/upload-url', said(bytes))).body
    const refused = await school.put(asked.uploadUrl, bytes)
    expect(refused).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL_ERROR', message: expect.stringMatching(/cannot write to its storage/) } },
    })
    expect(JSON.stringify(refused.body)).not.toMatch(/ENOSPC|files\//)
    expect(filesIn(path.join(dataDir, 'files'))).toEqual([])
    expect((await school.send('POST', '/branches', { name: 'North' })).status).toBe(201)
    rmSync(ballast)
    expect((await school.put(asked.uploadUrl, bytes)).status).toBe(200)
    const completion = { ...said(bytes), storageKey: asked.storageKey, sha256: sha256(bytes) }
    expect((await school.send('POST', '/files/complete', completion)).status).toBe(201)
  },
)
