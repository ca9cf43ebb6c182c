import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { verify } from '#app/backup/archive.ts'
import { makeBackup } from '#app/backup/make.ts'
import { backupState } from '#app/backup/state.ts'
import { examine } from '#app/operator/doctor.ts'
import { openSqlite } from '#db/database.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { OWNER } from '#kit/setup.ts'
import { restoreInto } from './backup-kit.ts'
import { contentOf, makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'
import { DAY, startNightly, type Nightly } from './nightly-kit.ts'

// Backups run at the lowest priority, so they take long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let open: Nightly | undefined
const start = async (...args: Parameters<typeof startNightly>): Promise<Nightly> => {
  open = await startNightly(...args)
  return open
}
afterEach(async () => {
  await open?.app.close()
  open = undefined
})

/** To three in the morning of the next day, or of one after it. */
const sleep = ({ app }: Nightly, nights = 1): void => {
  const night = new Date(app.clock.millis() + nights * DAY * 1000)
  app.clock.set(`${night.toISOString().slice(0, 10)}T01:00:00.000Z`)
}

const doctor = async ({ app }: Nightly) =>
  (await examine(app.app.config, app.clock)).find(({ about }) => about === 'backups')

describe('a nightly backup', () => {
  test('is made once a night, however often it is looked and the program starts, and can be restored', async () => {
    const nights = await start()
    await nights.tick()
    expect(nights.there()).toEqual([])
    sleep(nights)
    await nights.tick()
    await nights.tick()
    expect(nights.nightly()).toEqual(['nightly-2026-03-03T01-00-00-000Z.tar.gz'])
    expect(nights.there()).toEqual(['.nightly.json', 'nightly-2026-03-03T01-00-00-000Z.tar.gz'])
    const [first = ''] = nights.nightly()
    expect(statSync(path.join(nights.backups, first)).mode & 0o777).toBe(0o600)
    sleep(nights)
    await nights.tick()
    expect(nights.nightly()).toHaveLength(2)

    const folder = makeFolder()
    const { manifest, missing } = await restoreInto(folder, path.join(nights.backups, first))
    expect({ createdAt: manifest.createdAt, missing }).toEqual({ createdAt: '2026-03-03T01:00:00.000Z', missing: [] })
    expect(Object.keys(contentOf(folder))).toEqual(['institute.db', 'master-key'])
    const database = openSqlite(path.join(folder, 'institute.db'))
    expect(await database.read.selectFrom('user').select('email').execute()).toEqual([{ email: OWNER.email }])
    await database.close()
    expect(nights.complaints).toEqual([])
  })

  test('is made up, once, when the server was off for nights', async () => {
    const nights = await start()
    sleep(nights, 5)
    nights.app.clock.advance(8 * 3600)
    await nights.tick()
    await nights.tick()
    expect(nights.nightly()).toEqual(['nightly-2026-03-07T09-00-00-000Z.tar.gz'])
    sleep(nights)
    await nights.tick()
    expect(nights.nightly()).toHaveLength(2)
  })

  test('is not made before an institute is set up, without keeping any, in cloud mode', async () => {
    const none = await start({ keep: 0 })
    sleep(none)
    await none.tick()
    expect(none.there()).toEqual([])
    await none.app.close()
    const cloud = await start({}, { config: { mode: 'cloud' } }).catch((error: unknown) => error)
    expect(cloud).toEqual(new Error('not set up: 404'))
  })

  test(
    'goes when there are enough newer ones; what people made, and what was kept before a change, stays',
    { timeout: 120_000 },
    async () => {
      const nights = await start({ keep: 2 })
      const kept = [
        'before-upgrade-2025-01-01T00-00-00-000Z.tar.gz',
        'institute-2025-01-01T00-00-00-000Z.tar.gz',
        'nightly-of-the-exams.tar.gz',
        'school.tar.gz',
      ]
      mkdirSync(path.join(nights.backups, 'before-restore-2025-01-01T00-00-00-000Z'), { recursive: true })
      for (const name of kept) writeFileSync(path.join(nights.backups, name), 'somebody’s')
      for (let night = 0; night < 4; night += 1) {
        sleep(nights)
        await nights.tick()
      }
      expect(nights.there()).toEqual([
        '.nightly.json',
        'before-restore-2025-01-01T00-00-00-000Z',
        'before-upgrade-2025-01-01T00-00-00-000Z.tar.gz',
        'institute-2025-01-01T00-00-00-000Z.tar.gz',
        'nightly-2026-03-05T01-00-00-000Z.tar.gz',
        'nightly-2026-03-06T01-00-00-000Z.tar.gz',
        'nightly-of-the-exams.tar.gz',
        'school.tar.gz',
      ])
    },
  )

  test('stays when it is the only good one and a clock that ran ahead has dated another', async () => {
    const nights = await start({ keep: 1 })
    mkdirSync(nights.backups)
    const ahead = 'nightly-2099-01-01T00-00-00-000Z.tar.gz'
    writeFileSync(path.join(nights.backups, ahead), 'of the future')
    sleep(nights)
    await nights.tick()
    expect(nights.nightly()).toEqual(['nightly-2026-03-03T01-00-00-000Z.tar.gz'])
    expect(nights.state()).toMatchObject({ lastGoodAt: '2026-03-03T01:00:00.000Z', problem: undefined })
  })

  test('that fails leaves nothing, harms nobody, is told, and is tried again later', async () => {
    const nights = await start()
    const key = path.join(nights.app.dataDir, 'master-key')
    sleep(nights)
    renameSync(key, `${nights.app.dataDir}.key`)
    await nights.tick()
    await nights.tick()
    expect(nights.there()).toEqual(['.nightly.json'])
    expect(nights.complaints).toMatchObject([{ msg: 'the nightly backup failed', try: 1 }])
    expect(nights.state().problem?.text).toMatch(
      /the last try failed, at 2026-03-03T01:00:00\.000Z: .*master-key is miss/,
    )
    expect((await nights.app.get('/health/ready')).status).toBe(200)
    renameSync(`${nights.app.dataDir}.key`, key)
    nights.app.clock.advance(599)
    await nights.tick()
    expect(nights.nightly()).toEqual([])
    nights.app.clock.advance(1)
    await nights.tick()
    expect(nights.nightly()).toHaveLength(1)
    expect(nights.state().problem).toBeUndefined()
  })

  test('answers go on while it is made', async () => {
    const nights = await start()
    sleep(nights)
    let answers = 0
    const ticking = nights.tick()
    while (nights.nightly().length === 0) {
      expect((await nights.app.get('/health/live')).status).toBe(200)
      answers += 1
    }
    await ticking
    expect(nights.nightly()).toHaveLength(1)
    expect(answers).toBeGreaterThan(10)
  })

  test('that the end of the program interrupts is no failure, and begun again at the next start', async () => {
    const nights = await start()
    sleep(nights)
    const ticking = nights.tick()
    const isUnderWay = () =>
      nights.there().some((name) => name.startsWith('.making-') && existsSync(path.join(nights.backups, name, 'held')))
    while (!isUnderWay()) await pause(1)
    await Promise.all([nights.app.app.queue.stop(10_000), ticking])
    expect(nights.there()).toEqual(['.nightly.json'])
    expect(JSON.parse(readFileSync(path.join(nights.backups, '.nightly.json'), 'utf8'))).toMatchObject({ tries: null })
    expect(nights.complaints).toEqual([])
  })
})

describe('where the disk is full', () => {
  const isRoot = process.getuid?.() === 0

  /** What is made meanwhile lies on a disk of that size. */
  const onSmallDisk = (megabytes: number): void => {
    const small = makeFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', small])
    vi.stubEnv('TEST_DATABASES', small)
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await open?.app.close()
      open = undefined
      execFileSync('umount', [small])
    })
  }

  test('none is made that would take the last of it; the program goes on', async ({ skip }) => {
    skip(!isRoot, 'only root can mount a small disk')
    onSmallDisk(64)
    const nights = await start()
    sleep(nights)
    await nights.tick()
    expect(nights.there()).toEqual(['.nightly.json'])
    expect(nights.state().problem?.text).toMatch(
      /: There is no room for a backup: it takes up to \d+ MB, and 256 MB must stay free, but \d+ MB are free\. Make room, or keep fewer nightly backups \(INSTITUTE_BACKUP_KEEP\)$/,
    )
    expect((await nights.app.get('/health/ready')).status).toBe(200)
  })

  test('to its last byte, none leaves a part of itself', async ({ skip }) => {
    skip(!isRoot, 'only root can mount a small disk')
    onSmallDisk(64)
    const nights = await start()
    const { backups, there } = nights
    mkdirSync(backups)
    const makeOne = () => makeBackup(nights.app.app.config, nights.app.clock, { kind: 'before-upgrade' })
    const filling = path.join(nights.app.dataDir, 'filling')
    // Of every size that is left, from nothing to enough.
    for (const left of [0, 1, 2, 3]) {
      const { bavail, bsize } = statfsSync(nights.app.dataDir)
      writeFileSync(filling, Buffer.alloc(bavail * bsize - left * 1024 * 1024))
      await expect(makeOne()).rejects.toThrow()
      expect(there()).toEqual([])
      rmSync(filling)
    }
    await makeOne()
    expect(there()).toHaveLength(1)
  })
})

