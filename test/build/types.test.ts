import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

const HEAD = `
import * as v from 'valibot'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type EventSubscriber, type CronJob } from '#kernel/contract/module.ts'
import type { Queries, SystemDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { shows } from '#kernel/values/fields.ts'
import { change, read } from '#kernel/contract/endpoint.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { changeRecord, createRecord, deleteRecord, findRow, lockRow, lockToDelete, recordOf } from '#runtime/records/records.ts'
import './tables.ts'
declare const tx: Tx
declare const everywhere: SystemDb
const shelves = (db: Queries) => db.selectFrom('shelf').select('id')
const Shelf = v.object({ id: v.string(), sortOrder: v.number(), label: v.string() })
const label = ({ name }: { name: string }) => name
const shelfRecord = recordOf('shelf', {
  show: shows(Shelf, { label }),
  derived: ({ name }) => ({ search_text: name }),
})
const shelvesList = listOf({
  filters: { name: 'shelf.name', room: (eb, room: string) => eb('shelf.room', '=', room) },
  from: (db) => db.selectFrom('shelf').selectAll(),
  order: newestFirst('shelf'),
  show: shows(Shelf, { label }),
})
const listing = { id: 'shelves.list', path: '/shelves', summary: '', access: 'tenant', reply: pageOf(Shelf) } as const
const [name, room] = [v.optional(v.string()), v.optional(v.string())]
const mail = declareJob('test.mail', v.object({ to: v.string(), times: v.number() }))
const sweep = declareJob('test.sweep', noPayload)
const one = { path: '/shelves/{id}', summary: '', access: 'tenant', reply: Shelf } as const
const words = { name: 'shelf_read', title: '', description: '' }
const handle = () => Promise.resolve({ id: '', sortOrder: 1, label: '' })
const reminded = { studentId: '', invoiceId: '', number: '', totalMinor: 1, currency: 'ILS', dueDate: '' } as const
`

/** A table for the records in these sources. */
const TABLES = `
import type { Defaulted, Fixed, TenantId } from '#kernel/contract/tables.ts'
declare module '#kernel/contract/tables.ts' {
  interface Tables {
    shelf: {
      id: Fixed<string>
      tenant_id: TenantId
      name: string
      sort_order: number
      room: string | null
      maker: Fixed<string | null>
      search_text: string
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
  }
}
`

/** Sources whose last statement must not compile. */
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
  ['a cron job that needs a payload', `export const cronJob: CronJob = { cron: '* * * * *', job: mail }`],
  ['a cron job by its name', `export const cronJob: CronJob = { cron: '* * * * *', job: 'test.sweep' }`],
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
  ['an event that is not in the contract', `tx.emit('student.vanished', { studentId: '' })`],
  ['an event that lacks a field', `tx.emit('enrollment.dropped', { enrollmentId: '', studentId: '', groupId: '' })`],
  [
    'an event with a field too many',
    `tx.emit('lesson.completed', { lessonId: '', courseId: '', studentId: '', grade: 1 })`,
  ],
  [
    'an event made elsewhere with a field too many',
    `const made = { ...reminded, paidMinor: 1, payer: '' }\ntx.emit('invoice.overdue', made)`,
  ],
  ['an event made elsewhere that lacks a field', `tx.emit('invoice.overdue', reminded)`],
  [
    'an event with a field of another type',
    `tx.emit('course.completed', { courseId: '', studentId: '', lessonCount: '3' })`,
  ],
  [
    'an event with a status that there is not',
    `tx.emit('student.status_changed', { studentId: '', previousStatus: 'active', status: 'gone' })`,
  ],
  [
    'a subscriber that reads what its event has not',
    `export const subscriber: EventSubscriber = async (_tx, events) => {\n  for (const { type, data } of events) if (type === 'tenant.locked') void data.studentId\n}`,
  ],
  [
    'a query with a parameter for which the list has no filter',
    `read({ ...listing, query: pageQuery({ name, room, maker: v.optional(v.string()) }), handle: shelvesList })`,
  ],
  [
    'a list with a filter for which the query has no parameter',
    `read({ ...listing, query: pageQuery({ name }), handle: shelvesList })`,
  ],
  [
    'a query with a parameter of another type than the filter’s',
    `read({ ...listing, query: pageQuery({ name, room: v.optional(v.number()) }), handle: shelvesList })`,
  ],
  [
    'a record with a field that is no column',
    `recordOf('shelf', { show: shows(v.object({ id: v.string(), colour: v.string() })) })`,
  ],
  [
    'a record with a field of another type than its column',
    `recordOf('shelf', { show: shows(v.object({ id: v.string(), sortOrder: v.string() })) })`,
  ],
  [
    'a record with a field that its column can leave empty',
    `recordOf('shelf', { show: shows(v.object({ id: v.string(), room: v.string() })) })`,
  ],
  [
    'a record with a field that is made of a column that there is not',
    `recordOf('shelf', { show: shows(Shelf, { label: (row: { title: string }) => row.title }) })`,
  ],
  [
    'a record without updated_at of a table that has one',
    `recordOf('shelf', { show: shows(v.object({ id: v.string() })), withoutUpdatedAt: true })`,
  ],
  ['a row to show that lacks a column', `shows(Shelf, { label })({ id: '', name: '' })`],
  ['a new record that lacks a field', `void createRecord(tx, shelfRecord, { sortOrder: 1 })`],
  ['a new record with a field too many', `void createRecord(tx, shelfRecord, { name: '', sortOrder: 1, colour: '' })`],
  [
    'a new record that says what follows from it',
    `void createRecord(tx, shelfRecord, { name: '', sortOrder: 1, searchText: '' })`,
  ],
  [
    'a change of a row that was not taken for update',
    `void findRow(tx.db, shelfRecord, '').then((row) => changeRecord(tx, shelfRecord, row, { name: '' }))`,
  ],
  [
    'a change of a field that is no column',
    `void lockRow(tx, shelfRecord, '').then((row) => changeRecord(tx, shelfRecord, row, { colour: '' }))`,
  ],
  [
    'a change of what stays as it was made',
    `void lockRow(tx, shelfRecord, '').then((row) => changeRecord(tx, shelfRecord, row, { maker: '' }))`,
  ],
  [
    'a delete of a row that others may come to name',
    `void lockRow(tx, shelfRecord, '').then((row) => deleteRecord(tx, shelfRecord, row))`,
  ],
  ['a tool that does not say of what its id is', `read({ ...one, id: 'shelves.read', tool: words, handle })`],
  [
    'a tool that names a parameter which its path does not have',
    `read({ ...one, id: 'shelves.read', tool: { ...words, params: { id: 'shelfId', room: 'roomId' } }, handle })`,
  ],
  [
    'a tool that changes something and does not say what it has done',
    `change({ ...one, id: 'shelves.move', method: 'POST', tool: { ...words, params: { id: 'shelfId' } }, handle })`,
  ],
  [
    'a tool that reads and says that it has done something',
    `read({ ...one, id: 'shelves.read', tool: { ...words, params: { id: 'shelfId' }, done: 'Done.' }, handle })`,
  ],
  ['the whole database where rows of an institute are read', `void findRow(everywhere, shelfRecord, '')`],
]

