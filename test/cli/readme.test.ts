import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#kit/free-port.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

const README = path.resolve(import.meta.dirname, '../../README.md')
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** The requests of the first five minutes. */
const requests = (): string => {
  const [, found = ''] = /^```sh\n(API=[^]*?)^```$/m.exec(readFileSync(README, 'utf8')) ?? []
  expect(found).toContain('/billing/summary')
  return found
}

interface Pasted {
  status: number | null
  stdout: string
  stderr: string
  replies: Record<string, unknown>[]
}

/** Pastes the requests into a shell, line by line, in `folder`, which holds the data directory as `data`. */
const paste = async (url: string, folder: string, shell: readonly string[] = ['bash', '--norc']): Promise<Pasted> => {
  const [program = '', ...args] = shell
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, LC_ALL: 'C.UTF-8' }
  const child = spawn(program, args, { cwd: folder, env })
  child.stdin.end(requests().replace('http://localhost:8080', url))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const replies = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { status: child.exitCode, stdout, stderr, replies }
}

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
  expect(again.replies.map(({ data }) => (data as unknown[] | undefined)?.length)[0]).toBe(2)
  expect(again.replies.at(-1)).toMatchObject({ collectedThisMonth: { amountMinor: 90_000 } })
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