describe('a program that is killed while it makes one', () => {
  /** Set up, with a night to make up and a good backup from before. */
  const prepared = async (): Promise<string> => {
    const nights = await start()
    sleep(nights)
    await nights.tick()
    const dataDir = makeFolder()
    execFileSync('cp', ['-a', `${nights.app.dataDir}/.`, dataDir])
    return dataDir
  }

  const making = (dataDir: string) =>
    readdirSync(path.join(dataDir, 'backups')).filter((name) => name.startsWith('.making-'))
  const made = (dataDir: string) =>
    readdirSync(path.join(dataDir, 'backups')).filter((name) => name.endsWith('.tar.gz'))

  const until = async (what: () => boolean): Promise<void> => {
    while (!what()) await pause(5)
  }

  test(
    'leaves the good ones as they were and none that is not whole; the next start makes it up',
    { timeout: 120_000 },
    async () => {
      const dataDir = await prepared()
      const [first = ''] = made(dataDir)
      const bytes = readFileSync(path.join(dataDir, 'backups', first))
      for (const afterMillis of [0, 15, 40]) {
        // As if every round were the first: one that was killed twice waits.
        rmSync(path.join(dataDir, 'backups/.nightly.json'), { force: true })
        const before = making(dataDir)
        const server = await startProgram(dataDir)
        await until(() => making(dataDir).some((name) => !before.includes(name)) || made(dataDir).length > 1)
        await pause(afterMillis)
        await server.powerOff()
        for (const name of made(dataDir)) await verify(openSync(path.join(dataDir, 'backups', name), 'r'))
        expect(readFileSync(path.join(dataDir, 'backups', first))).toEqual(bytes)
        // What was killed before it had its lock is given a minute.
        for (const name of making(dataDir)) {
          if (!existsSync(path.join(dataDir, 'backups', name, 'held')))
            rmSync(path.join(dataDir, 'backups', name), { recursive: true })
        }
      }
      await startProgram(dataDir)
      await until(() => made(dataDir).length > 1 && making(dataDir).length === 0)
      expect(made(dataDir)).toHaveLength(2)
      const [, second = ''] = made(dataDir).toSorted()
      await restoreInto(makeFolder(), path.join(dataDir, 'backups', second))
    },
  )

  test('alone, without the process that makes it, leaves nothing begun: that process ends too', async () => {
    const dataDir = await prepared()
    const server = await startProgram(dataDir)
    await until(() => making(dataDir).length > 0)
    await server.stop('SIGKILL')
    await expect.poll(() => making(dataDir), { timeout: 60_000 }).toEqual([])
    for (const name of made(dataDir)) await verify(openSync(path.join(dataDir, 'backups', name), 'r'))
  })
})

