import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportInstitute } from '#app/operator/export-command.ts'
import { archiveThread } from '#app/export/thread.ts'
import { filesOf } from '#app/data-dir/files.ts'
import { StorageProblem } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { sweepJob } from '#modules/export/declared-jobs.ts'
import { exportJobs } from '#modules/export/jobs.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { download, exportOf, jsonIn, unzip } from '#kit/archive.ts'
import { sha256 } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'

const DAY = 24 * 3600

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 90 * DAY } })
})
beforeEach(async () => {
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const ask = async (body?: unknown) => {
  const reply = await school.owner.post('/export', body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

/** Every file of the storage except uploads' objects: archives, and what is not finished. */
const stored = (): string[] =>
  ['.exports', '.unfinished'].flatMap((folder) => {
    const root = path.join(app.dataDir, 'files', folder)
    try {
      return readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => `${folder}/${name}`)
    } catch {
      return []
    }
  })

const systemTx = <T>(work: (tx: SystemTx) => Promise<T>): Promise<T> =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) => work(unit.system()))

const sweep = async (): Promise<void> => {
  await systemTx(async (tx) => tx.enqueue(sweepJob, {}))
  await app.drain()
}

afterEach(async () => {
  await app.app.runtime.database.write(async (db) => {
    // An export that nobody asks about any more is not made.
    await db.deleteFrom('job').where('kind', '=', 'export.make').execute()
    await db.deleteFrom('export').execute()
  })
  await app.pass(2 * DAY)
  rmSync(path.join(app.dataDir, 'files'), { recursive: true, force: true })
})

describe('POST /export', () => {
  test('begins an export, says how far it is, and gives its archive once it is done', async () => {
    const queued = await ask()
    expect(queued).toEqual({
      id: expect.any(String),
      status: 'queued',
      progress: 0,
      sizeBytes: null,
      sha256: null,
      error: null,
      createdAt: app.clock.now(),
      finishedAt: null,
      keptUntil: null,
      downloadUrl: null,
      downloadUrlExpiresAt: null,
    })
    expect(await ask({})).toEqual(queued)
    await app.drain()
    const done = await ask()
    const now = app.clock.millis()
    expect(done).toMatchObject({
      id: queued.id,
      status: 'done',
      progress: 100,
      error: null,
      finishedAt: app.clock.now(),
      keptUntil: new Date(now + DAY * 1000).toISOString(),
      downloadUrl: expect.stringContaining(`/files/${school.tenant.id}/${queued.id}?`),
      downloadUrlExpiresAt: new Date(now + 300_000).toISOString(),
    })
    const reply = await download(app, done.downloadUrl)
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect(bytes.length).toBe(done.sizeBytes)
    expect(sha256(bytes)).toBe(done.sha256)
    expect(jsonIn(await unzip(bytes), 'json/tenant.json')).toMatchObject([{ id: school.tenant.id }])
  })

  test('answers the one export to all who ask at once', async () => {
    const bodies = await Promise.all(Array.from({ length: 10 }, (_, n) => ask({ fresh: n % 2 === 0 })))
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1)
    await app.drain()
    expect(stored()).toEqual([`.exports/${bodies[0].id}`])
    const after = await Promise.all(Array.from({ length: 10 }, () => ask({ fresh: true })))
    expect(new Set(after.map(({ id }) => id)).size).toBe(1)
    expect(after[0].id).not.toBe(bodies[0].id)
  })

  test('keeps an export for a day, then removes it with its archive', async () => {
    const { id } = await ask()
    await app.drain()
    const { downloadUrl } = await ask()
    app.clock.advance(DAY - 1)
    expect((await ask()).id).toBe(id)
    expect((await download(app, downloadUrl)).status).toBe(403)
    expect(stored()).toEqual([`.exports/${id}`])
    app.clock.advance(1)
    const next = await ask()
    expect(next).toMatchObject({ status: 'queued' })
    expect(next.id).not.toBe(id)
    await app.drain()
    expect(stored()).toEqual([`.exports/${next.id}`])
  })

  test('that has ended is swept after a day, and so is an archive that no export names', async () => {
    const { id } = await ask()
    await app.drain()
    const stray = path.join(app.dataDir, 'files/.exports', school.tenant.id, 'aa', `${newId().slice(0, -2)}aa`)
    mkdirSync(path.dirname(stray), { recursive: true })
    writeFileSync(stray, 'of a killed process')
    utimesSync(stray, new Date('2026-01-01'), new Date('2026-01-01'))
    await sweep()
    expect(stored()).toEqual([`.exports/${id}`])
    app.clock.advance(DAY)
    await sweep()
    expect(stored()).toEqual([])
    expect(await app.app.database.read.selectFrom('export').select('id').execute()).toEqual([])
  })

  test('makes a new one when it is told to; the address of the one before leads nowhere', async () => {
    await ask()
    await app.drain()
    const first = await ask()
    const second = await ask({ fresh: true })
    expect(second).toMatchObject({ status: 'queued' })
    expect((await download(app, first.downloadUrl)).status).toBe(404)
    await app.drain()
    expect(stored()).toEqual([`.exports/${second.id}`])
    expect((await ask()).id).toBe(second.id)
  })

  test('makes a new one when the archive is gone, as after a restore', async () => {
    const { id } = await ask()
    await app.drain()
    rmSync(path.join(app.dataDir, 'files/.exports'), { recursive: true })
    expect(await ask()).toMatchObject({ status: 'queued', id: expect.not.stringContaining(id) })
  })

  test('is for owners', async () => {
    const admin = await school.member({ role: 'admin' })
    expect(await admin.post('/export')).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: { reason: 'owner_only' } } },
    })
    const { body } = await school.owner.post('/api-keys', { name: 'All', kind: 'secret', permissions: ['audit.read'] })
    expect((await app.as(body.key).post('/export')).status).toBe(403)
  })

  test('works from beginning to end while the institute is locked, and not once it is archived', async () => {
    const set = (status: 'suspended' | 'archived') =>
      app.app.runtime.database.write((db) =>
        db
          .updateTable('tenant')
          .set({ status, locked_at: app.clock.now() })
          .where('id', '=', school.tenant.id)
          .execute(),
      )
    await set('suspended')
    expect((await school.owner.get('/branches')).status).toBe(402)
    const entries = await exportOf(app, school.owner)
    expect(jsonIn(entries, 'json/tenant.json')).toMatchObject([{ status: 'suspended' }])
    await set('archived')
    expect(await school.owner.post('/export')).toMatchObject({
      status: 403,
      body: { error: { code: 'TENANT_SUSPENDED' } },
    })
  })

  test('leaves an audit entry that says who exported, without the address', async () => {
    const { id } = await ask()
    await app.drain()
    await ask()
    const entries = await auditOf(app, school, 'export.request')
    expect(entries[0]).toMatchObject({
      actor_user_id: school.ownerUserId,
      actor_type: 'user',
      entity_type: 'export',
      entity_id: id,
      after: { status: 'queued' },
    })
    expect(JSON.stringify(entries)).not.toContain('signature')
  })
})

