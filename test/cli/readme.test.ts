import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '#kit/free-port.ts'
import { asAdmin, startPostgres } from '#kit/postgres.ts'
import { TestRedis, whyNoRedis } from '#kit/redis.ts'
import { isNightly } from '#kit/volume.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

const root = path.resolve(import.meta.dirname, '../..')
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** The requests of the first five minutes. */
const requests = (): string => {
  const [, found = ''] = /^```sh\n(API=[^]*?)^```$/m.exec(textOf('README.md')) ?? []
  expect(found).toContain('/billing/summary')
  return found
}

/** The statements and the commands of a cloud, step by step. */
const cloudSteps = (): { statements: string[]; commands: string } => {
  const cloud = textOf('web-setup/docs/server/cloud.md')
  const [, sql = ''] = /^```sql\n([^]*?)^```$/m.exec(cloud) ?? []
  const [, commands = ''] = /^```sh\n(# Keep the file[^]*?)^```$/m.exec(cloud) ?? []
  expect(commands).toContain('institute vendor queues')
  return { statements: sql.split(/;\n/).filter((statement) => statement !== ''), commands }
}

/** The functions of the first five minutes, and the commands of the vendor's first ten, with ports that are free. */
const vendorCommands = async (): Promise<string> => {
  const [functions = ''] = requests().split('# Set the institute up')
  const [, found = ''] = /^```sh\n(institute\(\) [^]*?)^```$/m.exec(textOf('web-setup/docs/server/vendor.md')) ?? []
  expect(found).toContain('vendor license-unlock')
  const [vendor, own] = [await freePort(), await freePort()]
  return `${functions}\n${found}\nkill %1 %2\nwait\n`.replaceAll('8090', `${vendor}`).replaceAll('8091', `${own}`)
}

interface Pasted {
  status: number | null
  stdout: string
  stderr: string
  replies: Record<string, unknown>[]
}

/** Pastes commands into a shell, line by line. The folder's own programs come before those of the machine. */
const pasteLines = async (lines: string, folder: string, shell: readonly string[]): Promise<Pasted> => {
  const [program = '', ...args] = shell
  const PATH = `${folder}:${path.dirname(process.execPath)}:${process.env.PATH}`
  const child = spawn(program, args, { cwd: folder, env: { PATH, LC_ALL: 'C.UTF-8', HOME: folder } })
  child.stdin.end(lines)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const replies = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { status: child.exitCode, stdout, stderr, replies }
}

/** Pastes the requests in `folder`, which holds the data directory as `data`. */
const paste = (url: string, folder: string, shell: readonly string[] = ['bash', '--norc']): Promise<Pasted> =>
  pasteLines(requests().replace('http://localhost:8080', url), folder, shell)

/** What went wrong, each in one line of words: no stack, no error of the shell or of a program's syntax. */
const expectWords = (stderr: string, lines: RegExp): void => {
  const told = stderr.trim().split('\n')
  expect(told.filter((line) => !lines.test(line))).toEqual([])
}

test('the requests of the README’s first five minutes work when they are pasted in order, and again', async ({
  skip,
}) => {
  skip(!hasCurl, 'needs curl')
  const folder = makeFolder()
  const dataDir = path.join(folder, 'data')
  mkdirSync(dataDir)
  const server = await startProgram(dataDir)
  const { status, stdout, stderr, replies } = await paste(`${server.url}`, folder)
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
  const [found, issued, , summary] = replies
  expect(found?.data).toMatchObject([{ firstName: 'ليان' }])
  expect(issued).toMatchObject({ status: 'issued' })
  expect(summary).toMatchObject({ collectedThisMonth: { amountMinor: 45_000 } })

  // The shell of a bare Debian knows less.
  const again = await paste(`${server.url}`, folder, ['sh'])
  expect({ status: again.status, stderr: again.stderr }).toEqual({
    status: 0,
    stderr: 'There is no data/setup-token here: the institute is set up already, or lies elsewhere. Signing in.\n',
  })
  // What was added is found again: the student, and their paid invoice.
  expect(again.replies).toEqual([found, summary])
})

