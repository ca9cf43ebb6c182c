import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The conformance suite of MCP, which asks a server over HTTP as its clients do. */

const SUITE = path.resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance')

/** From the mildest to the most severe: an id that is checked several times has the most severe of its verdicts. */
const STATUSES = ['INFO', 'SKIPPED', 'SUCCESS', 'WARNING', 'FAILURE'] as const
type Status = (typeof STATUSES)[number]

/** What the suite found, by `scenario:check-id`. */
export type Verdicts = ReadonlyMap<string, { status: Status; says: string }>

/** Checks that fail for one reason. */
export interface Excuse {
  because: string
  /** Each as `scenario:check-id`. */
  checks: readonly string[]
}

interface Check {
  id: string
  status: Status
  errorMessage?: string
}

const DATE_AT_END = /-\d{4}-\d\d-\d\dT[\d-]+Z$/

/** Runs the suite. @param told gets all its output so far, whenever there is more */
export const runSuite = async (
  args: readonly string[],
  told: (output: string) => void = () => {},
): Promise<Verdicts> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'))
  try {
    const script = path.join(SUITE, 'dist/index.js')
    const child = spawn(process.execPath, [script, ...args, '--output-dir', folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        told(output)
      })
    }
    await once(child, 'close')
    const verdicts = verdictsIn(folder)
    if (verdicts.size === 0) throw new Error(`The suite checked nothing:\n${output.slice(-2000)}`)
    return verdicts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const verdictsIn = (folder: string): Verdicts => {
  const verdicts = new Map<string, { status: Status; says: string }>()
  for (const name of readdirSync(folder)) {
    const scenario = name.replace(DATE_AT_END, '').replace(/^server-/, '')
    const checks = JSON.parse(readFileSync(path.join(folder, name, 'checks.json'), 'utf8')) as Check[]
    for (const { id, status, errorMessage = '' } of checks) {
      const key = `${scenario}:${id}`
      const known = verdicts.get(key)
      if (!known || STATUSES.indexOf(known.status) < STATUSES.indexOf(status))
        verdicts.set(key, { status, says: errorMessage })
    }
  }
  return verdicts
}

/** The scenarios that a revision requires of servers. */
export const requiredScenarios = (revision: string): string[] => {
  const file = readFileSync(path.join(SUITE, 'requirements', `${revision}.yaml`), 'utf8')
  const [, server = ''] = /^server:\n((?: .*\n|#.*\n|\n)*)/m.exec(file) ?? []
  return [...server.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name)
}

/** What differs from what is expected: failures that no excuse names, and excuses for what does not fail. */
export const surprises = (verdicts: Verdicts, excuses: readonly Excuse[]): string[] => {
  const excused = new Set(excuses.flatMap(({ checks }) => checks))
  const failed = [...verdicts].filter(([, { status }]) => status === 'FAILURE' || status === 'WARNING')
  const failing = new Set(failed.map(([check]) => check))
  return [
    ...failed.filter(([check]) => !excused.has(check)).map(([check, { says }]) => `${check} fails: ${says}`),
    ...[...excused].filter((check) => !failing.has(check)).map((check) => `${check} is excused, and does not fail`),
  ]
}
