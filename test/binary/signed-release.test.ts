import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '#kit/free-port.ts'
import { PUBLIC_KEY, readSigningKey, SIGNATURE, signFolder, SUMS } from '../../build/signing.ts'
import { makeFolder, run, type Ended } from './program.ts'

const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
const hasOpenssl = spawnSync('openssl', ['version'], { env: { PATH } }).status === 0

let folder: string
let port: number
let key: KeyObject
let root: string
let dist: string

beforeAll(async () => {
  port = await freePort()
  folder = makeFolder()
  const file = path.join(folder, 'key.pem')
  writeFileSync(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  })
  key = readSigningKey(file)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What stands for the program: it says its version, and answers that it is ready. */
const fakeProgram = (version: string): string => `#!/bin/sh
case $1 in
version) echo ${version} ;;
serve) exec ${process.execPath} -e "require('http').createServer((_, reply) => reply.end()).listen(${port}, '127.0.0.1')" ;;
*) exit 1 ;;
esac
`

/** A release, signed. */
const makeRelease = (version: string, by = key): string => {
  const made = mkdtempSync(path.join(folder, 'dist-'))
  cpSync('installer', made, { recursive: true })
  copyFileSync('LICENSE-NOTICE', path.join(made, 'LICENSE-NOTICE'))
  writeFileSync(path.join(made, 'institute'), fakeProgram(version), { mode: 0o755 })
  signFolder(made, by)
  return made
}

const install = (from: string, ...args: string[]): Promise<Ended> =>
  run(['/bin/sh', path.join(from, 'install.sh'), '--root', root, ...args], { cwd: folder, env: { PATH } })

const installed = (): Buffer => readFileSync(path.join(root, 'opt/institute/institute'))

/** Where install.sh looks whether a version answers. */
const setPort = (): void =>
  writeFileSync(path.join(root, 'var/lib/institute/institute.conf'), `INSTITUTE_PORT=${port}\n`)

beforeEach(() => {
  root = mkdtempSync(path.join(folder, 'root-'))
  dist = makeRelease('1.0.0')
})

test('what signs is an Ed25519 key, and nothing else', () => {
  const file = path.join(folder, 'rsa.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  expect(() => readSigningKey(file)).toThrow('holds no Ed25519 key')
})

describe.runIf(hasOpenssl)('a signed release', () => {
  test('is good by the tools of any server', () => {
    const args = ['-verify', '-pubin', '-inkey', PUBLIC_KEY, '-rawin', '-in', SUMS, '-sigfile', SIGNATURE]
    expect(execFileSync('openssl', ['pkeyutl', ...args], { cwd: dist, encoding: 'utf8' })).toMatch(/Verified Success/)
    const checked = execFileSync('sha256sum', ['--check', '--strict', SUMS], { cwd: dist, encoding: 'utf8' })
    expect(checked).toContain('institute: OK')
  })

  test('is installed, with its key, by which the next one is checked', async () => {
    const { code, stdout, stderr } = await install(dist, 'install')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/SHA-256 that is published of the key\? [0-9a-f]{64}\n/)
    expect(readFileSync(path.join(root, 'opt/institute', PUBLIC_KEY))).toEqual(
      readFileSync(path.join(dist, PUBLIC_KEY)),
    )
    setPort()
    const next = makeRelease('2.0.0')
    expect(await install(next, 'upgrade')).toMatchObject({ code: 0 })
    expect(installed()).toEqual(readFileSync(path.join(next, 'institute')))
    await install(dist, 'uninstall')
    expect(existsSync(path.join(root, 'opt/institute'))).toBe(false)
  })

  const tamper: Record<string, [change: (made: string) => void, line: RegExp]> = {
    'another executable': [
      (made) => appendFileSync(path.join(made, 'institute'), '\n'),
      /^\S+\/institute is not what was signed\. Nothing was changed\.\n$/,
    ],
    'another unit': [
      (made) => appendFileSync(path.join(made, 'institute.service'), 'User=root\n'),
      /^\S+\/institute\.service is not what was signed\. Nothing was changed\.\n$/,
    ],
    'another list': [
      (made) => appendFileSync(path.join(made, SUMS), '\n'),
      /^The signature in \S+ is not good by the key \S+\/release\.pub\. Nothing was changed\.\n$/,
    ],
    'a signature of which a byte is another': [
      (made) => {
        const file = path.join(made, SIGNATURE)
        const bytes = readFileSync(file)
        bytes[10] = (bytes[10] ?? 0) ^ 1
        writeFileSync(file, bytes)
      },
      /^The signature in \S+ is not good by the key \S+\. Nothing was changed\.\n$/,
    ],
    'an executable that the list does not name': [
      (made) => {
        const list = readFileSync(path.join(made, SUMS), 'utf8')
        const without = mkdtempSync(path.join(folder, 'without-'))
        cpSync(made, without, { recursive: true })
        rmSync(path.join(without, 'institute'))
        signFolder(without, key)
        for (const name of [SUMS, SIGNATURE]) copyFileSync(path.join(without, name), path.join(made, name))
        expect(readFileSync(path.join(made, SUMS), 'utf8')).not.toBe(list)
      },
      /^\S+\/institute is not what was signed\. Nothing was changed\.\n$/,
    ],
  }

  test.each(Object.keys(tamper))('is refused in one line with %s, before anything runs or changes', async (what) => {
    const [change, line] = tamper[what] as (typeof tamper)[string]
    change(dist)
    const { code, stdout, stderr } = await install(dist, 'install')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(line)
    expect(readdirSync(root)).toEqual([])
  })

  test('of somebody else, or one that nobody signed, takes the place of none; --unsigned and --key say otherwise', async () => {
    await install(dist, 'install')
    setPort()
    const before = installed()
    const other = makeRelease('3.0.0', generateKeyPairSync('ed25519').privateKey)
    expect(await install(other, 'upgrade')).toMatchObject({
      code: 1,
      stderr: `The signature in ${other} is not good by the key ${root}/opt/institute/release.pub. Nothing was changed.\n`,
    })
    const unsigned = makeRelease('2.0.0')
    rmSync(path.join(unsigned, SIGNATURE))
    const { code, stderr } = await install(unsigned, 'upgrade')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^What is in \S+ is not signed: .*\n$/) })
    expect(installed()).toEqual(before)

    expect(await install(unsigned, '--unsigned', 'upgrade')).toMatchObject({ code: 0 })
    // The key stays that of the version before.
    expect((await install(other, 'upgrade')).code).toBe(1)
    expect(await install(other, '--key', path.join(other, PUBLIC_KEY), 'upgrade')).toMatchObject({ code: 0 })
    expect(installed()).toEqual(readFileSync(path.join(other, 'institute')))
  })

  test('is not taken where nobody can check it', async () => {
    const bin = mkdtempSync(path.join(folder, 'bin-'))
    for (const tool of ['sh', 'dirname', 'basename', 'getconf', 'sort', 'head', 'printf', 'env', 'awk', 'sha256sum']) {
      symlinkSync(execFileSync('which', [tool], { encoding: 'utf8', env: { PATH } }).trim(), path.join(bin, tool))
    }
    const command = ['/bin/sh', path.join(dist, 'install.sh'), '--root', root, 'install']
    expect(await run(command, { cwd: folder, env: { PATH: bin } })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This release is signed, which only openssl can check: apt-get install openssl. Nothing was changed.\n',
    })
  })
})
