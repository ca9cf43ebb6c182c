import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '#migrations'
import { makeBackup, type Backup } from '#app/backup/make.ts'
import { lockDataDir } from '#app/data-dir/data-lock.ts'
import { openSqlite } from '#db/database.ts'
import { migrate, NewerDatabase } from '#db/steps/migrate.ts'
import { problemsOfCopy } from '#db/sqlite/whole-file.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { CannotOpen } from '#runtime/secrets/vault.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { TestInstitute } from '#kit/institute.ts'
import { volume } from '#kit/volume.ts'
import { backedUp, configOf, copyOf, restoreInto, stateOf } from './backup-kit.ts'
import { contentOf, makeFolder } from './folder.ts'
import { institute, spawnInstitute } from './institute.ts'

let app: TestApp
let school: TestInstitute
let backup: Backup
let stopped: string

/** Locks the directory as a start does, which finishes a restore that was killed. */
const lockAndRelease = async (dataDir: string): Promise<void> => (await lockDataDir(dataDir))()

const addStudent = (lastName: string) =>
  school.owner.post('/students', { branchId: school.branchId, firstName: 'نور', lastName })

beforeAll(async () => {
  ;({ app, school, backup, stopped } = await backedUp())
})
afterAll(() => app.close())

/** A copy of the stopped install, which tests restore over. */
let target: string
beforeEach(() => {
  target = copyOf(stopped)
})

describe('a backup', () => {
  test('of a running institute holds database, files, keys and configuration, readable by its owner only', async () => {
    expect(path.dirname(backup.file)).toBe(path.join(app.dataDir, 'backups'))
    expect(statSync(backup.file).mode & 0o777).toBe(0o600)
    expect(Object.keys(contentOf(stopped))).toEqual([
      'institute.conf.from-backup',
      'institute.db',
      'mail-outbox/one.eml',
      'master-key',
    ])
    expect(readFileSync(path.join(stopped, 'master-key'))).toEqual(readFileSync(path.join(app.dataDir, 'master-key')))
    expect((await stateOf(stopped)).students).toMatchObject([{ last_name: 'before the backup' }])
  })

  test('leaves no other files behind', () => {
    expect(readdirSync(path.join(app.dataDir, 'backups'))).toEqual([path.basename(backup.file)])
  })

  test('overwrites a file that is there only when it is told to', async () => {
    const file = path.join(makeFolder(), 'school.tar.gz')
    writeFileSync(file, 'of last year')
    expect(await institute(['backup', '--data-dir', app.dataDir, '--to', file])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} is there already, and was left as it is: name another file, or overwrite it with --force.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('of last year')
    expect(readdirSync(path.dirname(file))).toEqual(['school.tar.gz'])
    expect((await institute(['backup', '--data-dir', app.dataDir, '--to', file, '--force'])).code).toBe(0)
    expect(statSync(file).size).toBeGreaterThan(1000)
  })

  test('goes to the named file, or into the named folder under its own name', async () => {
    const folder = makeFolder()
    const file = path.join(folder, 'school.tar.gz')
    expect((await makeBackup(app.app.config, systemClock, { to: file })).file).toBe(file)
    const { file: second } = await makeBackup(app.app.config, systemClock, { to: folder })
    expect(readdirSync(folder).toSorted()).toEqual([path.basename(second), 'school.tar.gz'])
  })

  test('keeps a search index working after a restore', async () => {
    const database = openSqlite(path.join(stopped, 'institute.db'))
    const found = database.sqlite
      ?.prepare(
        `select last_name from student where rowid in (select rowid from student_search where student_search match '"before"')`,
      )
      .all()
    expect(found).toEqual([{ last_name: 'before the backup' }])
    await database.close()
  })

  test('under a load of writes is a consistent snapshot: no gap in the numbers, and each student has an audit entry', async () => {
    const folder = makeFolder()
    const file = path.join(folder, 'under-load.tar.gz')
    const child = spawnInstitute(['backup', '--data-dir', app.dataDir, '--to', file])
    let written = 0
    while (child.exitCode === null) {
      const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => addStudent(`${written + n}`)))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
      written += replies.length
    }
    expect(child.exitCode).toBe(0)
    await restoreInto(target, file)
    expect(problemsOfCopy(path.join(target, 'institute.db'))).toEqual([])
    const { students, entries } = await stateOf(target)
    expect(students.length).toBeGreaterThan(8)
    expect(students.map(({ student_number: number }) => Number(/\d+$/.exec(number)?.[0]))).toEqual(
      students.map((_, n) => n + 1),
    )
    const database = openSqlite(path.join(target, 'institute.db'))
    const created = await database.read
      .selectFrom('audit_entry')
      .select('id')
      .where('action', '=', 'students.create')
      .execute()
    await database.close()
    expect(created).toHaveLength(students.length)
    expect(entries).toBeGreaterThan(students.length)
  })

  test('reports that there is no institute, and says what to do for Postgres', async () => {
    await expect(makeBackup(configOf(makeFolder()), systemClock)).rejects.toThrow(/^There is no institute in /)
    await expect(makeBackup(configOf(stopped, { databaseUrl: 'postgres://x/y' }), systemClock)).rejects.toThrow(
      /pg_dump/,
    )
  })

  test('on a full disk leaves nothing behind and says so', async () => {
    const small = path.join(makeFolder(), 'small')
    mkdirSync(small)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small], { stdio: 'ignore' })
    } catch {
      // Only root can mount; the backup before an upgrade uses the same code.
      return
    }
    try {
      const { code, stdout, stderr } = await institute(['backup', '--data-dir', stopped, '--to', small])
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^There is no room left on the disk of [^\n]*; nothing was changed\. [^\n]*\n$/),
      })
      expect(readdirSync(small)).toEqual([])
      expect(readdirSync(path.join(stopped, 'backups'))).toEqual([])
    } finally {
      execFileSync('umount', [small])
    }
  })
})