describe('the archive', () => {
  test('is downloaded as a file, whole and in parts, and nothing of it is run', async () => {
    await ask()
    await app.drain()
    const { downloadUrl, sha256: hash } = await ask()
    const whole = await download(app, downloadUrl)
    const day = app.clock.now().slice(0, 10)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename=${school.tenant.slug}-${day}.zip`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${hash}"`,
    })
    const bytes = Buffer.from(await whole.arrayBuffer())
    const part = await download(app, downloadUrl, { range: 'bytes=10-19' })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20))
  })

  test('is not reached by another institute’s address, nor by a changed one', async () => {
    const other = await makeInstitute(app)
    await ask()
    await other.owner.post('/export')
    await app.drain()
    const own = await ask()
    const foreign = (await other.owner.post('/export')).body
    expect((await download(app, own.downloadUrl.replace(own.id, foreign.id))).status).toBe(403)
    expect((await download(app, own.downloadUrl.replace(school.tenant.id, other.tenant.id))).status).toBe(403)
    app.clock.advance(300)
    expect((await download(app, own.downloadUrl)).status).toBe(403)
    expect((await download(app, (await ask()).downloadUrl)).status).toBe(200)
  })

  test('does not count as stored bytes', async () => {
    await exportOf(app, school.owner)
    const { rows } = await app.app.database.read
      .selectFrom('file')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('tenant_id', '=', school.tenant.id)
      .executeTakeFirstOrThrow()
    expect(rows).toBe(0)
  })

  test('of the command is the same, made while the server runs, or of nobody it knows', async () => {
    const student = { branchId: school.branchId, firstName: 'نور', lastName: 'حداد' }
    await school.owner.post('/students', student)
    const to = path.join(app.dataDir, 'own.zip')
    const told: number[] = []
    const wanted = { slug: school.tenant.slug, to, force: false }
    const file = await exportInstitute(app.app.config, wanted, (done) => void told.push(done))
    const byCommand = await unzip(readFileSync(file))
    const byServer = await exportOf(app, school.owner)
    expect([...byCommand.keys()]).toEqual([...byServer.keys()])
    expect(byCommand.get('csv/student.csv')).toEqual(byServer.get('csv/student.csv'))
    expect(told.at(-1)).toBe(1)
    expect(told).toEqual(told.toSorted((one, other) => one - other))
    await expect(exportInstitute(app.app.config, { ...wanted, slug: 'nobody', force: true }, () => {})).rejects.toThrow(
      /^There is no institute with the slug "nobody"\./,
    )
  })
})

