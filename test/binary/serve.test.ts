import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { copyOfDebian, rootOfLibraries } from './bare-root.ts'
import { isRoot, makeFolder, NOBODY, run, Server, type Surroundings } from './program.ts'

const MEGABYTE = 1_000_000
const SERVE = ['serve', '--port', '0']

let folder: string
/** A copy, because the freshly built file would still be in memory as a whole. */
let institute: string

beforeAll(() => {
  folder = makeFolder()
  institute = path.join(folder, 'institute')
  copyFileSync(EXECUTABLE, institute)
  chmodSync(institute, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const emptyFolder = (): string => mkdtempSync(path.join(folder, 'empty-'))

const serve = async (surroundings: Surroundings, command: readonly string[] = [institute, ...SERVE]) => {
  const server = await Server.start(command, surroundings)
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  return server
}

const get = (server: Server, where: string): Promise<Response> => fetch(`${server.url}${where}`)

/** Checks that the program works: it is ready, serves the wizard, and ends cleanly. */
const proofOf = async (server: Server) => ({
  ready: (await get(server, '/api/v1/health/ready')).status,
  wizard: (await (await get(server, '/setup/')).text()).includes('<html'),
  code: await server.stop(),
})
const WHOLE = { ready: 200, wizard: true, code: 0 }

test('the executable is smaller than 125 MB', () => {
  expect(statSync(EXECUTABLE).size).toBeLessThan(130 * MEGABYTE)
})

describe('institute serve starts from an empty folder', () => {
  test('with no environment, so without Node, and keeps everything in ./data', async () => {
    const cwd = emptyFolder()
    expect(await proofOf(await serve({ cwd }))).toEqual(WHOLE)
    expect(statSync(path.join(cwd, 'data')).mode & 0o777).toBe(0o700)
  })

  test('as a user who has neither a name nor a home', async ({ skip }) => {
    skip(!isRoot, 'only root can become another user')
    const cwd = emptyFolder()
    chownSync(cwd, NOBODY, NOBODY)
    expect(await proofOf(await serve({ cwd, uid: NOBODY }))).toEqual(WHOLE)
    expect(statSync(path.join(cwd, 'data/institute.db')).uid).toBe(NOBODY)
  })

  test('beside nothing but the libraries of C and C++', async ({ skip }) => {
    skip(!isRoot, 'only root can change the root folder')
    expect(await proofOf(await serveIn(rootOfLibraries(institute)))).toEqual(WHOLE)
  })

  test('in a bare Debian', async ({ skip }) => {
    const debian = await copyOfDebian({ skip })
    expect(await proofOf(await serveIn(debian))).toEqual(WHOLE)
  })

  const serveIn = (root: string): Promise<Server> => {
    mkdirSync(path.join(root, 'srv'), { recursive: true })
    copyFileSync(institute, path.join(root, 'institute'))
    return serve({ cwd: '/' }, ['/usr/sbin/chroot', root, '/institute', ...SERVE, '--data-dir', '/srv/data'])
  }
})

describe('a running institute', () => {
  test('uses less than 140 MB of memory when the wizard was loaded and no requests come', async () => {
    const server = await serve({ cwd: emptyFolder() })
    const wizard = await (await get(server, '/setup/')).text()
    const parts = [...wizard.matchAll(/(?:src|href)="([^"#:]+)"/g)].map(([, part = '']) => part)
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect((await fetch(new URL(part, `${server.url}/setup/`))).status).toBe(200)
    // What the start has left behind is given back in the second quiet look of five seconds. This start, which makes the
    // database, keeps 15 MB more than those of every day, which the bench measures.
    await expect.poll(() => server.resident(), { timeout: 30_000 }).toBeLessThan(140 * MEGABYTE)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('ends at %s, with exit code 0', async (signal) => {
    const server = await serve({ cwd: emptyFolder() })
    expect(await server.stop(signal)).toBe(0)
  })

  test('checkpoints the database in a thread', async () => {
    const cwd = emptyFolder()
    const server = await serve({ cwd })
    const post = async (where: string, token: string, body: unknown) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const reply = await fetch(`${server.url}/api/v1${where}`, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(reply.status, where).toBe(201)
      return (await reply.json()) as { accessToken: string }
    }
    const { accessToken } = await post('/setup/bootstrap', '', newSetup(setupTokenIn(path.join(cwd, 'data'))))
    const threads = server.threads()
    const before = statSync(path.join(cwd, 'data/institute.db')).size
    for (let index = 0; index < 200; index += 1) await post('/branches', accessToken, { name: `Branch ${index}` })
    await expect.poll(() => statSync(path.join(cwd, 'data/institute.db')).size).toBeGreaterThan(before)
    expect(server.threads()).toBeGreaterThan(threads)
    expect(await server.stop()).toBe(0)
    expect(server.stderr).not.toContain('checkpoint')
    expect(readdirSync(path.join(cwd, 'data'))).not.toContain('institute.db-wal')
  })

  test('locks its data directory: a second process is refused in one line, and the first keeps running', async () => {
    const cwd = emptyFolder()
    const server = await serve({ cwd })
    expect(await run([institute, ...SERVE], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Another institute process is working on ${path.join(cwd, 'data')}. Stop it first.\n`,
    })
    expect(await proofOf(server)).toEqual(WHOLE)
  })
})

describe('wrong usage exits 2 with one line', () => {
  test.each([['frobnicate'], ['--frobnicate'], ['version', '--frobnicate=1']])('institute %s', async (...args) => {
    const { code, stdout, stderr } = await run([institute, ...args], { cwd: emptyFolder() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^.*frobnicate.*\n$/)
  })
})

describe('results go to standard output, everything else to standard error', () => {
  test('version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const { code, stdout, stderr } = await run([institute, 'version'], { cwd: folder })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^${version.replaceAll('.', String.raw`\.`)} \\([0-9a-f]{12}(-modified)?\\)\n$`))
  })

  test('migrate', async () => {
    const cwd = emptyFolder()
    const { code, stdout, stderr } = await run([institute, 'migrate'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Took 0001_.*\n$/)
    const again = await run([institute, 'migrate'], { cwd })
    expect(again).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  })

  test('serve, which has no result, and setup-token, which says the address of the wizard too', async () => {
    const cwd = emptyFolder()
    const server = await serve({ cwd })
    const token = setupTokenIn(path.join(cwd, 'data'))
    expect(server.stderr).not.toContain(token)
    expect(await run([institute, 'setup-token'], { cwd })).toEqual({
      code: 0,
      stdout: `${token}\n`,
      stderr: expect.stringContaining(`  http://localhost:8080/setup/#token=${token}\n`),
    })
    await server.stop()
    expect(server.stdout).toBe('')
  })
})
