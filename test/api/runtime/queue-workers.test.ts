import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plusSeconds } from '#kernel/time/clock.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { TestQueue } from '#kit/test-queue.ts'

/** Several workers on the same jobs, as several processes of a cloud have them. */

let app: TestApp
let own: TestQueue
const statements: string[] = []

beforeEach(async () => {
  statements.length = 0
  app = await startApp({ queryLog: ({ query }) => statements.push(query.sql) })
  own = new TestQueue(app)
})
afterEach(() => app.close())

const deferred = () => Promise.withResolvers<void>()

test('a run that fails after another worker took its job changes nothing of that job', async () => {
  const started = [deferred(), deferred()]
  const ends = [deferred(), deferred()]
  own.handle('slow', async ({ attempt }) => {
    started[attempt - 1]?.resolve()
    await ends[attempt - 1]?.promise
    if (attempt === 1) throw new Error('too late')
  })
  await own.enqueue({ kind: 'slow' })
  const first = own.queue.drain()
  await started[0]?.promise
  app.clock.advance(20)
  const second = own.newQueue().drain()
  await started[1]?.promise
  const taken = await own.jobs()
  expect(taken).toMatchObject([{ state: 'running', attempts: 2, fence: 2 }])
  ends[0]?.resolve()
  await first
  expect(await own.jobs()).toEqual(taken)
  ends[1]?.resolve()
  await second
  expect(await own.jobs()).toMatchObject([{ state: 'done', attempts: 2 }])
})

test('a worker that lives keeps its job for as long as it takes: no other one gets it', async () => {
  const [started, end] = [deferred(), deferred()]
  own.handle('slow', async () => {
    started.resolve()
    await end.promise
  })
  await own.enqueue({ kind: 'slow' })
  const drains = [own.queue.drain()]
  await started.promise
  const leases = async () => (await own.jobs()).map((job) => job.lease_until)
  for (let times = 0; times < 3; times += 1) {
    app.clock.advance(15)
    drains.push(own.queue.drain())
    await expect.poll(leases).toEqual([plusSeconds(app.clock.now(), 20)])
  }
  expect(await own.newQueue().drain()).toBe(0)
  end.resolve()
  await Promise.all(drains)
  expect(await own.jobs()).toMatchObject([{ state: 'done', attempts: 1 }])
})

test('of jobs that end together, only the one that another worker took meanwhile is not ended', async () => {
  const started = [deferred(), deferred(), deferred()]
  const release = deferred()
  own.handle('slow', async ({ payload, attempt }) => {
    if (attempt > 1) return
    started[payload.n as number]?.resolve()
    await release.promise
  })
  await own.enqueue({ kind: 'slow', count: 3 })
  const drained = own.queue.drain()
  await Promise.all(started.map(({ promise }) => promise))
  // As when the first worker had stood still for longer than its lease, and the second runs it now.
  const [, taken] = await own.jobs()
  const { id, fence } = taken as { id: string; fence: number }
  await app.app.database.write((db) =>
    db
      .updateTable('job')
      .set({ fence: fence + 1, attempts: 2 })
      .where('id', '=', id)
      .execute(),
  )
  release.resolve()
  await drained
  expect(await own.jobs()).toMatchObject([
    { state: 'done', attempts: 1 },
    { state: 'running', attempts: 2, fence: fence + 1 },
    { state: 'done', attempts: 1 },
  ])
})

test.skipIf(engine === 'sqlite')(
  'a job of one process wakes the others: they need not look by themselves',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const other = own.newQueue()
    try {
      await other.start()
    } finally {
      vi.useRealTimers()
    }
    // It looks once when it starts; its clock, which would make it look again, stands still.
    await expect.poll(() => statements.some((sql) => sql.includes('from lanes'))).toBe(true)
    await own.enqueue({ n: 'told' })
    await expect.poll(() => own.ran).toEqual(['told'])
    await other.stop(1000)
  },
)
