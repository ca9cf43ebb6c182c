import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CONTENT } from '#app/backup/archive.ts'
import { makeBackup, type Backup } from '#app/backup/make.ts'
import { DATABASE } from '#app/data-dir/layout.ts'
import { openSqlite } from '#db/database.ts'
import { systemClock } from '#kernel/time/clock.ts'
import type { TestApp } from '#kit/app.ts'
import { backedUp, CONFIGURATION, configOf, copyOf, restoreInto, stateOf } from './backup-kit.ts'
import { makeFolder } from './folder.ts'
import { institute } from './institute.ts'

let app: TestApp
let backup: Backup
let stopped: string

beforeAll(async () => {
  ;({ app, backup, stopped } = await backedUp())
})
afterAll(() => app.close())

/** A copy of the stopped install, which tests change. */
let target: string
beforeEach(() => {
  target = copyOf(stopped)
})

describe('a backup of a data directory', () => {
  const inTarget = (name: string): string => path.join(target, name)
  /** Moves a file elsewhere, and leaves a symbolic link to it. */
  const replaceByLink = (name: string): void => {
    const elsewhere = path.join(makeFolder(), 'elsewhere')
    renameSync(inTarget(name), elsewhere)
    symlinkSync(elsewhere, inTarget(name))
  }
  const makeOne = () => makeBackup(configOf(target), systemClock)
  const nothingIsLeft = () => expect(readdirSync(inTarget('backups'))).toEqual([])

  test('with links holds the files that they point to, and can be restored', async () => {
    writeFileSync(inTarget('institute.conf'), 'INSTITUTE_PORT=8124\n')
    const key = readFileSync(inTarget('master-key'), 'utf8')
    for (const name of ['master-key', 'institute.conf', 'mail-outbox', 'institute.db']) replaceByLink(name)
    const { file } = await makeOne()
    const folder = makeFolder()
    const { configuration } = await restoreInto(folder, file)
    expect(lstatSync(path.join(folder, 'master-key')).isFile()).toBe(true)
    expect(readFileSync(path.join(folder, 'master-key'), 'utf8')).toBe(key)
    expect(readFileSync(configuration as string, 'utf8')).toBe('INSTITUTE_PORT=8124\n')
    expect(readFileSync(path.join(folder, 'mail-outbox/one.eml'), 'utf8')).toBe('a mail')
    expect((await stateOf(folder)).students).toHaveLength(1)
  })

  test('has the database before the files: whatever it names was there by then', async () => {
    const folder = inTarget('backups')
    const kept = (): string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => name.split(`/${CONTENT}/`)[1] ?? [])
    const making = makeOne()
    let seen: string[] = []
    // The copy of the database lets others work in between.
    while (!seen.includes(DATABASE)) {
      await new Promise((resolve) => setImmediate(resolve))
      seen = kept()
    }
    expect(seen).toEqual([DATABASE])
    await making
  })

  test.each<[what: string, to: () => string, says: string]>([
    ['to nothing', () => path.join(target, 'nowhere'), 'is a link to'],
    ['to the folder in which it lies', () => target, 'in which it lies itself'],
    ['to everything', () => '/', 'in which it lies itself'],
  ])('reports a link %s, and leaves nothing behind', async (_, to, says) => {
    symlinkSync(to(), inTarget('odd'))
    const { code, stdout, stderr } = await institute(['backup', '--data-dir', target])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^${inTarget('odd')} is a link to [^\\n]*\n$`))
    expect(stderr).toContain(says)
    nothingIsLeft()
  })

  test('with a pipe and a socket does not wait for them, and reports that they were left out', async () => {
    execFileSync('mkfifo', [inTarget('pipe')])
    symlinkSync(inTarget('pipe'), inTarget('mail-outbox/link-to-pipe'))
    const server = createServer().listen(inTarget('socket'))
    const { code, stdout, stderr } = await institute(['backup', '--data-dir', target])
    server.close()
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`${inTarget('pipe')} is no file`) })
    for (const name of ['socket', 'mail-outbox/link-to-pipe']) expect(stderr).toContain(`${inTarget(name)} is no file`)
    await restoreInto(makeFolder(), stdout.trim())
  })

  test('is discarded when files change while they are packed', async () => {
    const large = randomBytes(32 * 1024 * 1024)
    writeFileSync(inTarget('zz-large'), large)
    const making = makeOne().catch((error: unknown) => error)
    const isListed = (): boolean =>
      readdirSync(inTarget('backups')).some((name) => existsSync(path.join(target, 'backups', name, 'backup.json')))
    await expect.poll(isListed, { interval: 1, timeout: 20_000 }).toBe(true)
    writeFileSync(inTarget('zz-large'), large.fill(0, large.length - 100), { flag: 'r+' })
    expect(await making).toMatchObject({
      message: expect.stringMatching(/^The backup was thrown away: .*zz-large is damaged in it/),
    })
    nothingIsLeft()
  })

  test('reports a damaged database or a missing key', async () => {
    renameSync(inTarget('master-key'), inTarget('former-key'))
    await expect(makeOne()).rejects.toThrow(/master-key is missing/)
    renameSync(inTarget('former-key'), inTarget('master-key'))
    const database = openSqlite(inTarget('institute.db'))
    database.sqlite?.exec(`pragma foreign_keys = off; update branch set tenant_id = 'nobody'; pragma foreign_keys = on`)
    await database.close()
    await expect(makeOne()).rejects.toThrow(/institute\.db is damaged \(a row of/)
    nothingIsLeft()
  })
})

describe('the configuration in a backup', () => {
  const asideIn = (folder: string): string => path.join(folder, 'institute.conf.from-backup')

  test('is not put in force where there is none: it is put aside, and the command says so', async () => {
    const folder = makeFolder()
    const { code, stderr } = await institute(['restore', backup.file, '--data-dir', folder])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`it lies in ${asideIn(folder)}`) })
    expect(existsSync(path.join(folder, 'institute.conf'))).toBe(false)
    expect(readFileSync(asideIn(folder), 'utf8')).toBe(CONFIGURATION)
    // It is not part of this machine's next backup either.
    const again = makeFolder()
    await restoreInto(again, (await makeBackup(configOf(folder), systemClock)).file)
    expect(existsSync(asideIn(again))).toBe(false)
  })

  test('is not mentioned when the same one is in force', async () => {
    const folder = makeFolder()
    writeFileSync(path.join(folder, 'institute.conf'), CONFIGURATION)
    expect(await institute(['restore', backup.file, '--data-dir', folder])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^This backup was made at .*\n$/),
    })
    expect(existsSync(asideIn(folder))).toBe(false)
  })
})