describe('a restore', () => {
  test('replaces the current state, keeps that aside, and keeps the machine’s configuration', async () => {
    writeFileSync(path.join(target, 'institute.conf'), 'INSTITUTE_PORT=9000\n')
    writeFileSync(path.join(target, 'later-file'), 'later')
    const { aside, manifest } = await restoreInto(target, backup.file)
    expect(manifest.createdAt).toMatch(/^\d{4}-/)
    expect(readFileSync(path.join(target, 'institute.conf'), 'utf8')).toBe('INSTITUTE_PORT=9000\n')
    expect(existsSync(path.join(target, 'later-file'))).toBe(false)
    expect(readFileSync(path.join(aside as string, 'later-file'), 'utf8')).toBe('later')
    expect((await stateOf(aside as string)).students).toHaveLength(1)
    expect(readdirSync(target).filter((name) => name.startsWith('.restore'))).toEqual([])
  })

  test('into an empty folder restores everything, and the program opens it', async () => {
    const folder = path.join(makeFolder(), 'new')
    const { code, stdout } = await institute(['restore', backup.file, '--data-dir', folder])
    expect(stdout).toMatch(/^Restored the institute as it was at .*Z\.\n$/)
    expect(code).toBe(0)
    expect(contentOf(folder)).toEqual(contentOf(stopped))
    const { stdout: report } = await institute(['doctor', '--data-dir', folder])
    expect(report).toMatch(/^ok +database +whole$/m)
    expect(report).toMatch(/^ok +keys /m)
  })

  test('is refused while a process is working there', async () => {
    const release = await lockDataDir(target)
    const { code, stdout, stderr } = await institute(['restore', backup.file, '--data-dir', target])
    release()
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Another institute process is working on .*\. Stop it first\.\n$/)
  })

  test('of a backup without its key needs INSTITUTE_MASTER_KEY, and the right one', async () => {
    const masterKey = Buffer.alloc(32, 1)
    const kept = await startApp({ config: { masterKey } })
    const made = await makeBackup(kept.app.config, systemClock)
    expect(made.keyIsApart).toBe(true)
    const before = contentOf(target)
    await expect(restoreInto(target, made.file)).rejects.toThrow('does not hold its master key')
    await expect(restoreInto(target, made.file, { masterKey: Buffer.alloc(32, 2) })).rejects.toThrow(CannotOpen)
    expect(contentOf(target)).toEqual(before)
    await restoreInto(target, made.file, { masterKey })
    await kept.close()
  })

  test('of a backup from a newer version is refused', async () => {
    const newer = makeFolder()
    execFileSync('cp', ['-a', `${stopped}/.`, newer])
    const database = openSqlite(path.join(newer, 'institute.db'))
    database.sqlite?.exec(`insert into schema_migration (name, timestamp) values ('9999_future', '2099-01-01')`)
    await database.close()
    const { file } = await makeBackup(configOf(newer), systemClock)
    const before = contentOf(target)
    await expect(restoreInto(target, file)).rejects.toThrow(NewerDatabase)
    expect(contentOf(target)).toEqual(before)
  })

  test('reports a missing file', async () => {
    const { code, stderr } = await institute(['restore', '/no/such.tar.gz', '--data-dir', target])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'There is no /no/such.tar.gz.\n' })
  })
})

