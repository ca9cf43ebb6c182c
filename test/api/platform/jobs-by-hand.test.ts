import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import { GiveUp, jobKind } from '#kernel/contract/module.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/sign-in.ts'

const numbered = v.object({ n: v.number() })
const steady = declareJob('test.steady', numbered)
const fragile = declareJob('test.fragile', numbered)
const endless = declareJob('test.endless', numbered)
const ran: string[] = []
let works = true
let release = (): void => {}

let app: TestApp
let admin: TestPlatformAdmin
let institute: { id: string; slug: string }
beforeAll(async () => {
  app = await startApp({
    modules: [
      {
        name: 'by-hand',
        jobs: [
          jobKind(steady, { handle: async ({ payload: { n } }) => void ran.push(`steady ${n}`) }),
          jobKind(fragile, {
            handle: async ({ payload: { n } }) => {
              if (!works) throw n < 0 ? new GiveUp('The receiver is gone.') : new Error('The receiver is away.')
              ran.push(`fragile ${n}`)
            },
            retrySeconds: [600],
          }),
          jobKind(endless, { handle: () => new Promise((resolve) => (release = resolve)) }),
        ],
      },
    ],
  })
  admin = await platformAdmin(app)
  institute = (await makeInstitute(app)).tenant
})
afterAll(() => app.close())
beforeEach(() => {
  ran.length = 0
  works = true
})

type Kind = typeof steady
const make = (job: Kind, n: number, lane?: string) =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.system().enqueue(job, { n }, lane === undefined ? {} : { lane })
  })

interface Job {
  id: string
  state: string
  attempts: number
  lastError: string | null
}
const jobs = async (query: string): Promise<Job[]> => (await admin.get(`/platform/jobs?${query}`)).body.data
const queue = async (name: string) =>
  (await admin.get('/platform/queues')).body.data.find((one: { name: string }) => one.name === name)
const WHY = 'The mail server is away.'
const act = (name: string, action: 'pause' | 'resume', reason = WHY) =>
  admin.post(`/platform/queues/${name}/${action}`, action === 'pause' ? { reason } : undefined)

describe('a kind of job that is paused', () => {
  test('starts no job, old or new, and others go on; all run once it is resumed', async () => {
    await make(steady, 1)
    const since = app.clock.now()
    expect(await act('test.steady', 'pause')).toMatchObject({
      status: 200,
      body: { name: 'test.steady', pausedAt: since, pauseReason: WHY, queued: 1, running: 0, failed: 0 },
    })
    await make(steady, 2, laneIn(institute.id, 'tell'))
    await make(fragile, 3, laneIn(institute.id, 'tell'))
    await app.drain()
    expect(ran).toEqual(['fragile 3'])
    expect(await queue('test.steady')).toMatchObject({ pausedAt: since, queued: 2, oldestQueuedAt: since })
    expect(await jobs('state=paused&name=test.steady')).toMatchObject([{ attempts: 0 }, { attempts: 0 }])
    // Paused once more, it is the same pause.
    app.clock.advance(60)
    expect((await act('test.steady', 'pause', 'Another reason.')).body).toMatchObject({
      pausedAt: since,
      pauseReason: WHY,
    })
    expect((await act('test.steady', 'pause', ' ')).status).toBe(422)

    expect(await act('test.steady', 'resume')).toMatchObject({
      status: 200,
      body: { pausedAt: null, pauseReason: null, queued: 2 },
    })
    expect(await jobs('state=paused')).toEqual([])
    await app.drain()
    expect(ran).toEqual(['fragile 3', 'steady 1', 'steady 2'])
    expect((await auditOf(app, 'platform-queues.pause'))[0]).toMatchObject({
      actor_user_id: admin.userId,
      entity_type: 'job_queue',
      metadata: { name: 'test.steady', reason: WHY },
    })
    expect(await auditOf(app, 'platform-queues.resume')).toHaveLength(1)
  })

  test('gets back what a claim lays aside while it is resumed', async () => {
    await make(steady, 1)
    await act('test.steady', 'pause')
    await app.drain()
    // As the claim leaves it that saw the pause just before its end.
    await app.app.database.write((db) => db.deleteFrom('job_pause').execute())
    expect(await jobs('state=paused')).toHaveLength(1)
    await app.drain()
    expect(ran).toEqual(['steady 1'])
  })

  test('of which there is none is 404', async () => {
    for (const action of ['pause', 'resume'] as const) {
      expect(await act('test.nothing', action)).toMatchObject({ status: 404 })
    }
    expect(await app.app.database.read.selectFrom('job_pause').selectAll().execute()).toEqual([])
  })
})