test('pasted where they cannot work, each of them says in words what is wrong', async ({ skip }) => {
  skip(!hasCurl, 'needs curl')
  const folder = makeFolder()
  const dataDir = path.join(folder, 'data')
  mkdirSync(dataDir)
  const signsIn = 'There is no data/setup-token here'

  // Nobody listens.
  const nobody = await paste(`http://127.0.0.1:${await freePort()}`, folder)
  expect(nobody.replies).toEqual([])
  expectWords(nobody.stderr, new RegExp(`^(${signsIn}|curl: \\(7\\) Failed to connect to 127\\.0\\.0\\.1 port \\d+)`))

  // Somebody else listens.
  const other = createServer((_, response) => response.end('<h1>Welcome</h1>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const page = await paste(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, folder)
  expectWords(page.stderr, new RegExp(`^(${signsIn}|This is no reply of the institute: <h1>Welcome</h1>)`))

  // The program of another folder is there, to which its token means nothing.
  const server = await startProgram(dataDir)
  const elsewhere = makeFolder()
  mkdirSync(path.join(elsewhere, 'data'))
  writeFileSync(path.join(elsewhere, 'data/setup-token'), 'x'.repeat(24))
  const refused = await paste(`${server.url}`, elsewhere)
  expect(refused.replies).toEqual([])
  expectWords(refused.stderr, /^[A-Z_]+: [A-Z].*\.$/)
  expect(refused.stderr).toMatch(/^UNAUTHORIZED: /m)
})

test('the commands of a vendor’s first ten minutes work when they are pasted in order', async ({ skip }) => {
  skip(!hasCurl, 'needs curl')
  const folder = makeFolder()
  // npm's scripts `start` and `institute` run the program in the checkout; this one runs it here.
  const npm = `#!/bin/sh
if [ "$1" = start ]; then shift 2; set -- serve "$@"; else shift 4; fi
exec "${process.execPath}" "${inject('program')}" "$@"
`
  writeFileSync(path.join(folder, 'npm'), npm, { mode: 0o755 })
  const { status, stdout, stderr } = await pasteLines(await vendorCommands(), folder, ['bash', '--norc'])
  const logs = ['vendor.log', 'al-amal.log'].map((name) => readFileSync(path.join(folder, name), 'utf8')).join('')
  expect(stderr.trim().split('\n'), `${stdout}${logs}`).toEqual([
    expect.stringMatching(/^vendor@example\.org is signed in at http:\/\/localhost:\d+\.$/),
    expect.stringMatching(/^The licence has the id \S+\. Its token:$/),
    expect.stringMatching(/^SUBSCRIPTION_SUSPENDED: /),
  ])
  expect(status).toBe(0)
  expect(stdout).toMatch(/^al-amal {2}active {2}self_hosted .* {2}معهد الأمل$/m)
  const replies = stdout.split('\n').filter((line) => /^[[{]/.test(line))
  expect(replies.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { state: 'active', plan: 'basic' },
    [{ isDefault: true }],
  ])
  expect(stdout).toMatch(/^INSTALL .*\n\S{36} /m)
}, 120_000)

// Postgres, Redis and three servers start for this one page; test/binary/cloud.test.ts tests such servers each time.
test.runIf(isNightly)(
  'the steps to a cloud of three processes work when they are pasted in order',
  async ({ skip }) => {
    skip(!hasCurl, 'needs curl')
    const withoutRedis = whyNoRedis()
    skip(withoutRedis !== undefined, withoutRedis)
    const [postgres, redis, folder] = [await startPostgres(), await TestRedis.start(), makeFolder()]
    onTestFinished(async () => {
      await redis.remove()
      await postgres.stop()
    })
    const { statements, commands } = cloudSteps()
    for (const statement of statements) await asAdmin(postgres.adminUrl, statement)
    writeFileSync(
      path.join(folder, 'institute'),
      `#!/bin/sh\nexec "${process.execPath}" "${inject('program')}" "$@"\n`,
      {
        mode: 0o755,
      },
    )
    let here = `${commands}\nkill %2 %3\nwait\n`
      .replace('localhost:5432', new URL(postgres.adminUrl).host)
      .replace('localhost:6379', new URL(redis.url).host)
    for (const port of ['8081', '8082', '8083']) here = here.replaceAll(port, String(await freePort()))
    const { stdout, stderr } = await pasteLines(here, folder, ['bash', '--norc'])
    const logs = ['one.log', 'two.log', 'three.log']
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('')
    expect(stderr.trim().split('\n'), `${stdout}${logs}`).toEqual([
      expect.stringMatching(/^vendor@example\.org is signed in at/),
      expect.stringMatching(/^vendor@example\.org is signed in at/),
      expect.stringMatching(/^bash: line \d+: +\d+ Killed/),
    ])
    expect(stdout).toMatch(/^al-amal {2}active {2}cloud .* {2}معهد الأمل$/m)
    expect(stdout).toMatch(/^hatikva {2}active {2}cloud .* {2}מכון התקווה$/m)
    expect(stdout).toContain('limits are counted in Redis')
    const filesOf = (name: string): string => realpathSync(path.join(folder, name, 'files'))
    expect(['one', 'two', 'three'].map(filesOf)).toEqual(Array(3).fill(realpathSync(path.join(folder, 'files'))))
  },
  240_000,
)
