import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { encrypted, newBackupKey } from '#app/backup/encryption.ts'
import { makeBackup } from '#app/backup/make.ts'
import { openSqlite } from '#db/database.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { startApp } from '#kit/app.ts'
import { urlOf } from '#kit/s3.ts'
import { newSetup } from '#kit/setup.ts'
import { storeOfOne } from '#kit/store-of-one.ts'
import { copyOf } from './backup-kit.ts'
import { LONG, startHere } from './restore-kit.ts'

/** A stopped institute with two students, which has no backup; one of it with one student; and one of a later version. */
let stopped: string
let backup: Buffer<ArrayBuffer>
let newer: Buffer<ArrayBuffer>

const bytesOf = (file: string): Buffer<ArrayBuffer> => Buffer.from(readFileSync(file))

beforeAll(async () => {
  const app = await startApp({ passwords: createArgon2Passwords({}) })
  const { body } = await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  const owner = app.as(body.accessToken)
  const branchId = (await owner.get('/branches')).body[0].id
  const add = (lastName: string) => owner.post('/students', { branchId, firstName: 'نور', lastName })
  await add('before the backup')
  backup = bytesOf((await makeBackup(app.app.config, app.clock)).file)
  app.clock.advance(60)
  const database = openSqlite(path.join(app.dataDir, 'institute.db'))
  database.sqlite?.prepare(`insert into schema_migration (name, timestamp) values ('9999_of_tomorrow', '2030')`).run()
  newer = bytesOf((await makeBackup(app.app.config, app.clock)).file)
  database.sqlite?.prepare(`delete from schema_migration where name = '9999_of_tomorrow'`).run()
  await database.close()
  await add('since')
  stopped = copyOf(app.dataDir)
  rmSync(path.join(stopped, 'backups'), { recursive: true })
  await app.close()
})

/** Processes are started one after the other, and wait for whoever else needs the machine. */
const LONG_TEST = 180_000

const NIGHTLY = 'nightly-2026-09-01T00-30-00-000Z.tar.gz'

const start = (dataDir = copyOf(stopped)) => startHere(dataDir)

test(
  'a file from elsewhere is shown, restored as one of its own is, and removed then',
  async () => {
    const here = await start()
    const { status, body } = await here.bring(backup)
    expect(status).toBe(200)
    const [{ name, ...kept }] = body.kept
    expect(kept).toMatchObject({ kind: 'brought', students: 1, isWhole: true, isEncrypted: false })
    expect(statSync(path.join(here.dataDir, '.brought', name)).mode & 0o777).toBe(0o600)
    expect(await here.held(name)).toMatchObject({
      reason: null,
      held: { institute: 'معهد النور', students: 1 },
      since: { students: 1 },
    })
    expect(await here.restore(name)).toMatchObject({ status: 202 })
    expect(await here.bring(backup)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'restore_busy' } } },
    })
    await here.settled()
    await here.signInAgain()
    expect(await here.students()).toBe(1)
    const left = await here.backups()
    expect(left).toMatchObject([{ kind: 'before_restore', students: 2 }])
    expect(here.left()).toEqual([])
  },
  LONG_TEST,
)

test(
  'one that is encrypted asks for its key, takes no other, and the key is kept nowhere',
  async () => {
    const here = await start()
    const mine = await newBackupKey()
    const sealed = await buffer(await encrypted([backup] as never, mine.recipient))
    const [{ name, ...kept }] = (await here.bring(Buffer.from(sealed))).body.kept
    expect(kept).toMatchObject({ kind: 'brought', isWhole: false, isEncrypted: true })
    expect(await here.held(name)).toMatchObject({ reason: 'needs_key', held: null })
    const open = async (key: string) => {
      expect((await here.post(`/server/backups/${name}/open`, { key })).status).toBe(202)
      return here.held(name)
    }
    const other = (await newBackupKey()).identity
    expect(await open(other)).toMatchObject({ reason: 'wrong_key', held: null })
    expect(await open('my dog')).toMatchObject({ reason: 'wrong_key', held: null })
    expect(await open(`# a comment\n${mine.identity}\n`)).toMatchObject({ reason: null, held: { students: 1 } })
    const [opened] = await here.backups()
    expect(opened).toMatchObject({ name, isWhole: true, isEncrypted: false, students: 1 })
    const { body: log } = await here.get('/audit?entityType=backup')
    const written = [
      here.server.stderr,
      JSON.stringify(log),
      readFileSync(path.join(here.dataDir, 'institute.db'), 'latin1'),
    ]
    for (const text of written) for (const key of [mine.identity, other, 'my dog']) expect(text).not.toContain(key)
    await here.restore(name)
    await here.settled()
    await here.signInAgain()
    expect(await here.students()).toBe(1)
    expect(here.left()).toEqual([])
  },
  LONG_TEST,
)

