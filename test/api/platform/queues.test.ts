import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { GiveUp, jobKind } from '#kernel/contract/module.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { costsByTable, type Statement } from '#kit/query-plan.ts'
import { auditOf } from '#kit/sign-in.ts'

const job = declareJob('test.fragile', v.object({ n: v.number() }))
const statements: Statement[] = []
let works = false
const ran: number[] = []

let app: TestApp
let admin: TestPlatformAdmin
beforeAll(async () => {
  const handle = async ({ payload: { n } }: { payload: { n: number } }) => {
    if (!works) throw new GiveUp('The receiver is away.')
    ran.push(n)
  }
  app = await startApp({
    queryLog: ({ query }) => void statements.push({ sql: query.sql, parameters: query.parameters }),
    modules: [{ name: 'fragile', jobs: [jobKind(job, { handle })] }],
  })
  admin = await platformAdmin(app)
})
afterAll(() => app.close())

/** What a statement reads beside the jobs in one state, of which there is an index. */
const readsMore = async (statement: Statement): Promise<string[]> => {
  const { sqlite } = app.app.database
  if (!sqlite) return costsByTable(app, statement, true)
  // The function that counts what a list reads is one of the connection that lists are read on.
  const statementText = statement.sql.replace(/count_row\(\S+ and /, '')
  const steps = sqlite.prepare(`explain query plan ${statementText}`).all([...statement.parameters])
  return (steps as { detail: string }[]).flatMap(({ detail }) =>
    / job /.test(`${detail} `) && !/INDEX job_(?:lane|lease_until|kind)_/.test(detail) ? [detail] : [],
  )
}

const enqueue = (count: number, runAt?: string) =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    for (let n = 0; n < count; n += 1) unit.system().enqueue(job, { n }, runAt === undefined ? {} : { runAt })
  })

interface JobQueue {
  name: string
  pausedAt: string | null
  pauseReason: string | null
  queued: number
  running: number
  failed: number
  oldestQueuedAt: string | null
}
const queues = async (): Promise<JobQueue[]> => (await admin.get('/platform/queues')).body.data
const queue = async () => (await queues()).find(({ name }) => name === 'test.fragile')

const EMPTY: JobQueue = {
  name: 'test.fragile',
  pausedAt: null,
  pauseReason: null,
  queued: 0,
  running: 0,
  failed: 0,
  oldestQueuedAt: null,
}
const retry = (name: string) => admin.post(`/platform/queues/${name}/retry-failed`)

describe('the queues', () => {
  test('are the kinds of jobs by name, with what waits and what failed', async () => {
    const names = (await queues()).map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining(['billing.sweep-overdue', 'mail.send', 'test.fragile']))
    expect(await queue()).toEqual(EMPTY)
    const since = app.clock.now()
    await enqueue(2, '2027-01-01T00:00:00.000Z')
    app.clock.advance(60)
    await enqueue(3)
    expect(await queue()).toEqual({ ...EMPTY, queued: 5, oldestQueuedAt: since })
    await app.drain()
    expect(await queue()).toEqual({ ...EMPTY, queued: 2, failed: 3, oldestQueuedAt: since })
  })

  test('take failed jobs back once, and run them', async () => {
    works = true
    expect(await retry('test.fragile')).toMatchObject({
      status: 200,
      body: { name: 'test.fragile', retried: 3, failed: 0 },
    })
    const again = await Promise.all([retry('test.fragile'), retry('test.fragile')])
    expect(again.map(({ body }) => body.retried)).toEqual([0, 0])
    await app.drain()
    expect(ran.toSorted()).toEqual([0, 1, 2])
    expect(await queue()).toMatchObject({ queued: 2, failed: 0 })
    expect((await auditOf(app, 'platform-queues.retry-failed'))[0]).toMatchObject({
      actor_user_id: admin.userId,
      entity_type: 'job_queue',
      metadata: { name: 'test.fragile', retried: 3 },
    })
  })

  test('of a kind that is not there are 404; what failed of a kind that an earlier version had is there', async () => {
    expect(await retry('test.nothing')).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    await app.app.database.write((db) =>
      db
        .updateTable('job')
        .set({ state: 'dead', kind: 'test.gone' } as never)
        .where('state', '=', 'queued')
        .execute(),
    )
    expect((await queues()).find(({ name }) => name === 'test.gone')).toMatchObject({ failed: 2 })
    expect((await retry('test.gone')).body).toMatchObject({ retried: 2 })
  })

  test('are counted, and their jobs listed, without reading the jobs that ended well', async () => {
    const rows =
      engine === 'postgres'
        ? `generate_series(1, 100000) as n`
        : `(with recursive s(n) as (select 1 union all select n + 1 from s where n < 100000) select n from s)`
    const id = engine === 'postgres' ? 'gen_random_uuid()' : `printf('%08x-0000-7000-8000-%012x', n, n)`
    const at = `'${app.clock.now()}'`
    await app.app.database.write((db) =>
      db.executeQuery(
        CompiledQuery.raw(
          `insert into job (id, kind, lane, payload, run_at, state, max_attempts, created_at, finished_at)
           select ${id}, 'mail.send', 'mail.send', '{}', ${at}, 'done', 5, ${at}, ${at} from ${rows}`,
        ),
      ),
    )
    if (engine === 'postgres') await app.app.database.write((db) => db.executeQuery(CompiledQuery.raw('analyze job')))
    statements.length = 0
    await queues()
    const counts = statements.filter(({ sql }) => sql.includes('group by'))
    expect(counts).toHaveLength(4)
    for (const statement of counts) expect(await readsMore(statement)).toEqual([])

    statements.length = 0
    for (const state of ['queued', 'paused', 'running', 'failed']) {
      expect((await admin.get(`/platform/jobs?state=${state}`)).status).toBe(200)
      expect((await admin.get(`/platform/jobs?state=${state}&name=mail.send`)).status).toBe(200)
    }
    const lists = statements.filter(({ sql }) => sql.startsWith('select * from "job"'))
    expect(lists).toHaveLength(8)
    for (const statement of lists) expect(await readsMore(statement)).toEqual([])
  })
})