describe('what is said of the backups', () => {
  test('by doctor, the metric and the log: none yet, well, late, too late, gone', async () => {
    const nights = await start()
    const metric = async () =>
      Number(
        /^institute_last_backup_timestamp_seconds (\S+)$/m.exec(
          await (await fetch(`${nights.app.url}/metrics`)).text(),
        )?.[1],
      )
    expect(await doctor(nights)).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(
        /^none in .*: the first is made in the coming night, institute backup makes one now$/,
      ),
    })
    expect(await metric()).toBe(0)
    sleep(nights)
    await nights.tick()
    const at = nights.app.clock.now()
    expect(await doctor(nights)).toMatchObject({ state: 'ok', text: `the newest is of ${at}` })
    expect(await metric()).toBe(Date.parse(at) / 1000)
    const [name = ''] = nights.nightly()
    expect(nights.state()).toMatchObject({ nightly: true, lastGoodAt: at, file: path.join(nights.backups, name) })

    nights.app.clock.set(plusSeconds(at, 36 * 3600))
    expect(await doctor(nights)).toMatchObject({ state: 'ok' })
    nights.app.clock.set(plusSeconds(at, 36 * 3600 + 1))
    expect(await doctor(nights)).toMatchObject({ state: 'warning', text: expect.stringContaining(`is of ${at}`) })
    nights.app.clock.set(plusSeconds(at, 7 * DAY + 1))
    expect(await doctor(nights)).toMatchObject({ state: 'wrong', text: expect.stringContaining(`is of ${at}`) })

    nights.app.clock.set(plusSeconds(at, 60))
    rmSync(path.join(nights.backups, name))
    expect(await doctor(nights)).toMatchObject({ state: 'warning', text: expect.stringContaining(`${name} is gone`) })
    // It is made again rather than missed until the next night.
    await nights.tick()
    expect(await doctor(nights)).toMatchObject({ state: 'ok' })
  })

  test('where the database is in Postgres, nothing: it is backed up there', async () => {
    const nights = await start()
    const config = { ...nights.app.app.config, databaseUrl: 'postgres://x/y' }
    expect(backupState(config, nights.app.clock)).toMatchObject({
      nightly: false,
      lastGoodAt: null,
      problem: undefined,
    })
  })

  test('where nobody wants nightly ones: those by hand, of the last week', async () => {
    const nights = await start({ keep: 0 })
    expect(await doctor(nights)).toMatchObject({
      text: expect.stringMatching(/^none in .*: institute backup makes one now$/),
    })
    mkdirSync(nights.backups)
    writeFileSync(path.join(nights.backups, 'institute-2026-03-02T00-00-00-000Z.tar.gz'), '')
    expect(await doctor(nights)).toMatchObject({ state: 'ok', text: 'the newest is of 2026-03-02T00:00:00.000Z' })
    nights.app.clock.advance(7 * DAY)
    expect(await doctor(nights)).toMatchObject({ state: 'warning' })
  })
})