test(
  'what cannot be restored says why before anything happens, and the next file takes its place',
  async () => {
    const here = await start()
    const cases: [string, Uint8Array<ArrayBuffer>][] = [
      ['newer', newer],
      ['damaged', backup.subarray(0, backup.length / 2)],
      ['not_a_backup', Buffer.from('a letter to the parents')],
      ['postgres_dump', Buffer.from('PGDMP and more')],
    ]
    for (const [reason, file] of cases) {
      const { kept } = (await here.bring(file)).body
      expect(kept).toHaveLength(1)
      expect(await here.held(kept[0].name)).toMatchObject({ reason, held: null })
    }
    const [{ name }] = (await here.bring(newer)).body.kept
    await here.restore(name)
    await here.settled()
    expect((await here.get('/server/restore')).body).toMatchObject({ step: 'failed', reason: 'newer' })
    expect(await here.students()).toBe(2)
  },
  LONG_TEST,
)

test(
  'killed while a file is on its way, nothing of it stays, and the institute is whole',
  async () => {
    const here = await start()
    const sending = request(`${here.server.url}/api/v1/server/backups/brought`, {
      method: 'PUT',
      headers: {
        Authorization: `Bearer ${here.token()}`,
        'Content-Type': 'application/gzip',
        'Content-Length': backup.length,
      },
    })
    sending.on('error', () => {})
    sending.write(backup.subarray(0, backup.length / 2))
    await expect.poll(here.left, LONG).toMatchObject([expect.stringMatching(/\.partial$/)])
    await here.server.stop('SIGKILL')
    // As a kill leaves it between the opening of an encrypted one and its end.
    writeFileSync(path.join(here.dataDir, '.brought', 'fetched-brought-x.tar.gz.tar.gz'), 'opened')
    const next = await start(here.dataDir)
    expect(next.left()).toEqual([])
    expect(await next.backups()).toEqual([])
    expect(await next.students()).toBe(2)
  },
  LONG_TEST,
)

test(
  'killed while one comes out of the bucket, nothing of it stays, and it can be asked for again',
  async () => {
    const { identity, recipient } = await newBackupKey()
    const sealed = Buffer.from(await buffer(await encrypted([backup] as never, recipient)))
    const { promise: rest, resolve: comeOn } = Promise.withResolvers<void>()
    const bucket = await storeOfOne(NIGHTLY, sealed, { rest })
    const settings = {
      INSTITUTE_BACKUP_TO: urlOf(bucket.s3),
      INSTITUTE_BACKUP_KEY: recipient,
      // Copies go somewhere only where there are nightly ones.
      INSTITUTE_BACKUP_KEEP: '1',
    }
    const here = await startHere(copyOf(stopped), settings)
    const bring = (server: typeof here) => server.post(`/server/backups/bucket/${NIGHTLY}/fetch`, {})
    expect((await bring(here)).status).toBe(202)
    await expect.poll(here.left, LONG).toMatchObject([expect.stringMatching(/\.partial$/)])
    await here.server.stop('SIGKILL')
    comeOn()
    const next = await startHere(here.dataDir, settings)
    expect(next.left()).toEqual([])
    expect((await bring(next)).status).toBe(202)
    await expect.poll(next.backups, LONG).toMatchObject([{ kind: 'brought', isEncrypted: true }])
    const [{ name }] = await next.backups()
    await next.post(`/server/backups/${name}/open`, { key: identity })
    expect(await next.held(name)).toMatchObject({ reason: null, held: { students: 1 } })
    await next.restore(name)
    await next.settled()
    await next.signInAgain()
    expect(await next.students()).toBe(1)
  },
  LONG_TEST,
)

test(
  'killed as the program starts on what it holds, it is put in place, and removed',
  async () => {
    const here = await start()
    const [{ name }] = (await here.bring(backup)).body.kept
    await here.restore(name)
    while (!existsSync(path.join(here.dataDir, 'restored-from'))) await turn()
    await here.server.stop('SIGKILL')
    const next = await start(here.dataDir)
    expect(await next.students()).toBe(1)
    expect((await next.get('/server/restore')).body).toMatchObject({ step: 'done', backup: name })
    expect(next.left()).toEqual([])
  },
  LONG_TEST,
)