describe('a restore that is killed', () => {
  /** The name of the only student, to tell old from new; also checks that nothing is half restored. */
  const settled = async (): Promise<string> => {
    await lockAndRelease(target)
    expect(readdirSync(target).filter((name) => name.startsWith('.restore'))).toEqual([])
    expect(problemsOfCopy(path.join(target, 'institute.db'))).toEqual([])
    const marks = [
      readFileSync(path.join(target, 'mark'), 'utf8'),
      (await stateOf(target)).students.length === 1 ? 'new' : 'old',
    ]
    expect(marks[0]).toBe(marks[1])
    return marks[0] as string
  }

  test('at any moment leaves the old state or the new one, never a mix', { timeout: 120_000 }, async () => {
    const source = makeFolder()
    execFileSync('cp', ['-a', `${stopped}/.`, source])
    writeFileSync(path.join(source, 'mark'), 'new')
    const { file } = await makeBackup(configOf(source), systemClock)
    writeFileSync(path.join(target, 'mark'), 'old')
    execFileSync('sh', ['-c', `rm -f "$1"/institute.db*`, '-', target])
    const empty = openSqlite(path.join(target, 'institute.db'))
    await migrate(empty, migrations)
    await empty.close()
    const pristine = makeFolder()
    execFileSync('cp', ['-a', `${target}/.`, pristine])

    const began = performance.now()
    await institute(['restore', file, '--data-dir', target])
    const wholeMillis = performance.now() - began
    expect(await settled()).toBe('new')

    const rounds = volume(6, 12)
    for (let round = 0; round < rounds; round += 1) {
      execFileSync('sh', ['-c', 'find "$2" -mindepth 1 -delete; cp -a "$1/." "$2"', '-', pristine, target])
      const child = spawnInstitute(['restore', file, '--data-dir', target])
      const closed = new Promise((resolve) => child.once('close', resolve))
      await pause(wholeMillis * (0.4 + (0.6 * round) / rounds))
      child.kill('SIGKILL')
      await closed
      expect(['old', 'new']).toContain(await settled())
    }
  })

  test.each([
    ['before it was decided', [], 'old'],
    ['while the old moved out', ['moving-out'], 'new'],
  ])('%s: the next start finishes it', async (_, decided, state) => {
    writeFileSync(path.join(target, 'mark'), 'old')
    const work = path.join(target, '.restore')
    mkdirSync(path.join(work, 'new'), { recursive: true })
    for (const name of ['institute.db', 'master-key'])
      copyFileSync(path.join(stopped, name), path.join(work, 'new', name))
    writeFileSync(path.join(work, 'new/mark'), 'new')
    for (const name of decided) writeFileSync(path.join(work, name), 'before-restore-x')
    await lockAndRelease(target)
    expect(readFileSync(path.join(target, 'mark'), 'utf8')).toBe(state)
    expect(existsSync(work)).toBe(false)
  })

  test('half-way in: the next start finishes it, and a backup waits for that', async () => {
    const work = path.join(target, '.restore')
    mkdirSync(path.join(work, 'new'), { recursive: true })
    writeFileSync(path.join(work, 'moving-in'), 'before-restore-x')
    writeFileSync(path.join(work, 'new/mark'), 'new')
    await expect(makeBackup(configOf(target), systemClock)).rejects.toThrow('A restore is under way here')
    await lockAndRelease(target)
    expect(readFileSync(path.join(target, 'mark'), 'utf8')).toBe('new')
  })
})
