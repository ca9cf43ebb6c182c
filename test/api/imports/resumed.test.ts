import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesOf } from '#app/data-dir/files.ts'
import { ReaderEnded, type OpenTable } from '#ports/tables/port.ts'
import { openTable } from '#ports/tables/open-table.ts'
import { runImport } from '../../../src/modules/imports/run.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { countsOf, errorsOf, lines, tableOf } from './importing.ts'

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const ROWS = 60

const SYSTEM = systemAuditContext('imports.run')

const table = (name: string, ten: string): string =>
  lines(
    'Name,Phone,Mother name,Mother phone',
    ...Array.from({ length: ROWS }, (_, at) => {
      const number = String(at).padStart(5, '0')
      // Each tenth row is refused.
      return `${name} ${number},${at % 10 === 9 ? '12' : `050${ten}${number}`},Ruth ${number},052${ten}${number}`
    }),
  )

/** Runs an import, until it has begun so many transactions, where its process ends. */
const run = (importId: string, transactions: number, open: OpenTable = openTable): Promise<void> => {
  const { runtime } = app.app
  let begun = 0
  const payload = { tenantId: school.tenant.id, importId }
  const as =
    (context: Parameters<typeof runInTransaction>[1]) =>
    <T>(work: (tx: never) => Promise<T>): Promise<T> => {
      begun += 1
      if (begun > transactions) throw new Error('the process has ended')
      return runInTransaction(runtime, context, (unit) => work(unit.system() as never))
    }
  const system = as(SYSTEM)
  return runImport(
    {
      payload,
      now: runtime.clock.now(),
      signal: new AbortController().signal,
      change: system,
      changeFor: ((asker: object, work: never) =>
        as({ ...(asker as typeof SYSTEM), action: 'imports.run' })(work)) as never,
      finish: system,
    },
    { files: filesOf(app), openTable: open, pace: { sliceMillis: 12, mostRows: 100, pauseMillis: 0 } },
  )
}

const runUntil = (importId: string, transactions: number): Promise<void> =>
  expect(run(importId, transactions)).rejects.toThrow('the process has ended')

const begin = async (content: string, more: object): Promise<string> => {
  const fileId = await tableOf(app, school.owner, content)
  return (await school.owner.post('/imports', { kind: 'students', fileId, ...more })).body.id
}

const ended = async (id: string) => {
  await app.drain()
  return (await school.owner.get(`/imports/${id}`)).body
}

const namesOf = async (of: 'student' | 'guardian'): Promise<string[]> => {
  const rows = app.app.database.schema.selectFrom(of).select(['first_name', 'last_name'])
  return (await rows.where('tenant_id', '=', school.tenant.id).execute()).map(
    (row) => `${row.first_name} ${row.last_name}`,
  )
}

describe('an import whose process ends', () => {
  test('goes on where it was, and does nothing twice', async () => {
    const id = await begin(table('Kept', '11'), {})
    for (const transactions of [6, 7]) await runUntil(id, transactions)
    const half = (await school.owner.get(`/imports/${id}`)).body
    expect(half.status).toBe('running')
    expect(half.created).toBeGreaterThan(0)
    expect(half.created + half.refused).toBeLessThan(ROWS)
    const done = await ended(id)
    expect(countsOf(done)).toEqual({ rows: ROWS, created: 54, updated: 0, unchanged: 0, refused: 6 })
    const names = (await namesOf('student')).filter((name) => name.startsWith('Kept'))
    expect([names.length, new Set(names).size]).toEqual([54, 54])
    expect((await namesOf('guardian')).length).toBe(54)
    const csv = String((await school.owner.get(`/imports/${id}/refused`)).body)
    expect(csv.trim().split('\r\n')).toHaveLength(7)
  })

  test('tries all rows anew where nothing was written yet', async () => {
    const id = await begin(table('Tried', '12'), { dryRun: true })
    for (const transactions of [7]) await runUntil(id, transactions)
    const done = await ended(id)
    expect(countsOf(done)).toEqual({ rows: ROWS, created: 54, updated: 0, unchanged: 0, refused: 6 })
    expect(done.checked).toBe(ROWS)
    expect((await namesOf('student')).filter((name) => name.startsWith('Tried'))).toEqual([])
  })
})

test('the plan’s room counts over all slices, also where nothing is kept', async () => {
  const small = await makeInstitute(app)
  await app.app.database.schema
    .updateTable('tenant')
    .set({ plan_quotas: JSON.stringify({ maxStudents: 50 }) as never })
    .where('id', '=', small.tenant.id)
    .execute()
  const fileId = await tableOf(app, small.owner, table('Quota', '13'))
  for (const dryRun of [true, false]) {
    const { body } = await small.owner.post('/imports', { kind: 'students', fileId, dryRun })
    await app.drain()
    const done = (await small.owner.get(`/imports/${body.id}`)).body
    expect(countsOf(done)).toMatchObject({ created: 50, refused: 10 })
    expect(errorsOf(done)).toContain('57 null quota_exceeded')
  }
})

test('a file that is gone ends the import', async () => {
  const fileId = await tableOf(app, school.owner, table('Gone', '14'))
  const { body } = await school.owner.post('/imports', { kind: 'students', fileId })
  await school.owner.delete(`/files/${fileId}`)
  const files = filesOf(app)
  for await (const { key } of files.list('objects')) await files.remove(key)
  const done = await ended(body.id)
  expect([done.status, errorsOf(done)]).toEqual(['failed', ['null null file_gone']])
})

describe('an import whose file ends what reads it', () => {
  const ends: OpenTable = () => Promise.reject(new ReaderEnded('SIGKILL'))
  const neverAgain: OpenTable = () => Promise.reject(new Error('it was read once more'))
  /** What becomes of it when it is worked on once more. */
  const verdict = async (id: string): Promise<unknown[]> => {
    await run(id, Infinity, neverAgain)
    const done = await ended(id)
    return [done.status, errorsOf(done)]
  }
  const FAILED = ['failed', ['null null reader_ended']]

  test('is read twice', async () => {
    const id = await begin(table('Hostile', '15'), {})
    for (const _ of [1, 2]) await expect(run(id, Infinity, ends)).rejects.toThrow(ReaderEnded)
    expect(await verdict(id)).toEqual(FAILED)
  })

  test('is read twice, also where this process ends with it', async () => {
    const id = await begin(table('Worse', '16'), {})
    // The third transaction finds the file, and the fourth would say that it is read.
    for (const _ of [1, 2]) await runUntil(id, 3)
    expect(await verdict(id)).toEqual(FAILED)
  })

  test('is read twice, also where that which hands out the rows ends', async () => {
    const id = await begin(table('Late', '17'), {})
    const endsLater: OpenTable = async () => ({
      heads: ['Name'],
      count: 1,
      totals: [],
      rows: ends as never,
      close: async () => {},
    })
    for (const _ of [1, 2]) await expect(run(id, Infinity, endsLater)).rejects.toThrow(ReaderEnded)
    expect(await verdict(id)).toEqual(FAILED)
  })

  test('is another thing than a storage that cannot be reached', async () => {
    const id = await begin(table('Patient', '18'), {})
    const unreachable: OpenTable = () => Promise.reject(new Error('the storage is gone'))
    for (const _ of [1, 2, 3]) await expect(run(id, Infinity, unreachable)).rejects.toThrow('the storage is gone')
    expect(countsOf(await ended(id))).toMatchObject({ rows: ROWS, created: 54, refused: 6 })
  })
})