describe('a job', () => {
  test('that failed is listed with the reason, without what it was to do, and runs again', async () => {
    works = false
    await make(fragile, -1, laneIn(institute.id, 'tell'))
    await make(fragile, 2)
    await app.drain()
    const [gone] = await jobs('name=test.fragile')
    expect(gone).toEqual({
      id: expect.any(String),
      name: 'test.fragile',
      tenantId: null,
      lane: `${institute.id}:tell`,
      state: 'failed',
      attempts: 1,
      maxAttempts: 5,
      runAt: app.clock.now(),
      lastError: 'The receiver is gone.',
      createdAt: app.clock.now(),
    })
    const [waits] = await jobs('state=queued&name=test.fragile')
    expect(waits).toMatchObject({ state: 'queued', attempts: 1, lastError: 'The receiver is away.' })
    works = true
    for (const job of [gone, waits]) {
      expect(await admin.post(`/platform/jobs/${job?.id}/retry`)).toMatchObject({
        status: 200,
        body: { id: job?.id, name: 'test.fragile' },
      })
    }
    await app.drain()
    expect(ran.toSorted()).toEqual(['fragile -1', 'fragile 2'])
    expect((await auditOf(app, 'platform-jobs.retry'))[0]).toMatchObject({
      entity_type: 'job',
      entity_id: expect.any(String),
      metadata: { name: 'test.fragile', tenantId: null },
    })
    expect(await admin.post(`/platform/jobs/${gone?.id}/retry`)).toMatchObject({ status: 404 })
  })

  test('that waits or failed is dropped, and never runs', async () => {
    works = false
    await make(fragile, -1)
    await app.drain()
    await act('test.steady', 'pause')
    await make(steady, 1)
    await app.drain()
    await make(steady, 2)
    const dropped = [...(await jobs('')), ...(await jobs('state=paused')), ...(await jobs('state=queued'))].filter(
      ({ attempts, state }) => state !== 'queued' || attempts === 0,
    )
    expect(dropped.map(({ state }) => state)).toEqual(['failed', 'paused', 'queued'])
    for (const { id } of dropped) {
      expect(await admin.delete(`/platform/jobs/${id}`)).toMatchObject({ status: 200, body: { id } })
      expect(await admin.delete(`/platform/jobs/${id}`)).toMatchObject({ status: 404 })
    }
    works = true
    await act('test.steady', 'resume')
    await app.drain()
    expect(ran).toEqual([])
    expect(await auditOf(app, 'platform-jobs.drop')).toHaveLength(3)
  })

  test('that runs, or waits and has not failed, is refused', async () => {
    await act('test.steady', 'pause')
    await make(steady, 1)
    const [waits] = await jobs('state=queued&name=test.steady')
    expect(await admin.post(`/platform/jobs/${waits?.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { reason: 'job_has_not_failed' } } },
    })
    await admin.delete(`/platform/jobs/${waits?.id}`)
    await act('test.steady', 'resume')

    await make(endless, 1)
    const drained = app.drain()
    await expect.poll(() => jobs('state=running')).toHaveLength(1)
    const [runs] = await jobs('state=running')
    expect(await admin.post(`/platform/jobs/${runs?.id}/retry`)).toMatchObject({ status: 409 })
    expect(await admin.delete(`/platform/jobs/${runs?.id}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { reason: 'job_runs' } } },
    })
    release()
    await drained
    expect(await jobs('state=running')).toEqual([])
  })

  test('is found by its kind and its institute, a page at a time', async () => {
    await act('test.steady', 'pause')
    for (const n of [1, 2, 3]) await make(steady, n)
    const first = (await admin.get('/platform/jobs?state=queued&name=test.steady&limit=2')).body
    const rest = (await admin.get(`/platform/jobs?state=queued&name=test.steady&limit=2&cursor=${first.nextCursor}`))
      .body
    expect([first.data.length, rest.data.length, rest.nextCursor]).toEqual([2, 1, null])
    expect(await jobs(`state=queued&tenantId=${institute.id}`)).toEqual([])
    for (const { id } of [...first.data, ...rest.data]) await admin.delete(`/platform/jobs/${id}`)
    await act('test.steady', 'resume')
  })
})

test('lanes are those in which most waits, with the institute', async () => {
  await act('test.steady', 'pause')
  for (const n of [1, 2, 3]) await make(steady, n, laneIn(institute.id, 'tell'))
  await make(steady, 4)
  const { lanes, data } = (await admin.get('/platform/lanes')).body
  expect(lanes).toBe(data.length)
  expect(data[0]).toEqual({
    lane: `${institute.id}:tell`,
    tenantId: institute.id,
    tenantSlug: institute.slug,
    queued: 3,
    running: 0,
    oldestQueuedAt: app.clock.now(),
  })
  // Laid aside, they are in the same lane.
  await app.drain()
  expect((await admin.get('/platform/lanes?limit=1')).body.data).toEqual([data[0]])
  await act('test.steady', 'resume')
})
