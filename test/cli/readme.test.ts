import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

const README = path.resolve(import.meta.dirname, '../../README.md')
const hasCurl = spawnSync('curl', ['--version']).status === 0

test('the requests of the README’s first five minutes work when pasted in order', async ({ skip }) => {
  skip(!hasCurl, 'needs curl')
  const [, requests = ''] = /^```sh\n(API=[^]*?)^```$/m.exec(readFileSync(README, 'utf8')) ?? []
  expect(requests).toContain('/billing/summary')
  const dataDir = makeFolder()
  const server = await startProgram(dataDir)
  const pasted = requests
    .replace('http://localhost:8080', `${server.url}`)
    .replaceAll('data/setup-token', `${dataDir}/setup-token`)
  // Prints each reply on its own line; a refused request ends the script.
  const script = `set -eu; curl() { command curl --fail-with-body "$@"; echo; }\n${pasted}`
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
  })
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
  const replies = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const [found, issued, , summary] = replies
  expect(found.data).toMatchObject([{ firstName: 'ليان' }])
  expect(issued).toMatchObject({ status: 'issued' })
  expect(summary).toMatchObject({ collectedThisMonth: { amountMinor: 45_000 } })
})