describe('an export that does not end well', () => {
  /** Its row, as a process that was killed leaves it, with what it has written. */
  const begun = async (): Promise<string> => {
    const { id } = await ask()
    const job = { state: 'running' as const, attempts: 1, lease_until: app.clock.now() }
    await app.app.runtime.database.write(async (db) => {
      await db.updateTable('export').set({ status: 'running', percent: 40 }).where('id', '=', id).execute()
      await db.updateTable('job').set(job).where('kind', '=', 'export.make').where('state', '=', 'queued').execute()
    })
    mkdirSync(path.join(app.dataDir, 'files/.unfinished'), { recursive: true })
    writeFileSync(path.join(app.dataDir, 'files/.unfinished', `${id}.${newId()}`), 'half')
    return id
  }

  test('because its process was killed is made anew, and no half file stays', async () => {
    const id = await begun()
    expect(await ask()).toMatchObject({ id, status: 'running', progress: 40, downloadUrl: null })
    await app.pass(60)
    expect(await ask()).toMatchObject({ id, status: 'done' })
    expect(stored()).toEqual([`.exports/${id}`])
  })

  test('because every process that ran it was killed has failed, and says so', async () => {
    const id = await begun()
    await app.app.runtime.database.write((db) =>
      db
        .updateTable('job')
        .set({ attempts: 4 })
        .where('kind', '=', 'export.make')
        .where('state', '=', 'running')
        .execute(),
    )
    await app.pass(60)
    expect(await ask()).toMatchObject({ id, status: 'running' })
    await sweep()
    expect(await ask()).toMatchObject({
      id,
      status: 'failed',
      error: expect.stringMatching(/^The server ended several times/),
      finishedAt: app.clock.now(),
      downloadUrl: null,
    })
    expect(await ask({ fresh: true })).toMatchObject({ status: 'queued' })
  })

  test('for another reason is tried again, then has failed without a word of what is inside', async () => {
    const { id } = await ask()
    mkdirSync(path.join(app.dataDir, 'files'), { recursive: true })
    writeFileSync(path.join(app.dataDir, 'files/.exports'), 'no folder')
    await app.drain()
    expect(await ask()).toMatchObject({ id, status: 'running' })
    for (const seconds of [1, 10, 60]) await app.pass(seconds)
    const failed = await ask()
    expect(failed).toMatchObject({ id, status: 'failed', downloadUrl: null })
    expect(failed.error).toMatch(/^The export could not be made\./)
    expect(failed.error).not.toMatch(/EEXIST|ENOTDIR|files/)
    rmSync(path.join(app.dataDir, 'files/.exports'))
    expect(stored()).toEqual([])
    await ask({ fresh: true })
    await app.drain()
    expect(await ask()).toMatchObject({ status: 'done' })
  })

  test('for want of room has failed at once, and says what to do', async () => {
    const { id } = await ask()
    const [make] = exportJobs({
      files: filesOf(app.app.config),
      log: pino({ level: 'silent' }),
      makeArchive: async () => {
        throw new StorageProblem('the disk is nearly full')
      },
    })
    await make?.handle({
      payload: { tenantId: school.tenant.id, exportId: id },
      attempt: 1,
      now: app.clock.now(),
      signal: new AbortController().signal,
      change: systemTx,
      finish: systemTx,
    } as Partial<JobContext> as JobContext)
    expect(await ask()).toMatchObject({
      id,
      status: 'failed',
      error:
        'There is no room for the export: the disk is nearly full. Make room on the server, then ask for a new one with `fresh`.',
    })
  })

  test('because the program stops leaves no half file', async () => {
    const makeArchive = archiveThread({
      config: app.app.config,
      files: filesOf(app.app.config),
      rules: () => app.app.runtime.rules,
    })
    const stop = new AbortController()
    const id = newId()
    const made = makeArchive(
      { tenantId: school.tenant.id, key: `exports/${school.tenant.id}/${id}`, now: app.clock.now() },
      { onProgress: () => stop.abort(), signal: stop.signal },
    )
    await expect(made).rejects.toThrow(/ended before it was done/)
    expect(stored()).toEqual([])
  })
})
