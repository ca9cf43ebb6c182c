import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seal } from '#app/updates/envelope.ts'
import { stagedIn } from '#app/updates/places.ts'
import type { Manifest } from '#app/updates/manifest.ts'
import { manifestOf, newSigner, releaseOf } from '#kit/updates.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { Distribution, isSame, PATH, type Installed } from './distribution.ts'
import { run, type Ended } from './program.ts'
import { inAWeek, outcomeIn, Releases, serves } from './releases.ts'

/**
 * What the service has laid is put in by `institute update apply`, as institute-update.service runs it: here under a root
 * folder, without systemd. The new versions are scripts with numbers of their own.
 */

const hasOpenssl = spawnSync('openssl', ['version'], { env: { PATH } }).status === 0

let made: Distribution
let releases: Releases
beforeAll(async () => {
  made = await Distribution.make()
  releases = new Releases(made.folder)
})
afterAll(() => made.remove())

let server: Installed
beforeEach(async () => {
  server = await made.installed()
  server.setUp()
  releases.isKnownTo(server)
})

const archiveThat: Releases['archiveThat'] = (...how) => releases.archiveThat(...how)
const stage = (archive: Buffer, how?: Parameters<Releases['stage']>[2]): void => releases.stage(server, archive, how)
const apply = (tools = ''): Promise<Ended> => releases.apply(server, tools)
const outcome = () => outcomeIn(server)

const DESTROYS = 'rm "$INSTITUTE_DATA_DIR"/institute.db*; exit 1'

