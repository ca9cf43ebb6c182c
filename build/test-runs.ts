/**
 * What `npm test -- billing` runs: the tests of one module. They are its own files, and of the tests that are made of the
 * declarations of all endpoints those about its endpoints, or about no endpoint in particular.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const DERIVED = 'test/api/every-endpoint/'
/** Options of vitest whose value may be the next word. */
const VALUED = new Set(['--project', '-t', '--testNamePattern'])

/** One run of vitest, and what there is to say before it. */
export interface TestRun {
  says: string
  args: string[]
}

const MODULES = readdirSync('src/modules').toSorted()
const TESTS = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => path.join('test', file))
  .toSorted()

/** @throws Error for a word that names neither a module nor a part of a test file's path: vitest would pass over it */
export const testRuns = (given: readonly string[]): TestRun[] => {
  const isWord = (arg: string, at: number): boolean => !arg.startsWith('-') && !VALUED.has(given[at - 1] ?? '')
  const words = given.filter(isWord)
  const unknown = words.filter((word) => !MODULES.includes(word) && filesIn(word).length === 0)
  if (unknown.length > 0) {
    throw new Error(
      `There is no module or test file ${unknown.join(', ')}. A file is named by its path, or a part of it; the modules are ${MODULES.join(', ')}.`,
    )
  }
  const modules = words.filter((word) => MODULES.includes(word))
  // Words first: vitest takes one behind `-u` for the value of that option, and runs everything.
  const options = given.filter((arg, at) => !isWord(arg, at))
  if (modules.length === 0) return [{ says: '', args: [...words, ...options] }]

  const own = words.flatMap((word) => (modules.includes(word) ? filesOf(word) : filesIn(word)))
  const derived = [DERIVED, ...options, '--passWithNoTests']
  const listed = own.map((file) => `\n  ${file}`).join('')
  const isNarrowed = options.some((option) => /^(-t|--testNamePattern)(=|$)/.test(option))
  return [
    ...(own.length > 0
      ? [{ says: `The tests of ${modules.join(', ')}:${listed}`, args: [...own, ...options, '--passWithNoTests'] }]
      : []),
    {
      says: `And ${DERIVED}: what is about the endpoints of ${modules.join(', ')}, or about no endpoint in particular.`,
      args: isNarrowed ? derived : [...derived, '-t', namesAbout(modules)],
    },
  ]
}

/** @param part as vitest takes it: a part of a path, from here or from the root, perhaps with a line number */
const filesIn = (part: string): string[] => {
  const wanted = part.replace(/:\d+$/, '')
  const relative = path.relative('.', wanted)
  return TESTS.filter((file) => file.includes(wanted) || file.startsWith(relative))
}

const filesOf = (module: string): string[] =>
  TESTS.filter((file) => file.startsWith(`test/api/${module}/`) || file.startsWith(`test/unit/modules/${module}/`))

/** A pattern of the names of tests that name no endpoint of another module. */
const namesAbout = (modules: readonly string[]): string => {
  const others = MODULES.filter((module) => !modules.includes(module)).flatMap(endpointsOf)
  return `^(?!.*(?<![\\w.-])(${others.map((id) => id.replaceAll('.', '\\.')).join('|')})(?![\\w.-]))`
}

/** The ids of the endpoints that a module declares. */
const endpointsOf = (module: string): string[] =>
  readdirSync(`src/modules/${module}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(`src/modules/${module}/${file}`, 'utf8').matchAll(/\bid: '([\w-]+\.[\w.-]+)'/g),
    ])
    .flatMap(([, id = '']) => id)
