import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { problemsOfLive } from '#db/sqlite/whole-file.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { setupTokenIn } from '#kit/setup.ts'
import { makeFolder } from './folder.ts'
import { mountSmallDisk } from './small-disk.ts'
import { institute, startProgram } from './institute.ts'
import { isRoot } from '../binary/program.ts'

const OWNER = { email: 'owner@example.org', password: 'olive tree by the gate' }
/** The contract has no other code for it; its message tells a person what to do. */
const UNAVAILABLE = {
  status: 500,
  body: { error: { code: 'INTERNAL_ERROR', message: expect.stringMatching(/cannot write to its storage/) } },
}

const READY = { status: 200, body: { status: 'ok', checks: { postgres: { status: 'ok' }, redis: { status: 'ok' } } } }
const notReady = (error: string) => ({
  status: 503,
  body: { status: 'error', checks: { postgres: { status: 'error', error }, redis: { status: 'ok' } } },
})

interface Reply {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
  body: any
}

/** An institute that is set up, in its own program. */
const startInstitute = async (dataDir: string, env: Record<string, string> = {}) => {
  const server = await startProgram(dataDir, env)
  let token = ''
  const send = async (method: string, where: string, body?: unknown): Promise<Reply> => {
    const response = await fetch(`${server.url}/api/v1${where}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const { body } = await send('POST', '/setup/bootstrap', {
    setupToken: setupTokenIn(dataDir),
    institute: { slug: 'disk', name: 'Disk', defaultLocale: 'en', timezone: 'Asia/Jerusalem', currency: 'ILS' },
    owner: { ...OWNER, firstName: 'Noor', lastName: 'Haddad' },
  })
  token = body.accessToken
  const [{ id: branchId }] = (await send('GET', '/branches')).body
  let sent = 0
  /** Adds one student with long notes. */
  const addStudent = (): Promise<Reply> => {
    sent += 1
    return send('POST', '/students', { branchId, firstName: `N${sent}`, lastName: 'Haddad', notes: 'n'.repeat(4000) })
  }
  /** The numbers of all students, lowest first. */
  const numbers = async (): Promise<string[]> => {
    const all: string[] = []
    let cursor = ''
    do {
      const page = (await send('GET', `/students?limit=100${cursor && `&cursor=${cursor}`}`)).body
      all.push(...page.data.map((student: { studentNumber: string }) => student.studentNumber))
      cursor = page.nextCursor ?? ''
    } while (cursor)
    return all.toReversed()
  }
  const ready = () => send('GET', '/health/ready')
  return { server, send, addStudent, numbers, ready }
}

type Institute = Awaited<ReturnType<typeof startInstitute>>

/** How many students in a row must be refused before the disk counts as full: a smaller change may still fit. */
const REFUSED_IN_A_ROW = 5

/** Adds students, some at once, until none fits any more. */
const fill = async ({ addStudent }: Institute): Promise<{ created: string[]; refused: Reply[] }> => {
  const created: string[] = []
  const refused: Reply[] = []
  const add = async (): Promise<boolean> => {
    const reply = await addStudent()
    if (reply.status === 201) created.push(reply.body.studentNumber)
    else refused.push(reply)
    return reply.status === 201
  }
  while (refused.length === 0) await Promise.all(Array.from({ length: 8 }, add))
  for (let inARow = 0; inARow < REFUSED_IN_A_ROW;) inARow = (await add()) ? 0 : inARow + 1
  return { created, refused }
}

/** Exactly the students that were confirmed are there, without gaps; and the institute works again. */
const expectRecovered = async ({ addStudent, numbers }: Institute, created: readonly string[]): Promise<void> => {
  expect(await numbers()).toEqual(created.toSorted())
  const { status, body } = await addStudent()
  expect({ status, number: body.studentNumber }).toEqual({
    status: 201,
    number: `S-${String(created.length + 1).padStart(6, '0')}`,
  })
}

test(
  'a full disk gives an error that says so; confirmed changes stay; with room the program recovers by itself',
  { timeout: 120_000 },
  async ({ skip }) => {
    skip(!isRoot, 'only root can mount a small disk')
    const dataDir = mountSmallDisk(24)
    const ballast = path.join(dataDir, 'ballast')
    writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024))
    const school = await startInstitute(dataDir)
    const { created, refused } = await fill(school)
    expect(await school.ready()).toEqual(notReady('the disk is full'))
    for (const reply of refused) {
      expect(reply).toMatchObject(UNAVAILABLE)
      expect(JSON.stringify(reply.body)).not.toMatch(/SQL|insert|ENOSPC|disk_full/i)
    }
    expect((await school.send('GET', '/students')).status).toBe(200)
    rmSync(ballast)
    await expect.poll(school.ready, { timeout: 5000 }).toEqual(READY)
    await expectRecovered(school, created)
    expect(await school.server.stop()).toBe(0)
    expect(problemsOfLive(path.join(dataDir, 'institute.db'))).toEqual([])
  },
)

describe('a database file that goes away under the program:', () => {
  const DATABASE = ['institute.db', 'institute.db-wal', 'institute.db-shm']
  const moved = (name: string, inside: string) => path.join(inside, `former-${name}`)

  /** As if somebody had restored a copy and forgotten the running program. */
  const replace = (dataDir: string, name: string) => {
    const file = path.join(dataDir, name)
    copyFileSync(file, moved(name, dataDir))
    renameSync(moved(name, dataDir), file)
  }

  const REMOVED = 'the database file was removed or replaced while the program runs'

  test.each<[what: string, lose: (dataDir: string) => void]>([
    ['all of it is deleted', (dataDir) => DATABASE.forEach((name) => rmSync(path.join(dataDir, name)))],
    ['it is deleted, its log stays', (dataDir) => rmSync(path.join(dataDir, 'institute.db'))],
    ['its log is deleted', (dataDir) => rmSync(path.join(dataDir, 'institute.db-wal'))],
    ['it is replaced', (dataDir) => replace(dataDir, 'institute.db')],
    ['its log is replaced', (dataDir) => replace(dataDir, 'institute.db-wal')],
    ['its whole folder is moved away', (dataDir) => renameSync(dataDir, `${dataDir}-moved`)],
  ])('%s: changes are refused, and ready says why', { timeout: 60_000 }, async (_, lose) => {
    const dataDir = path.join(makeFolder(), 'data')
    mkdirSync(dataDir)
    const school = await startInstitute(dataDir)
    expect((await school.addStudent()).status).toBe(201)
    expect(await school.ready()).toEqual(READY)
    lose(dataDir)
    expect(await school.addStudent()).toMatchObject(UNAVAILABLE)
    expect(await school.ready()).toEqual(notReady(REMOVED))
    expect((await school.send('GET', '/students')).body.data).toHaveLength(1)
    expect(await school.server.stop()).toBe(0)
  })

  test('a smaller file is copied over it: changes are refused, and ready says why', { timeout: 60_000 }, async () => {
    const dataDir = makeFolder()
    const school = await startInstitute(dataDir)
    const file = path.join(dataDir, 'institute.db')
    copyFileSync(file, path.join(dataDir, 'early-copy'))
    // Enough changes for a checkpoint, which makes the file grow.
    for (let n = 0; n < 12; n += 1) await Promise.all(Array.from({ length: 20 }, school.addStudent))
    const { size } = statSync(path.join(dataDir, 'early-copy'))
    await expect.poll(() => statSync(file).size).toBeGreaterThan(size)
    expect(await school.ready()).toEqual(READY)
    copyFileSync(path.join(dataDir, 'early-copy'), file)
    expect((await school.addStudent()).status).toBe(500)
    expect(await school.ready()).toEqual(notReady('the database file was overwritten while the program runs'))
  })

  test('a file that was moved away and back again counts as never gone', { timeout: 60_000 }, async () => {
    const dataDir = makeFolder()
    const school = await startInstitute(dataDir)
    const [first] = [(await school.addStudent()).body.studentNumber]
    for (const name of DATABASE) renameSync(path.join(dataDir, name), moved(name, dataDir))
    expect(await school.addStudent()).toMatchObject(UNAVAILABLE)
    for (const name of DATABASE) renameSync(moved(name, dataDir), path.join(dataDir, name))
    await expectRecovered(school, [first])
    expect(await school.ready()).toEqual(READY)
    expect(await school.server.stop()).toBe(0)
    expect(problemsOfLive(path.join(dataDir, 'institute.db'))).toEqual([])
  })
})

test('a data directory that is not writable stops the start with one line', { timeout: 60_000 }, async ({ skip }) => {
  skip(!isRoot, 'only root can mount a folder read-only')
  const dataDir = mountSmallDisk(64)
  const first = await startInstitute(dataDir)
  await first.server.stop()
  execFileSync('mount', ['-o', 'remount,ro', dataDir])
  for (const folder of [dataDir, path.join(dataDir, 'new')]) {
    const { code, stdout, stderr } = await institute(['serve', '--port', '0', '--data-dir', folder])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[^\n]*read-only[^\n]*\n$/)
    expect(stderr).toContain(dataDir)
  }
  execFileSync('mount', ['-o', 'remount,rw', dataDir])
  const again = await startProgram(dataDir)
  expect((await fetch(`${again.url}/api/v1/health/ready`)).status).toBe(200)
})

test(
  'during a restart of Postgres requests fail with an error that says so; afterwards requests and jobs recover by themselves',
  { timeout: 90_000 },
  async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const { url } = await createDatabase(postgres.adminUrl)
    const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-restart-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const school = await startInstitute(dataDir, { INSTITUTE_DATABASE_URL: url })
    const created: string[] = [(await school.addStudent()).body.studentNumber]
    const statuses: number[] = []
    const work = async () => {
      const { status, body } = await school.addStudent()
      statuses.push(status)
      if (status === 201) created.push(body.studentNumber)
      else expect({ status, body }).toMatchObject(UNAVAILABLE)
    }
    const restarting = { done: false }
    const worked = (async () => {
      while (!restarting.done || statuses.at(-1) !== 201) await work()
    })()
    await Promise.all([worked, postgres.restart().then(() => (restarting.done = true))])
    expect(statuses).toContain(500)
    const numbers = await school.numbers()
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers).toEqual(expect.arrayContaining(created))
    const doctor = await institute(['doctor', '--data-dir', dataDir], { INSTITUTE_DATABASE_URL: url })
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringMatching(/database +.*Postgres answers/) })
    expect(await school.server.stop()).toBe(0)
  },
)
