import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { makeExecutable } from '../../build/executable.ts'
import { isNightly } from '#kit/volume.ts'
import type { Said } from './fixtures/program.ts'

const root = path.resolve(import.meta.dirname, '../..')
const entry = 'test/build/fixtures/program.ts'
/** A user id that exists on no machine: without a name, a home or a shell. */
const nobody = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321 } : {}

let folder: string
let executable: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-executable-'))
  chmodSync(folder, 0o755)
  executable = (await makeExecutable(entry, path.join(folder, 'one'))).file
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the executable', () => {
  test('keeps the space for new objects small', () => {
    expect(run(dataDir()).runtimeOptions).toEqual([
      '--max-semi-space-size=8',
      '--min-semi-space-size=8',
      '--heap-growing-percent=50',
    ])
  })

  test('runs with no environment, for a user who has no home, and finds everything inside itself', () => {
    const said = run(dataDir())
    const files = [...globSync('web-setup/**/*', { cwd: root, withFileTypes: true })]
      .filter((file) => file.isFile() && file.name !== 'tsconfig.json')
      .map((file) => path.join(file.parentPath, file.name))
      // What pages are made of is bundled.
      .filter((file) => !/\.tsx?$|web-setup\/style\/.*$/.test(file))
      .map((file) => [path.relative(root, file), sha256(file)])
    // The console's, which the pages of the server share.
    files.push(['web-setup/assets/style/tokens.css', sha256('src/console/style/tokens.css')])
    expect(said).toMatchObject({ version: manifest.version, sum: 2, passwordKnown: true })
    expect(said.assets.filter(([name]) => name.startsWith('web-setup/'))).toEqual(files.toSorted(byName))
    expect(said.assets.filter(([name]) => name.startsWith('docs/'))).toEqual([
      ['docs/swagger-ui-bundle.js', sha256('node_modules/swagger-ui-dist/swagger-ui-bundle.js')],
      ['docs/swagger-ui.css', sha256('node_modules/swagger-ui-dist/swagger-ui.css')],
    ])
  })

  test('keeps its addons in the data directory, for its user alone, and loads them again from there', () => {
    const data = dataDir()
    run(data)
    const written = addons(data).map((file) => [file, statSync(file).ino])
    run(data)
    expect(written).toHaveLength(2)
    expect(addons(data).map((file) => [file, statSync(file).ino])).toEqual(written)
    expect(statSync(path.join(data, '.native')).mode & 0o777).toBe(0o700)
  })

  test('replaces an addon that is not, byte for byte, its own, and a folder that others may enter', () => {
    const data = dataDir()
    run(data)
    const [first = ''] = addons(data)
    const genuine = sha256(first)
    const bytes = readFileSync(first)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(first, bytes)
    chmodSync(path.join(data, '.native'), 0o777)
    run(data)
    expect(sha256(first)).toBe(genuine)
    expect(addons(data)).toHaveLength(2)
    expect(statSync(path.join(data, '.native')).mode & 0o777).toBe(0o700)
  })

  test('says in one line that it may not keep its addons', () => {
    const data = dataDir()
    writeFileSync(path.join(data, '.native'), '')
    const { status, stderr } = start(data)
    expect(status).toBe(1)
    expect(stderr).toMatch(/\.native must be a folder that this user owns and may load programs from, .+$/)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test.runIf(isNightly)(
    'is the same to the byte when made again elsewhere',
    async () => {
      const again = await makeExecutable(entry, path.join(folder, 'two', 'deeper'))
      expect(sha256(again.file)).toBe(sha256(executable))
    },
    120_000,
  )

  test('names no folder of the machine on which it was made', () => {
    const bundled = readFileSync(path.join(folder, 'one/bundle/institute.blob'))
    expect(bundled.includes(root)).toBe(false)
    expect(bundled.includes(folder)).toBe(false)
  })
})

function dataDir(): string {
  const created = mkdtempSync(path.join(folder, 'data-'))
  if (nobody.uid !== undefined) chownSync(created, nobody.uid, nobody.gid)
  return created
}

function start(data: string): { status: number | null; stdout: string; stderr: string } {
  const options: SpawnSyncOptions & { encoding: 'utf8' } = { ...nobody, env: {}, cwd: folder, encoding: 'utf8' }
  return spawnSync(executable, [data], options)
}

function run(data: string): Said {
  const { status, stdout, stderr } = start(data)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout) as Said
}

function addons(data: string): string[] {
  return globSync('.native/*/*', { cwd: data })
    .map((file) => path.join(data, file))
    .toSorted()
}

function sha256(file: string): string {
  return createHash('sha256')
    .update(readFileSync(path.resolve(root, file)))
    .digest('hex')
}

function byName([a = '']: string[], [b = '']: string[]): number {
  return a < b ? -1 : 1
}