describe.runIf(hasOpenssl)('what the service has laid', () => {
  test('is put in once it answers, and the wish is gone', async () => {
    stage(archiveThat(serves(server)))
    const { code, stderr } = await apply()
    expect(code, stderr).toBe(0)
    expect(outcome()).toMatchObject({ state: 'ok', version: '9.9.9', reason: null })
    expect(readFileSync(server.program, 'utf8')).toMatch(/^#!\/bin\/sh/)
    expect(isSame(`${server.program}.former`, EXECUTABLE)).toBe(true)
    expect(existsSync(stagedIn(server.data).wanted)).toBe(false)
    expect(existsSync(path.join(server.root, 'opt/institute/incoming'))).toBe(false)
  })

  test('goes back with the data when it does not answer', async () => {
    stage(archiveThat(DESTROYS))
    expect((await apply()).code).toBe(1)
    expect(outcome()).toMatchObject({ state: 'failed', version: '9.9.9', reason: 'went_back' })
    expect(isSame(server.program, EXECUTABLE)).toBe(true)
    expect(await server.isWhole()).toBe(true)
  })

  const staged = () => stagedIn(server.data)
  const wrong: [string, string, () => void][] = [
    ['signed by another key', 'bad_signature', () => stage(archiveThat(DESTROYS), { by: newSigner() })],
    ['an older version', 'not_newer', () => stage(archiveThat(DESTROYS, '0.0.1'), { version: '0.0.1' })],
    [
      'a version that the program itself does not say',
      'file_differs',
      () => stage(archiveThat(DESTROYS, '0.0.1'), { version: '9.9.9' }),
    ],
    [
      'a list that has passed its end',
      'manifest_expired',
      () =>
        stage(archiveThat(DESTROYS), { more: { expiresAt: '2026-01-01T00:00:00Z', issuedAt: '2025-12-01T00:00:00Z' } }),
    ],
    [
      'a file that was changed',
      'file_differs',
      () => {
        stage(archiveThat(DESTROYS))
        const bytes = readFileSync(staged().release)
        bytes[100] = (bytes[100] ?? 0) ^ 1
        writeFileSync(staged().release, bytes)
      },
    ],
    [
      'half a file',
      'file_incomplete',
      () => {
        stage(archiveThat(DESTROYS))
        writeFileSync(staged().release, readFileSync(staged().release).subarray(0, 1000))
      },
    ],
    [
      'more than the file',
      'file_differs',
      () => {
        stage(archiveThat(DESTROYS))
        appendFileSync(staged().release, 'more')
      },
    ],
    [
      'a link in place of the file',
      'no_file',
      () => {
        stage(archiveThat(DESTROYS))
        renameSync(staged().release, `${staged().release}.elsewhere`)
        symlinkSync(`${staged().release}.elsewhere`, staged().release)
      },
    ],
    [
      'nothing but the wish',
      'no_file',
      () => {
        mkdirSync(staged().folder, { recursive: true })
        writeFileSync(staged().wanted, '')
      },
    ],
    [
      'a server without the vendor’s keys',
      'no_keys',
      () => {
        stage(archiveThat(DESTROYS))
        rmSync(path.join(server.root, 'opt/institute/update-keys.json'))
      },
    ],
  ]
  test('is refused by name before anything changes, whatever is wrong with it', async () => {
    for (const [what, reason, lay] of wrong) {
      rmSync(staged().folder, { recursive: true, force: true })
      lay()
      expect((await apply()).code, what).toBe(1)
      expect(outcome(), what).toMatchObject({ state: 'failed', reason })
      expect(existsSync(staged().wanted), what).toBe(false)
      expect(isSame(server.program, EXECUTABLE), what).toBe(true)
    }
    expect(readdirSync(path.join(server.root, 'opt/institute')).toSorted()).not.toContain('trial')
    expect(await server.isWhole()).toBe(true)
  })

  test('is one whole version with its own data after a power cut at any step', async () => {
    const copies = mkdtempSync(path.join(made.folder, 'copies-'))
    stage(archiveThat(DESTROYS))
    expect((await apply(`${server.copyingTools(copies)}:`)).code).toBe(1)
    const states = readdirSync(copies).map((name) => path.join(copies, name))
    expect(states.length).toBeGreaterThan(10)
    for (const state of states) {
      expect(await made.runUnder(state, 'settle'), state).toMatchObject({ code: 0 })
      expect(isSame(path.join(state, 'opt/institute/institute'), EXECUTABLE), state).toBe(true)
      expect(existsSync(path.join(state, 'opt/institute/trial')), state).toBe(false)
      expect(existsSync(path.join(state, 'var/lib/institute/institute.db')), state).toBe(true)
      const said = path.join(state, 'opt/institute/update-result.json')
      // Seen after the next start of the system, the service takes it for broken off by a power cut.
      if (existsSync(said)) expect(JSON.parse(readFileSync(said, 'utf8')), state).toMatchObject({ state: 'applying' })
    }
  })
})

describe.runIf(hasOpenssl)('a stick', () => {
  const stick = (archive: Buffer, more: Partial<Manifest> = {}): string => {
    const folder = mkdtempSync(path.join(made.folder, 'stick-'))
    mkdirSync(path.join(folder, 'stable'))
    mkdirSync(path.join(folder, 'files'))
    const offered = releaseOf('9.9.9', archive)
    writeFileSync(path.join(folder, Object.values(offered.files)[0]?.url as string), archive)
    const manifest = manifestOf([offered], { ...inAWeek(), ...more })
    writeFileSync(
      path.join(folder, 'stable/manifest.json'),
      JSON.stringify(seal('manifest', manifest, [releases.release])),
    )
    return folder
  }
  const update = (given: string): Promise<Ended> =>
    run([server.program, 'update', given], { cwd: made.folder, env: { PATH, INSTITUTE_DATA_DIR: server.data } })

  test('brings a new version, as a folder or a tar file of it, also when its list has passed its end', async () => {
    const folder = stick(archiveThat(serves(server)), {
      expiresAt: '2026-01-01T00:00:00Z',
      issuedAt: '2025-12-01T00:00:00Z',
    })
    const file = path.join(made.folder, 'stick.tar')
    execFileSync('tar', ['-cf', file, '-C', folder, '.'])
    const { code, stderr } = await update(file)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('has passed its end')
    expect(outcome()).toMatchObject({ state: 'ok', version: '9.9.9' })
  })

  test('that was pulled out amid, or is none of the vendor’s, changes nothing', async () => {
    const folder = stick(archiveThat(serves(server)))
    const files = path.join(folder, 'files')
    const [name = ''] = readdirSync(files)
    writeFileSync(path.join(files, name), readFileSync(path.join(files, name)).subarray(0, 500))
    expect(await update(folder)).toMatchObject({ code: 1, stderr: expect.stringContaining('file_incomplete') })
    rmSync(files, { recursive: true })
    expect(await update(folder)).toMatchObject({ code: 1, stderr: expect.stringContaining('no_file') })
    expect(await update(path.join(made.folder, 'none'))).toMatchObject({ code: 2 })
    expect(isSame(server.program, EXECUTABLE)).toBe(true)
  })
})
