/**
 * `npm test` runs the checks of the project in order and stops at the first one that fails: what a change is tested with
 * while one works on it. `npm test -- --all` runs every check, as `.ci/run` does. `npm test -- --nightly` also runs what only
 * a rare fault needs: on Postgres what one engine is enough for, and the tests that ask for `isNightly`. `npm test -- billing`
 * runs the tests of that module; other arguments, as in `npm test -- test/api/people/students.test.ts`, go to vitest. With
 * `-u` the files that follow from the sources are renewed first. The last line of the output counts the tests.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { testRuns, type TestRun } from './test-runs.ts'

const report = '.cache/tests.json'

/** So many of the longest test files are named after a run of all. */
const LONGEST = 20

/** Free memory, in bytes, that is needed to keep the test databases in memory. */
const ROOM = 8e9

type Check = [name: string, ...command: string[]]

/** The commands to run with Node, by name. */
const checks: Check[] = [
  ['format', 'node_modules/oxfmt/bin/oxfmt', '--check'],
  ['lint', 'node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['types of the wizard', 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'web-setup'],
  ['types of the widget', 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'src/widget'],
  ['types of the console', 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'src/console'],
  ['unused code', 'node_modules/knip/bin/knip.js'],
  ['licence notice', 'build/licences.ts', '--check'],
]
/** It comes before the tests because some of them run it. */
const executable: Check = ['executable', 'build/package.ts']

/**
 * The projects of test/vitest.config.ts that test the program from within, more than nine in ten of all tests. The others
 * start it as its users do, and take half of the time: its commands, the packaged executable, its pages in a browser.
 */
const WITHIN = ['unit', 'api-sqlite', 'api-postgres', 'ports', 'ports-alone', 'upgrade']

interface Results {
  passed: number
  failed: number
  skipped: number
}

interface Renewable {
  what: string
  file: string
  /** The test that compares the file with the sources; with `-u` it writes it. */
  test: string
  project: string
}

/** Files that follow from the sources, each before those that are made with it. */
const RENEWABLE: Renewable[] = [
  {
    what: 'fingerprints of new migrations',
    file: 'test/upgrade/fingerprints.json',
    test: 'test/upgrade/landed-steps.test.ts',
    project: 'upgrade',
  },
  {
    what: 'examples of the API’s document',
    file: 'web-setup/docs/examples.json',
    test: 'test/api/every-endpoint/openapi-examples.test.ts',
    project: 'api-sqlite',
  },
  {
    what: 'document of the API',
    file: 'test/contract/openapi.json',
    test: 'test/api/every-endpoint/openapi.test.ts',
    project: 'api-sqlite',
  },
  {
    what: 'types of the API for the console',
    file: 'src/console/api/contract.d.ts',
    test: 'test/build/console-types.test.ts',
    project: 'unit',
  },
  {
    what: 'bounds of what forms of the console send',
    file: 'src/console/api/bounds.ts',
    test: 'test/build/console-bounds.test.ts',
    project: 'unit',
  },
]

// Everything that a test or its processes leave behind is in this folder, which is removed at the end. It has the
// permissions of the system's folder, because some tests run as another user.
const scratch = mkdtempSync(path.join(tmpdir(), 'institute-tests-'))
chmodSync(scratch, 0o1777)
process.env.TMPDIR = scratch
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

// Hundreds of processes load the same sources, so they share a compile cache.
process.env.NODE_COMPILE_CACHE = path.join(scratch, 'compiled')

// Creating and removing databases on a disk would take a quarter of the test time, so they are kept in memory.
const memory = folderInMemory()
if (memory === undefined) {
  console.log(`The test databases are on the disk, which is slower: less than ${ROOM / 1e9} GB of memory are free.`)
} else {
  process.env.TEST_DATABASES = memory
  process.on('exit', () => rmSync(memory, { recursive: true, force: true }))
}

let running: ChildProcess | undefined
process.on('SIGTERM', () => {
  running?.kill('SIGTERM')
  process.exit(143)
})

process.chdir(path.resolve(import.meta.dirname, '..'))
const given = process.argv.slice(2)
const isNightly = given.length === 1 && given[0] === '--nightly'
if (isNightly) process.env.TEST_NIGHTLY = '1'
const isAll = isNightly || (given.length === 1 && given[0] === '--all')
const isFiltered = given.length > 0 && !isAll
const results: Results = { passed: 0, failed: 0, skipped: 0 }
for (const records of ['exchanges', 'statements']) rmSync(`.cache/${records}`, { recursive: true, force: true })
if (!isFiltered) for (const [name, ...command] of isAll ? [...checks, executable] : checks) await check(name, command)
const isRenewal = given.some((arg) => arg === '-u' || arg === '--update')
let exitCode = isRenewal ? await renew() : 0
for (const { says, args } of runsOf(given)) {
  if (exitCode !== 0) break
  if (says !== '') console.log(says)
  exitCode = await runTests(args)
}
if (exitCode === 0 && !isFiltered) {
  await check('declared outcomes', ['test/kit/check-exchanges.ts'])
  await check('statements on Postgres', ['test/kit/check-statements.ts'])
}
if (!isFiltered && !isAll) console.log('Left to npm test -- --all: the commands, the executable and the pages.')
console.log(counted(results))
process.exit(exitCode)

function runsOf(args: string[]): TestRun[] {
  if (isAll) return [{ says: '', args: [] }]
  if (!isFiltered) return [{ says: '', args: WITHIN.map((name) => `--project=${name}`) }]
  // `-u` alone renews, and that is all.
  if (args.length === 1 && isRenewal) return []
  try {
    return testRuns(args)
  } catch (error) {
    console.error((error as Error).message)
    return process.exit(1)
  }
}

/** @returns the exit code of the first test that fails with what it renewed; 0: none does */
async function renew(): Promise<number> {
  const read = ({ file }: Renewable): string => readFileSync(file, 'utf8')
  const renewed: Renewable[] = []
  for (const one of RENEWABLE) {
    const before = read(one)
    const code = await runTests([one.test, '--project', one.project, '-u'])
    if (code !== 0) {
      console.log(`Stopped at the ${one.what}, and renewed nothing after it: do what the test says, and begin again.`)
      return code
    }
    if (read(one) !== before) renewed.push(one)
  }
  if (renewed.length === 0) {
    console.log(
      `Nothing to renew: ${RENEWABLE.map(({ what, file }) => `the ${what} (${file})`).join(', ')} are as they were.`,
    )
    return 0
  }
  for (const { what, file } of renewed) console.log(`Renewed: the ${what}, ${file}`)
  console.log(`Look at the difference: git diff -- ${renewed.map(({ file }) => file).join(' ')}`)
  return 0
}

/** A folder in memory; undefined: there is none, or it lacks room for the largest institutes of the tests. */
function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (Math.min(bavail * bsize, freemem()) < ROOM) return undefined
    const folder = mkdtempSync('/dev/shm/institute-tests-')
    chmodSync(folder, 0o1777)
    return folder
  } catch {
    return undefined
  }
}