/** Sources that must compile: they show that a type does not refuse everything. */
const clean: [what: string, source: string][] = [
  ['a handle where rows of an institute are read', `void findRow(tx.db, shelfRecord, '')`],
  ['any handle where the reader takes any', `export const all = [shelves(tx.db), shelves(everywhere)]`],
  ['a job with its payload', `tx.enqueue(mail, { to: '', times: 1 }, { lane: 'a' })\ntx.enqueue(sweep, {})`],
  ['a cron job', `export const cronJob: CronJob = { cron: '* * * * *', job: sweep }`],
  [
    'a handler',
    `export const kind = jobKind(mail, {\n  load: async (_db, { to }) => to.length,\n  handle: async ({ payload: { times }, loaded }) => void (times + loaded),\n})`,
  ],
  ['an event', `tx.emit('invoice.overdue', { ...reminded, paidMinor: 0 })`],
  [
    'a record that is added, changed and deleted',
    `export const work = async (body: { name?: string | undefined; room?: string | null | undefined; version?: number | undefined }) => {
  const { id, label, sortOrder } = await createRecord(tx, shelfRecord, { name: '', sortOrder: 1, maker: '' })
  await changeRecord(tx, shelfRecord, await lockRow(tx, shelfRecord, id, body.version), body)
  await deleteRecord(tx, shelfRecord, await lockToDelete(tx, shelfRecord, id))
  return label.length + sortOrder
}`,
  ],
  [
    'a list with the filters of its query',
    `read({ ...listing, query: pageQuery({ name, room }), handle: shelvesList })`,
  ],
  [
    'tools',
    `read({ ...one, id: 'shelves.read', tool: { ...words, params: { id: 'shelfId' } }, handle })
change({ ...one, id: 'shelves.move', method: 'POST', tool: { ...words, params: { id: 'shelfId' }, done: 'Done.' }, handle })`,
  ],
  [
    'a subscriber',
    `export const subscriber: EventSubscriber = async (_tx, events) => {\n  for (const { type, data } of events) if (type === 'student.absent') void data.occurredOn.length\n}`,
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
  for (const part of ['shared', 'kernel', 'db', 'runtime']) {
    symlinkSync(path.join(root, 'src', part), path.join(folder, 'src', part))
  }
  writeFileSync(path.join(folder, 'src/planted/tables.ts'), TABLES)
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: path.join(root, 'tsconfig.json'),
      include: ['src/planted', 'src/runtime/change/tables.ts'],
    }),
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

/** Returns the files that do not compile. */
async function compile(cwd: string): Promise<Set<string>> {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  // The compiler exits with an error when it refuses something, and here it always does.
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--noEmit', '--pretty', 'false'], {
    cwd,
    maxBuffer: 1e8,
  }).catch((error: unknown) => error as { stdout: string })
  return new Set(stdout.split('\n').flatMap((line) => /^(\S+)\(\d+,\d+\): error/.exec(line)?.[1] ?? []))
}
