import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

const HEAD = `
import * as v from 'valibot'
import { declareJob, nothing } from '#kernel/job.ts'
import { jobKind, type EventSink, type Tick } from '#kernel/module.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
declare const tx: Tx
const mail = declareJob('test.mail', v.object({ to: v.string(), times: v.number() }))
const sweep = declareJob('test.sweep', nothing)
const reminded = { studentId: '', invoiceId: '', number: '', totalMinor: 1, currency: 'ILS', dueDate: '' } as const
`

/** Each must not compile, by its last statement. */
const plants: [what: string, source: string][] = [
  ['a job by its name', `tx.enqueue('test.mail', { to: '', times: 1 })`],
  ['a payload that lacks a field', `tx.enqueue(mail, { to: '' })`],
  ['a payload with a field of another type', `tx.enqueue(mail, { to: '', times: '1' })`],
  ['a payload with a field too many', `tx.enqueue(mail, { to: '', times: 1, cc: '' })`],
  [
    'a payload made elsewhere with a field too many',
    `const made = { to: '', times: 1, cc: '' }\ntx.enqueue(mail, made)`,
  ],
  ['a payload for a job that takes none', `tx.enqueue(sweep, { to: '' })`],
  ['a tick of a job that needs a payload', `export const tick: Tick = { cron: '* * * * *', job: mail }`],
  ['a tick of a name', `export const tick: Tick = { cron: '* * * * *', job: 'test.sweep' }`],
  [
    'a handler that reads what the payload has not',
    `export const kind = jobKind(mail, { handle: async ({ payload }) => void payload.cc })`,
  ],
  [
    'a handler of another payload',
    `const handle = async ({ payload }: { payload: { to: string; often: number } }) => void payload\nexport const kind = jobKind(mail, { handle })`,
  ],
  [
    'a handler of what is not loaded',
    `const load = async () => 1\nconst handle = async ({ loaded }: { loaded: string }) => void loaded\nexport const kind = jobKind(mail, { load, handle })`,
  ],
  [
    'a schema that changes what it takes',
    `export const job = declareJob('test.date', v.object({ at: v.pipe(v.string(), v.transform(Number)) }))`,
  ],
  ['an event that is not in the contract', `tx.record('student.vanished', { studentId: '' })`],
  ['an event that lacks a field', `tx.record('enrollment.dropped', { enrollmentId: '', studentId: '', groupId: '' })`],
  [
    'an event with a field too many',
    `tx.record('lesson.completed', { lessonId: '', courseId: '', studentId: '', grade: 1 })`,
  ],
  [
    'an event made elsewhere with a field too many',
    `const made = { ...reminded, paidMinor: 1, payer: '' }\ntx.record('invoice.overdue', made)`,
  ],
  ['an event made elsewhere that lacks a field', `tx.record('invoice.overdue', reminded)`],
  [
    'an event with a field of another type',
    `tx.record('course.completed', { courseId: '', studentId: '', lessonCount: '3' })`,
  ],
  [
    'an event with a status that there is not',
    `tx.record('student.status_changed', { studentId: '', previousStatus: 'active', status: 'gone' })`,
  ],
  [
    'a sink that reads what its event has not',
    `export const sink: EventSink = async (_tx, events) => {\n  for (const { type, data } of events) if (type === 'tenant.locked') void data.studentId\n}`,
  ],
]

/** What must go on compiling, so that a type that refuses everything is found out too. */
const clean: [what: string, source: string][] = [
  ['a job with its payload', `tx.enqueue(mail, { to: '', times: 1 }, { lane: 'a' })\ntx.enqueue(sweep, {})`],
  ['a tick', `export const tick: Tick = { cron: '* * * * *', job: sweep }`],
  [
    'a handler',
    `export const kind = jobKind(mail, {\n  load: async (_db, { to }) => to.length,\n  handle: async ({ payload: { times }, loaded }) => void (times + loaded),\n})`,
  ],
  ['an event', `tx.record('invoice.overdue', { ...reminded, paidMinor: 0 })`],
  [
    'a sink',
    `export const sink: EventSink = async (_tx, events) => {\n  for (const { type, data } of events) if (type === 'student.absent') void data.occurredOn.length\n}`,
  ],
]

const fileOf = (kind: string, index: number) => `src/planted/${kind}-${index}.ts`

let folder: string
let refused: Set<string>

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-types-'))
  copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'))
  mkdirSync(path.join(folder, 'src/planted'), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  symlinkSync(path.join(root, 'src/kernel'), path.join(folder, 'src/kernel'))
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: path.join(root, 'tsconfig.json'), include: ['src/planted'] }),
  )
  const write = (kind: string, sources: readonly [string, string][]) => {
    for (const [index, [, source]] of sources.entries()) {
      writeFileSync(path.join(folder, fileOf(kind, index)), `${HEAD}${source}\nexport {}\n`)
    }
  }
  write('plant', plants)
  write('clean', clean)
  refused = await compile(folder)
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the compiler refuses', () => {
  test.for(plants.map(([what], index) => [what, index] as const))('%s', ([, index]) => {
    expect([...refused]).toContain(fileOf('plant', index))
  })
})

describe('the compiler lets pass', () => {
  test.for(clean.map(([what], index) => [what, index] as const))('%s', ([, index]) => {
    expect([...refused]).not.toContain(fileOf('clean', index))
  })

  test('everything that nothing is planted in', () => {
    expect([...refused].filter((file) => !file.startsWith('src/planted/plant-'))).toEqual([])
  })
})

/** The files in which something does not compile. */
async function compile(cwd: string): Promise<Set<string>> {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  // It exits with an error when there is something to refuse, and there is.
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--noEmit', '--pretty', 'false'], {
    cwd,
    maxBuffer: 1e8,
  }).catch((error: unknown) => error as { stdout: string })
  return new Set(stdout.split('\n').flatMap((line) => /^(\S+)\(\d+,\d+\): error/.exec(line)?.[1] ?? []))
}