async function check(name: string, command: string[]): Promise<void> {
  const started = performance.now()
  process.stdout.write(`${name} … `)
  const { code, output } = await node(command, 'pipe')
  console.log(`${code === 0 ? 'passed' : 'FAILED'} in ${seconds(started)}`)
  if (code === 0) return
  console.log(`\n${output.trim()}\n\nStopped: the check "${name}" failed (${command.join(' ')})`)
  process.exit(1)
}

async function runTests(args: string[]): Promise<number> {
  const started = performance.now()
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--config=test/vitest.config.ts', ...reporters, ...args]
  const { code } = await node(command, 'inherit')
  console.log(`tests … ${code === 0 ? 'passed' : 'FAILED'} in ${seconds(started)}`)
  addResults(code)
  if (!isFiltered) console.log(`The longest files:${longestFiles()}`)
  return code
}

/** Adds the results of a run. A test file or a run that crashed counts as one failure. */
function addResults(code: number): void {
  let failed = 0
  for (const file of testFiles()) {
    const states = file.assertionResults.map(({ status }) => status)
    const failures = states.filter((status) => status === 'failed').length
    results.passed += states.filter((status) => status === 'passed').length
    failed += file.status === 'failed' ? Math.max(failures, 1) : failures
    results.skipped += states.filter((status) => status !== 'passed' && status !== 'failed').length
  }
  results.failed += code === 0 ? failed : Math.max(failed, 1)
}

/** `N passed, N failed`, and `, N skipped` if there are any. */
function counted({ passed, failed, skipped }: Results): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** The files that took longest, a line for each: where to look when a run has become slow. */
function longestFiles(): string {
  return testFiles()
    .map(({ name, startTime, endTime }) => ({ name, millis: endTime - startTime }))
    .toSorted((one, other) => other.millis - one.millis)
    .slice(0, LONGEST)
    .map(({ name, millis }) => `\n  ${(millis / 1000).toFixed(1).padStart(6)} s  ${path.relative('.', name)}`)
    .join('')
}

interface TestFile {
  name: string
  status: string
  startTime: number
  endTime: number
  assertionResults: { status: string }[]
}

function testFiles(): TestFile[] {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    // vitest writes no report when it could not start; the exit code shows the failure.
    return []
  }
}

function node(args: string[], output: 'pipe' | 'inherit'): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, { stdio: ['inherit', output, output] })
  running = child
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}
