import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DataDirInUse, isInUse, lockDataDir } from '#app/data-dir/data-lock.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { volume } from '#kit/volume.ts'
import { setupTokenIn } from '#kit/setup.ts'
import { copyOf } from './backup-kit.ts'
import { command } from './command.ts'
import { contentOf, makeFolder } from './folder.ts'
import { institute, spawnInstitute, startProgram } from './institute.ts'

// Each test starts several programs.
vi.setConfig({ testTimeout: 60_000 })

const SERVE = ['serve', '--port', '0']
const IN_USE = /^Another institute process is working on [^\n]*\. Stop it first\.\n$/
const MASTER_KEY = Buffer.alloc(32, 5).toString('base64url')

/** Begins `dataDir`: the program starts once and is stopped. */
const begin = async (dataDir: string, env?: Record<string, string>): Promise<void> => {
  const server = await startProgram(dataDir, env)
  expect(await server.stop()).toBe(0)
}

let original: string | undefined
/** A data directory in which the program has started once and was stopped. */
const begun = async (): Promise<string> => {
  if (original === undefined) {
    const dataDir = makeFolder()
    await begin(dataDir)
    original = dataDir
  }
  return copyOf(original)
}

const loseDatabase = (dataDir: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(path.join(dataDir, `institute.db${end}`), { force: true })
}

describe('the lock on a data directory', () => {
  test.each<[what: string, (file: string) => void]>([
    ['is there', () => {}],
    ['was removed', (file) => rmSync(file)],
    [
      'was replaced',
      (file) => {
        renameSync(file, `${file}-former`)
        writeFileSync(file, '')
      },
    ],
  ])('keeps a second process out while its file %s, and ends with its process', async (_, change) => {
    const dataDir = makeFolder()
    const first = await startProgram(dataDir)
    change(path.join(dataDir, '.lock'))
    expect(await institute([...SERVE, '--data-dir', dataDir])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(IN_USE),
    })
    expect(await isInUse(dataDir)).toBe(true)
    expect(await first.stop('SIGKILL')).toBe(null)
    expect(await isInUse(dataDir)).toBe(false)
    await startProgram(dataDir)
  })

  test('locks the folder itself, whatever path names it, and no other folder', async () => {
    const folder = makeFolder()
    const other = makeFolder()
    const release = await lockDataDir(folder)
    rmSync(path.join(folder, '.lock'))
    await expect(lockDataDir(path.join(folder, '..', path.basename(folder)))).rejects.toThrow(DataDirInUse)
    ;(await lockDataDir(other))()
    release()
    ;(await lockDataDir(folder))()
  })
})

describe('an institute that lost its database', () => {
  const REFUSED = (dataDir: string, how: string, left: string) => ({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(
        `^There was an institute in ${dataDir}, but [^\\n]*${how}[^\\n]*, or move ${left} away to begin anew\\.\\n$`,
      ),
    ),
  })

  test.each<[what: string, lose: (dataDir: string) => void]>([
    ['missing', loseDatabase],
    [
      'empty',
      (dataDir) => {
        loseDatabase(dataDir)
        writeFileSync(path.join(dataDir, 'institute.db'), '')
      },
    ],
  ])('(%s) does not start with a new database beside its key', async (_, lose) => {
    const dataDir = await begun()
    lose(dataDir)
    // Like an institute of the previous version.
    rmSync(path.join(dataDir, '.begun'))
    const before = contentOf(dataDir)
    for (const args of [SERVE, ['migrate']]) {
      const ended = await institute([...args, '--data-dir', dataDir])
      expect(ended).toEqual(REFUSED(dataDir, 'institute restore FILE', 'master-key'))
      expect(contentOf(dataDir)).toEqual(before)
    }
    renameSync(path.join(dataDir, 'master-key'), path.join(dataDir, 'former-key'))
    await startProgram(dataDir)
    expect(setupTokenIn(dataDir)).toMatch(/\S/)
  })

  test('does not start with a new database where the key is a setting', async () => {
    const env = { INSTITUTE_MASTER_KEY: MASTER_KEY }
    const dataDir = makeFolder()
    await begin(dataDir, env)
    loseDatabase(dataDir)
    const ended = await institute([...SERVE, '--data-dir', dataDir], env)
    expect(ended).toEqual(REFUSED(dataDir, 'institute restore FILE', '.begun'))
    expect(existsSync(path.join(dataDir, 'institute.db'))).toBe(false)
  })

  test('does not start with an empty Postgres, nor with SQLite when its Postgres is no longer configured', async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const [one, other] = [await createDatabase(postgres.adminUrl), await createDatabase(postgres.adminUrl)]
    const dataDir = makeFolder()
    await begin(dataDir, { INSTITUTE_DATABASE_URL: one.url })
    const inOther = await institute([...SERVE, '--data-dir', dataDir], { INSTITUTE_DATABASE_URL: other.url })
    expect(inOther).toEqual(REFUSED(dataDir, 'pg_restore', 'master-key and .begun'))
    const inSqlite = await institute([...SERVE, '--data-dir', dataDir])
    expect(inSqlite).toEqual(REFUSED(dataDir, 'institute restore FILE', 'master-key and .begun'))
    await startProgram(dataDir, { INSTITUTE_DATABASE_URL: one.url })
  })

  test('can be restored from a backup, and starts', async () => {
    const dataDir = await begun()
    const { stdout } = await institute(['backup', '--data-dir', dataDir])
    loseDatabase(dataDir)
    expect(await institute(['restore', stdout.trim(), '--data-dir', dataDir])).toMatchObject({ code: 0 })
    await startProgram(dataDir)
  })
})

