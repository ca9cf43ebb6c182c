import { existsSync, readdirSync, symlinkSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { makeBackup } from '#app/backup/make.ts'
import { openSqlite } from '#db/database.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { startApp } from '#kit/app.ts'
import { newSetup } from '#kit/setup.ts'
import { copyOf } from './backup-kit.ts'
import { LONG, startHere } from './restore-kit.ts'

/** A job that tells somebody something, and one that changes what is here. */
const JOBS = {
  'mail.send': '0190ffff-0000-7000-8000-000000000001',
  'sessions.align-group': '0190ffff-0000-7000-8000-000000000002',
}

/** A stopped institute with three students, whose backup has one of them. */
let stopped: string
let name: string

const inDatabase = async <T>(
  dataDir: string,
  work: (sqlite: NonNullable<ReturnType<typeof openSqlite>['sqlite']>) => T,
) => {
  const database = openSqlite(path.join(dataDir, 'institute.db'))
  try {
    return work(database.sqlite as never)
  } finally {
    await database.close()
  }
}

beforeAll(async () => {
  const app = await startApp({ passwords: createArgon2Passwords({}) })
  const { body } = await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  const owner = app.as(body.accessToken)
  const branchId = (await owner.get('/branches')).body[0].id
  const add = (lastName: string) => owner.post('/students', { branchId, firstName: 'نور', lastName })
  await add('before the backup')
  await inDatabase(app.dataDir, (sqlite) => {
    for (const [kind, id] of Object.entries(JOBS)) {
      sqlite
        .prepare(
          `insert into job (id, kind, lane, payload, run_at, state, attempts, max_attempts, fence, created_at)
            values (?, ?, 'test', '{}', '2020-01-01T00:00:00.000Z', 'queued', 0, 1, 0, '2020-01-01T00:00:00.000Z')`,
        )
        .run(id, kind)
    }
  })
  name = path.basename((await makeBackup(app.app.config, app.clock)).file)
  app.clock.advance(60)
  // Both ran since.
  await inDatabase(app.dataDir, (sqlite) =>
    sqlite.prepare(`update job set state = 'done', finished_at = run_at where lane = 'test'`).run(),
  )
  await add('since, one')
  await add('since, two')
  stopped = copyOf(app.dataDir)
  await app.close()
})

const start = (dataDir = copyOf(stopped)) => startHere(dataDir)

test('a backup is shown, takes the place of what is here, which is kept, and gives way to it again', async () => {
  const here = await start()
  const contents = `/server/backups/${name}/contents`
  await expect.poll(async () => (await here.get(contents)).body.isReading, LONG).toBe(false)
  expect((await here.get(contents)).body).toMatchObject({
    reason: null,
    held: { institute: 'معهد النور', students: 1, guardians: 0, staff: 0, invoices: 0, payments: 0, files: 0 },
    since: { students: 2, invoices: 0, payments: 0 },
  })
  expect((await here.restore(name, 'a wrong password')).status).toBe(401)
  expect((await here.restore('no-such.tar.gz')).status).toBe(404)
  expect(await here.restore(name)).toMatchObject({ status: 202, body: { step: 'checking' } })
  expect(await here.restore(name)).toMatchObject({
    status: 409,
    body: { error: { details: { reason: 'restore_busy' } } },
  })
  await here.settled()
  await here.signInAgain()
  expect(await here.students()).toBe(1)
  const { body: done } = await here.get('/server/restore')
  expect(done).toMatchObject({ step: 'done', backup: name, keptAs: expect.stringMatching(/^before-restore-/) })
  const { body: log } = await here.get('/audit?action=server.restored')
  expect(log.data).toMatchObject([{ metadata: { backup: name, kept: done.keptAs } }])
  const former = (await here.backups()).find((kept: { name: string }) => kept.name === done.keptAs)
  expect(former).toMatchObject({ kind: 'before_restore', students: 3, isWhole: true })
  // What told somebody something in the meantime does not do so again; other work is done anew.
  const ran = await inDatabase(here.dataDir, (sqlite) =>
    sqlite.prepare(`select kind, attempts from job where lane = 'test' order by id`).all(),
  )
  expect(ran).toEqual([
    { kind: 'mail.send', attempts: 0 },
    { kind: 'sessions.align-group', attempts: 1 },
  ])
  await expect
    .poll(() => readdirSync(path.join(here.dataDir, 'backups')).filter((one) => !one.endsWith('.tar.gz')))
    .toEqual([])

  // And back again.
  expect((await here.restore(done.keptAs)).status).toBe(202)
  await here.settled()
  await here.signInAgain()
  expect(await here.students()).toBe(3)
  expect(await here.server.stop()).toBe(0)
})

test('what cannot be restored, or not be kept, changes nothing, and everybody stays signed in', async () => {
  const here = await start()
  const file = path.join(here.dataDir, 'backups', name)
  // What is here cannot be packed.
  symlinkSync('nowhere', path.join(here.dataDir, 'broken'))
  await here.restore(name)
  await here.settled()
  expect(await here.get('/server/restore')).toMatchObject({
    status: 200,
    body: { step: 'failed', reason: 'failed', detail: expect.stringContaining('broken') },
  })
  expect(await here.students()).toBe(3)
  truncateSync(file, 5000)
  await here.restore(name)
  await expect.poll(async () => (await here.get('/server/restore')).body.reason, LONG).toBe('damaged')
  await expect.poll(async () => (await here.get(`/server/backups/${name}/contents`)).body.reason, LONG).toBe('damaged')
  expect(await here.students()).toBe(3)
  expect(existsSync(path.join(here.dataDir, '.restore'))).toBe(false)
})

/** What is to be seen in the data directory once a restore has come so far. */
const STEPS: Record<string, (dataDir: string, backups: string[]) => boolean> = {
  'it is checked': (dataDir) => existsSync(path.join(dataDir, '.restore')),
  'it lies ready': (dataDir) => existsSync(path.join(dataDir, '.restore-failed')),
  'what is here is packed': (_, backups) => backups.some((one) => one.startsWith('.making-')),
  'what is here is kept': (_, backups) => backups.some((one) => /^before-restore-.*\.tar\.gz$/.test(one)),
  'one takes the place of the other': (_, backups) => backups.some((one) => /^before-restore-.*Z$/.test(one)),
  'the program starts on it': (dataDir) => existsSync(path.join(dataDir, 'restored-from')),
}

test.each(Object.keys(STEPS))(
  'killed while %s, the institute is whole: as it was, or as the backup has it',
  async (step) => {
    const here = await start()
    const hasCome = STEPS[step] as (typeof STEPS)[string]
    await here.restore(name)
    while (!hasCome(here.dataDir, readdirSync(path.join(here.dataDir, 'backups')))) await turn()
    await here.server.stop('SIGKILL')
    const next = await start(here.dataDir)
    const students = await next.students()
    expect([1, 3]).toContain(students)
    const { body } = await next.get('/server/restore')
    expect(body.step).toBe(students === 1 ? 'done' : step === 'it is checked' ? 'none' : 'failed')
    if (body.step === 'failed') expect(body.reason).toBe('interrupted')
    for (const left of ['.restore', 'restored-from']) expect(existsSync(path.join(here.dataDir, left))).toBe(false)
    expect(await next.server.stop()).toBe(0)
  },
)
