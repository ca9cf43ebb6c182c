import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '#app/backup/command.ts'
import { examine } from '#app/operator/doctor.ts'
import { restoreInto } from './backup-kit.ts'
import { makeFolder } from './folder.ts'
import { DAY, startNightly, type Nightly } from './nightly-kit.ts'

const isRoot = process.getuid?.() === 0
const MEMORY = '/dev/shm'

// Backups run at the lowest priority, so they take long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let open: Nightly | undefined
// The data directory is on the disk, so that the memory is another one.
beforeEach(() => void vi.stubEnv('TEST_DATABASES', tmpdir()))
afterEach(() => void vi.unstubAllEnvs())
afterEach(async () => {
  await open?.app.close()
  open = undefined
})

/** An institute in the morning after a night for which no backup was made yet. */
const afterNight = async (...args: Parameters<typeof startNightly>): Promise<Nightly> => {
  open = await startNightly(...args)
  open.app.clock.advance(DAY)
  return open
}

const doctor = async ({ app }: Nightly) =>
  (await examine(app.app.config, app.clock)).find(({ about }) => about === 'backups')

const newestOf = ({ nightly, backups }: Nightly): string => path.join(backups, nightly().at(-1) ?? 'none')

describe('a folder elsewhere', () => {
  /** A folder that is on another disk than the data directory. */
  const elsewhere = (): string => {
    const folder = mkdtempSync(path.join(MEMORY, 'institute-share-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }
  const isOtherDisk = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(makeFolder()).dev

  test(
    'gets a copy of each that can be restored, readable by its owner alone, and keeps as many',
    { timeout: 120_000 },
    async ({ skip }) => {
      skip(!isOtherDisk, 'needs a second disk')
      const folder = elsewhere()
      const foreign = 'nightly-2025-01-01T00-00-00-000Z.tar.gz'
      writeFileSync(path.join(folder, foreign), 'another institute’s')
      const nights = await afterNight({ to: { folder }, keep: 2 })
      for (let night = 0; night < 3; night += 1) {
        await nights.tick()
        const name = path.basename(newestOf(nights))
        expect(readFileSync(path.join(folder, name))).toEqual(readFileSync(newestOf(nights)))
        expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
        nights.app.clock.advance(DAY)
      }
      expect(readdirSync(folder).toSorted()).toEqual([foreign, ...nights.nightly()])
      nights.app.clock.advance(-DAY)
      expect(nights.state()).toMatchObject({ offServer: 'ok', problem: undefined })
      expect(await doctor(nights)).toMatchObject({ state: 'ok', text: expect.stringContaining('taken off the server') })
      await restoreInto(makeFolder(), path.join(folder, nights.nightly().at(-1) ?? ''))
    },
  )

  test('that is on the disk of the data directory is no copy elsewhere', async () => {
    const folder = makeFolder()
    const nights = await afterNight({ to: { folder } })
    await nights.tick()
    expect(readdirSync(folder)).toEqual([])
    expect(await doctor(nights)).toMatchObject({
      state: 'warning',
      text: `the newest was not taken off the server: ${folder} (INSTITUTE_BACKUP_TO) is on the same disk as the data directory, and no copy elsewhere: is the share mounted?`,
    })
  })

  test('that is missing is told; the backup stays, and leaves when the folder is back', async ({ skip }) => {
    skip(!isOtherDisk, 'needs a second disk')
    const folder = path.join(elsewhere(), 'share')
    const nights = await afterNight({ to: { folder } })
    await nights.tick()
    expect(nights.nightly()).toHaveLength(1)
    expect(nights.state()).toMatchObject({ offServer: 'failed' })
    expect(await doctor(nights)).toMatchObject({
      state: 'warning',
      text: `the newest was not taken off the server: there is no folder ${folder} (INSTITUTE_BACKUP_TO): is the share mounted?`,
    })
    expect(nights.complaints).toMatchObject([{ msg: 'the nightly backup was not taken off the server', try: 1 }])
    mkdirSync(folder)
    await nights.tick()
    expect(readdirSync(folder)).toEqual([])
    nights.app.clock.advance(600)
    await nights.tick()
    expect(readdirSync(folder)).toEqual(nights.nightly())
    expect(nights.nightly()).toHaveLength(1)
    expect(nights.state()).toMatchObject({ offServer: 'ok', problem: undefined })
  })

  test('that is full is told, and holds no part of a backup', async ({ skip }) => {
    skip(!isRoot, 'only root can mount a small disk')
    const small = makeFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small])
    onTestFinished(() => void execFileSync('umount', [small]))
    const nights = await afterNight({ to: { folder: small } })
    await nights.tick()
    expect(readdirSync(small)).toEqual([])
    expect(nights.nightly()).toHaveLength(1)
    expect(nights.state().problem?.text).toBe(
      `the newest was not taken off the server: ${small} (INSTITUTE_BACKUP_TO) is full`,
    )
  })
})

const script = (lines: string): string => {
  const file = path.join(makeFolder(), 'take-off')
  writeFileSync(file, `#!/bin/sh\n${lines}\n`)
  chmodSync(file, 0o755)
  return file
}

describe('a command', () => {
  test('is run once after each, with its path and none of the program’s settings', async () => {
    const seen = path.join(makeFolder(), 'seen')
    vi.stubEnv('INSTITUTE_MASTER_KEY', 'a secret')
    const nights = await afterNight({
      command: script(`echo "$# $1" >> ${seen}; env | grep INSTITUTE >> ${seen}; true`),
    })
    await nights.tick()
    await nights.tick()
    const first = newestOf(nights)
    nights.app.clock.advance(DAY)
    await nights.tick()
    expect(readFileSync(seen, 'utf8')).toBe(`1 ${first}\n1 ${newestOf(nights)}\n`)
    expect(nights.state()).toMatchObject({ offServer: 'ok' })
  })

  test('that fails is told with its last words and run again; the backup stays', async () => {
    const file = script('echo the far server is away >&2; exit 3')
    const nights = await afterNight({ command: file })
    await nights.tick()
    expect(nights.nightly()).toHaveLength(1)
    expect(await doctor(nights)).toMatchObject({
      state: 'warning',
      text: `the newest was not taken off the server: ${file} (INSTITUTE_BACKUP_COMMAND) exited 3: the far server is away`,
    })
    writeFileSync(file, '#!/bin/sh\n')
    nights.app.clock.advance(600)
    await nights.tick()
    expect(await doctor(nights)).toMatchObject({ state: 'ok' })
  })

  test.each([
    ['is missing', '/no/such/program', 'there is no /no/such/program (INSTITUTE_BACKUP_COMMAND), or not what runs it'],
    ['may not be executed', '/etc/passwd', '/etc/passwd (INSTITUTE_BACKUP_COMMAND) may not be executed'],
  ])('that %s is told', async (_, command, message) => {
    await expect(runCommand(command, '/tmp/x', new AbortController().signal)).rejects.toThrow(message)
  })

  test('that takes too long is ended with all that it has started', async () => {
    const folder = makeFolder()
    const file = script(`sleep 600 & echo $! > ${folder}/pid; wait`)
    await expect(runCommand(file, path.join(folder, 'x'), AbortSignal.timeout(1000))).rejects.toThrow(
      `${file} (INSTITUTE_BACKUP_COMMAND) took too long and was ended`,
    )
    const pid = Number(readFileSync(path.join(folder, 'pid'), 'utf8'))
    await expect.poll(() => existsSync(`/proc/${pid}/cwd`)).toBe(false)
  })
})