test('a key that is missing beside its database is reported, not made again', async () => {
  const dataDir = await begun()
  const file = path.join(dataDir, 'master-key')
  renameSync(file, path.join(dataDir, 'former-key'))
  const { code, stderr } = await institute([...SERVE, '--data-dir', dataDir], { INSTITUTE_LOG_LEVEL: 'error' })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^[^\n]*master-key is missing: [^\n]*\n$/),
  })
  expect(existsSync(file)).toBe(false)
})

test('a folder that only migrate has seen holds no institute that could be lost', async () => {
  const dataDir = makeFolder()
  const migrate = () => institute(['migrate', '--data-dir', dataDir])
  expect((await migrate()).code).toBe(0)
  loseDatabase(dataDir)
  expect(await migrate()).toMatchObject({ code: 0, stderr: '' })
  // A command that keeps something begins one.
  const admin = ['platform-admin', 'add', '--email', 'a@example.org', '--password-stdin', '--data-dir', dataDir]
  expect((await institute(admin, { INSTITUTE_MASTER_KEY: MASTER_KEY }, 'olive tree by the gate')).code).toBe(0)
  loseDatabase(dataDir)
  expect(await migrate()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There was an institute in .*, or move \.begun away to begin anew\.\n$/),
  })
})

describe('a first start that is killed', () => {
  /**
   * A script that runs before the program and kills it when a file of that name was opened for writing and is still
   * empty.
   */
  const killedWriting = (name: string): string =>
    `data:text/javascript,${encodeURIComponent(`
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const { writeFileSync } = fs
      fs.writeFileSync = (file, ...rest) => {
        if (!String(file).includes('${name}')) return writeFileSync(file, ...rest)
        writeFileSync(file, '')
        process.kill(process.pid, 'SIGKILL')
      }
      syncBuiltinESMExports()`)}`

  test.each(['.begun', 'master-key', 'setup-token'])('while it writes %s starts again', async (name) => {
    const dataDir = makeFolder()
    const { code } = await institute([...SERVE, '--data-dir', dataDir], {
      NODE_OPTIONS: `--import=${killedWriting(name)}`,
    })
    expect(code).toBe(null)
    await startProgram(dataDir)
    expect(setupTokenIn(dataDir)).toMatch(/\S/)
    expect(readFileSync(path.join(dataDir, 'master-key'), 'utf8')).toMatch(/^[\w-]{43}\n$/)
  })

  test('at any moment starts again', { timeout: 120_000 }, async () => {
    const began = performance.now()
    await (await startProgram(makeFolder())).stop()
    const wholeMillis = performance.now() - began
    const rounds = volume(4, 8)
    for (let round = 0; round < rounds; round += 1) {
      const dataDir = makeFolder()
      const child = spawnInstitute([...SERVE, '--data-dir', dataDir])
      const closed = once(child, 'close')
      await pause(wholeMillis * (0.4 + (0.6 * round) / rounds))
      child.kill('SIGKILL')
      await closed
      const again = await startProgram(dataDir)
      expect(setupTokenIn(dataDir)).toMatch(/\S/)
      await again.stop('SIGKILL')
    }
  })
})

describe('a command on a path without an institute', () => {
  const COMMANDS = ['doctor', 'backup', 'setup-token', 'user list', 'user disable --email a@example.org']

  test.each(COMMANDS)('says so in one line, and creates and changes nothing: %s', async (line) => {
    const folder = makeFolder()
    mkdirSync(path.join(folder, 'home'))
    chmodSync(path.join(folder, 'home'), 0o755)
    writeFileSync(path.join(folder, 'home', 'letter.txt'), 'not ours')
    for (const dataDir of [path.join(folder, 'home'), path.join(folder, 'none')]) {
      expect(await command([...line.split(' '), '--data-dir', dataDir])).toEqual({
        code: 1,
        stdout: '',
        stderr: `There is no institute in ${dataDir}.\n`,
      })
    }
    expect(contentOf(folder)).toEqual({ 'home/letter.txt': Buffer.from('not ours').toString('base64') })
    expect(existsSync(path.join(folder, 'none'))).toBe(false)
    expect(statSync(path.join(folder, 'home')).mode & 0o777).toBe(0o755)
  })

  test('migrate keeps the mode of somebody’s folder; a new folder is closed to others', async () => {
    const folder = makeFolder()
    mkdirSync(path.join(folder, 'home'))
    chmodSync(path.join(folder, 'home'), 0o755)
    for (const name of ['home', 'none']) {
      expect((await institute(['migrate', '--data-dir', path.join(folder, name)])).code).toBe(0)
    }
    expect(statSync(path.join(folder, 'home')).mode & 0o777).toBe(0o755)
    expect(statSync(path.join(folder, 'home/institute.db')).mode & 0o077).toBe(0)
    expect(statSync(path.join(folder, 'none')).mode & 0o777).toBe(0o700)
  })
})
