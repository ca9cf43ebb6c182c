import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { testRuns } from '../../build/test-runs.ts'

/** The pattern of names with which the tests of all endpoints run. */
const patternOf = (args: readonly string[]): RegExp => new RegExp(args[args.indexOf('-t') + 1] as string)

test('a module: its own files, and of the tests of all endpoints what is about its endpoints or about none', () => {
  const [own, derived] = testRuns(['billing', '--project', 'api-sqlite'])
  expect(own?.args).toEqual(
    expect.arrayContaining(['test/api/billing/invoices.test.ts', 'test/unit/modules/billing/amounts.test.ts']),
  )
  for (const file of own?.args.filter((arg) => arg.startsWith('test/')) ?? []) {
    expect(existsSync(file), file).toBe(true)
    expect(own?.says).toContain(file)
    expect(file).toContain('/billing/')
  }
  for (const run of [own, derived]) expect(run?.args.join(' ')).toContain('--project api-sqlite')
  const pattern = patternOf(derived?.args ?? [])
  expect('nobody gets through who must not into invoices.list').toMatch(pattern)
  expect('every operation has an example').toMatch(pattern)
  expect('nobody gets through who must not into students.create').not.toMatch(pattern)
  expect('by the filter courseId of groups.list').not.toMatch(pattern)
})

test('several modules; what is no module is a part of the path of a test file', () => {
  const [own, derived] = testRuns(['fees', 'billing', 'queue-joined'])
  expect(own?.args).toEqual(
    expect.arrayContaining([
      'test/api/fees/runs.test.ts',
      'test/api/billing/payments.test.ts',
      'test/api/runtime/queue-joined.test.ts',
    ]),
  )
  const pattern = patternOf(derived?.args ?? [])
  expect('into fee-schedules.list').toMatch(pattern)
  expect('into invoices.list').toMatch(pattern)
  expect('into branches.list').not.toMatch(pattern)
})

test('of the endpoints in the document a module runs its own, and hardly any other', () => {
  const { paths } = JSON.parse(readFileSync('test/contract/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  )
  expect(ids.length).toBeGreaterThan(200)
  const pattern = patternOf(testRuns(['dashboard']).at(-1)?.args ?? [])
  const run = ids.filter((id) => pattern.test(`into ${id}`))
  expect(run).toContain('dashboard.read')
  // Those of no module run always.
  expect(run.length).toBeLessThan(ids.length / 10)
})

test('without a module vitest gets what was given', () => {
  const given = ['test/api/people/students.test.ts', '-t', 'billing', '--project', 'api-sqlite']
  expect(testRuns(given)).toEqual([{ says: '', args: given }])
})

test('a word that is neither a module nor a file is refused, with the names of the modules', () => {
  expect(() => testRuns(['nosuch'])).toThrow(/There is no module or test file nosuch\..* api-keys, .*webhooks\./)
  const known = 'test/api/people/students.test.ts'
  expect(() => testRuns([known, 'test/api/students.test.ts'])).toThrow(
    'no module or test file test/api/students.test.ts.',
  )
  for (const file of [known, `./${known}`, path.resolve(known), `${known}:12`, 'students']) {
    expect(testRuns([file]), file).toEqual([{ says: '', args: [file] }])
  }
})

test('a word behind an option without a value stays a file', () => {
  const [run] = testRuns(['-u', 'test/build/test-runs.test.ts', '--project', 'unit'])
  expect(run?.args).toEqual(['test/build/test-runs.test.ts', '-u', '--project', 'unit'])
})
