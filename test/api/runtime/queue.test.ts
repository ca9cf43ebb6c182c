import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { declareJob } from '#kernel/contract/job.ts'
import { GiveUp, jobKind } from '#kernel/contract/module.ts'
import { sweepJob } from '#runtime/queue/housekeeping.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { note, TestQueue, type More } from '#kit/test-queue.ts'

let app: TestApp
let own: TestQueue

beforeEach(async () => {
  app = await startApp()
  own = new TestQueue(app)
})
afterEach(() => app.close())

const deferred = () => Promise.withResolvers<void>()
const inSeconds = (seconds: number) => new Date(app.clock.millis() + seconds * 1000).toISOString()

describe('a job', () => {
  test('is committed with its transaction, or not at all', async () => {
    const undone = runInTransaction(own.runtime, systemAuditContext('test'), async (unit) => {
      unit.system().enqueue(note, {})
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await own.jobs()).toEqual([])
    await own.enqueue({ n: 'kept' })
    expect(await own.queue.drain()).toBe(1)
    expect(own.ran).toEqual(['kept'])
    expect(await own.jobs()).toMatchObject([
      { state: 'done', attempts: 1, finished_at: app.clock.now(), last_error: null },
    ])
  })

  test('runs when it is due, not earlier', async () => {
    await own.enqueue({ runAt: inSeconds(60) })
    app.clock.advance(59.999)
    expect(await own.queue.drain()).toBe(0)
    app.clock.advance(0.001)
    expect(await own.queue.drain()).toBe(1)
  })

  test('with a unique key that exists already is not made, even if that job is done', async () => {
    await Promise.all(Array.from({ length: 5 }, () => own.enqueue({ uniqueKey: 'slot 1' })))
    await own.queue.drain()
    await own.enqueue({ uniqueKey: 'slot 1' })
    await own.enqueue({ uniqueKey: 'slot 2' })
    await own.queue.drain()
    expect(own.ran).toHaveLength(2)
  })

  test('drain also runs the jobs that jobs enqueue, and returns how many ran', async () => {
    own.handle('parent', ({ change }) => change(async (tx) => tx.enqueue(note, { n: 'child' })))
    await own.enqueue({ kind: 'parent', count: 3 })
    expect(await own.queue.drain()).toBe(6)
    expect(own.ran).toEqual(['child', 'child', 'child'])
  })

  test('gets the data that its kind loads, read in the transaction that claimed it', async () => {
    const states: unknown[] = []
    own.handle('loading', async ({ loaded, payload }) => void states.push([payload.n, loaded]), {
      load: async (db, { n }) => {
        const running = await db.selectFrom('job').select('id').where('state', '=', 'running').execute()
        return { n, running: running.length }
      },
    })
    await own.enqueue({ kind: 'loading', count: 3 })
    await own.queue.drain()
    expect(states.toSorted()).toEqual([0, 1, 2].map((n) => [n, { n, running: 3 }]))
  })

  test('is not claimed when its data cannot be loaded, and is claimed later', async () => {
    let isBroken = true
    own.handle('loading', async ({ loaded }) => void own.ran.push(loaded), {
      load: async () => {
        if (isBroken) throw new Error('the database is away')
        return 'there'
      },
    })
    await own.enqueue({ kind: 'loading' })
    await expect(own.queue.drain()).rejects.toThrow('the database is away')
    expect(await own.jobs()).toMatchObject([{ state: 'queued', attempts: 0 }])
    isBroken = false
    await own.queue.drain()
    expect(own.ran).toEqual(['there'])
  })

  test('frees its lane for the next job when it begins to end', async () => {
    const ending = deferred()
    let begun = 0
    own.handle('narrow', async ({ finish }) => {
      begun += 1
      await finish(() => Promise.resolve())
      await ending.promise
    })
    await own.enqueue({ kind: 'narrow', count: 20 })
    await own.queue.start()
    await expect.poll(() => begun).toBe(20)
    ending.resolve()
    await own.queue.stop(1000)
  })

  test('is run by one of many concurrent workers', async () => {
    await own.enqueue({ count: 100 })
    const workers = Array.from({ length: 4 }, () => own.newQueue())
    await Promise.all(workers.map((worker) => worker.drain()))
    expect(own.ran.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })
})

describe('a job that fails', () => {
  test('runs again after 1 s, 10 s, 1 min and 10 min, and is dead after the fifth run', async () => {
    own.handle('broken', async () => {
      throw new Error('no luck')
    })
    await own.enqueue({ kind: 'broken' })
    for (const wait of [1, 10, 60, 600]) {
      expect(await own.queue.drain()).toBe(1)
      expect(await own.jobs()).toMatchObject([{ state: 'queued', run_at: inSeconds(wait), last_error: 'no luck' }])
      app.clock.advance(wait - 0.001)
      expect(await own.queue.drain()).toBe(0)
      app.clock.advance(0.001)
    }
    expect(await own.queue.drain()).toBe(1)
    expect(await own.jobs()).toMatchObject([{ state: 'dead', attempts: 5, finished_at: app.clock.now() }])
    app.clock.advance(24 * 3600)
    expect(await own.queue.drain()).toBe(0)
  })

  test('uses the retry waits and the number of runs of its kind', async () => {
    own.handle('own', () => Promise.reject(new Error('no luck')), { maxAttempts: 3, retrySeconds: [7] })
    await own.enqueue({ kind: 'own' })
    for (const state of ['queued', 'queued', 'dead']) {
      await own.queue.drain()
      expect(await own.jobs()).toMatchObject([{ state }])
      app.clock.advance(7)
    }
  })

  test('is dead at once when its handler gives up', async () => {
    own.handle('hopeless', () => Promise.reject(new GiveUp('never')))
    await own.enqueue({ kind: 'hopeless' })
    await own.queue.drain()
    expect(await own.jobs()).toMatchObject([{ state: 'dead', attempts: 1, last_error: 'never' }])
  })

  test('is dead at once, before its data is loaded, when its payload is of another version; the error reveals no value', async () => {
    let reads = 0
    const typed = declareJob('typed', v.object({ to: v.string(), times: v.number() }))
    const load = async () => void (reads += 1)
    own.kinds.set('typed', jobKind(typed, { load, handle: async ({ payload }) => void own.ran.push(payload.times) }))
    const make = (to: string) =>
      runInTransaction(own.runtime, systemAuditContext('test'), async (unit) =>
        unit.system().enqueue(typed, { to, times: 2 }),
      )
    await make('lost@example.org')
    const payload = { to: ['lost@example.org'], often: 'secret' }
    await app.app.database.write((db) => db.updateTable('job').set({ payload }).execute())
    await make('good@example.org')
    expect(await own.queue.drain()).toBe(2)
    expect(own.ran).toEqual([2])
    expect(reads).toBe(1)
    expect(await own.jobs()).toMatchObject([
      { state: 'dead', attempts: 1, last_error: 'The payload is not one of the job typed: to, times.' },
      { state: 'done' },
    ])
    app.clock.advance(24 * 3600)
    expect(await own.queue.drain()).toBe(0)
  })

  test('of an unknown kind waits for a version that knows it', async () => {
    await own.enqueue({ kind: 'unknown' })
    await own.queue.drain()
    expect(await own.jobs()).toMatchObject([{ state: 'queued', last_error: 'There is no job of the kind unknown.' }])
  })

  test('rolls back its finish as well', async () => {
    own.handle('half', async ({ finish }) => {
      await finish(async (tx) => {
        tx.enqueue(note, { n: 'half' })
        throw new Error('on the way')
      })
    })
    await own.enqueue({ kind: 'half' })
    await own.queue.drain()
    expect(own.ran).toEqual([])
    expect(await own.jobs()).toMatchObject([{ kind: 'half', state: 'queued', last_error: 'on the way' }])
  })
})

describe('a worker that died', () => {
  /** A job whose first run waits until it is released; the finish of every run makes a note. */
  const stopping = async (more: More<unknown> = {}) => {
    const started = deferred()
    const stopped = deferred()
    own.handle(
      'slow',
      async ({ attempt, finish }) => {
        if (attempt === 1) {
          started.resolve()
          await stopped.promise
        }
        await finish(async (tx) => tx.enqueue(note, { n: attempt }))
      },
      more,
    )
    await own.enqueue({ kind: 'slow' })
    const drained = own.queue.drain()
    await started.promise
    return async () => {
      stopped.resolve()
      await drained
    }
  }

  test('loses its job when the lease ends; what it finishes later is discarded', async () => {
    const goOn = await stopping()
    app.clock.advance(19.999)
    expect(await own.newQueue().drain()).toBe(0)
    app.clock.advance(0.001)
    expect(await own.newQueue().drain()).toBe(2)
    expect(own.ran).toEqual([2])
    await goOn()
    expect(own.ran).toEqual([2])
    expect(await own.jobs()).toMatchObject([
      { kind: 'slow', state: 'done', attempts: 2, fence: 2 },
      { kind: 'note', state: 'done' },
    ])
  })

  test('keeps what it finishes if no other worker took the job', async () => {
    const goOn = await stopping()
    app.clock.advance(3600)
    await goOn()
    expect(own.ran).toEqual([1])
  })

  test('takes its own jobs back at once when it restarts alone', async () => {
    const goOn = await stopping()
    const next = own.newQueue(true)
    await next.start()
    await expect.poll(() => own.ran).toEqual([2])
    await next.stop(1000)
    await goOn()
    expect(own.ran).toEqual([2])
  })

  test('gets its job back at once the first time, then after longer and longer waits', async () => {
    const ends: ReturnType<typeof deferred>[] = []
    const started: ReturnType<typeof deferred>[] = Array.from({ length: 5 }, deferred)
    own.handle('slow', async ({ attempt }) => {
      started[attempt - 1]?.resolve()
      const end = deferred()
      ends.push(end)
      await end.promise
    })
    await own.enqueue({ kind: 'slow' })
    const workers: Promise<unknown>[] = []
    for (const [deaths, wait] of [0, 0, 1, 10, 60].entries()) {
      if (wait > 0) {
        app.clock.advance(wait - 0.001)
        expect(await own.newQueue().drain()).toBe(0)
        app.clock.advance(0.001)
      }
      workers.push(own.newQueue().drain())
      await started[deaths]?.promise
      app.clock.advance(20)
      // Another worker finds that this one died.
      if (deaths > 0) expect(await own.newQueue().drain()).toBe(0)
    }
    expect(await own.jobs()).toMatchObject([{ kind: 'slow', state: 'dead', attempts: 5 }])
    for (const end of ends) end.resolve()
    await Promise.all(workers)
  })

  test('leaves a job dead that was at its last run', async () => {
    const goOn = await stopping({ maxAttempts: 1 })
    app.clock.advance(20)
    expect(await own.newQueue().drain()).toBe(0)
    expect(await own.jobs()).toMatchObject([
      { state: 'dead', attempts: 1, last_error: 'The worker ended while it ran this job.' },
    ])
    await goOn()
    expect(own.ran).toEqual([])
  })
})

describe('lanes', () => {
  let release: () => void
  /** Jobs that end only when they are released. */
  const hanging = () => {
    const { promise, resolve } = deferred()
    release = resolve
    own.handle('hang', () => promise)
  }

  test('a lane with hanging jobs does not delay others, however many jobs it holds', async () => {
    hanging()
    await own.enqueue({ kind: 'hang', count: 1000, lane: 'a' })
    await own.queue.start()
    await expect.poll(async () => (await own.jobs()).filter(({ state }) => state === 'running').length).toBe(16)
    await own.enqueue({ count: 100, lane: 'b' })
    await expect.poll(() => own.ran.length).toBe(100)
    await app.app.database.write((db) => db.deleteFrom('job').where('state', '=', 'queued').execute())
    release()
    await own.queue.stop(1000)
  })

  test('when as many lanes hang as there are workers’ places, one more lane still runs', async () => {
    hanging()
    for (let lane = 10; lane < 73; lane += 1) await own.enqueue({ kind: 'hang', count: 10, lane: `a${lane}` })
    await own.queue.start()
    await expect.poll(async () => (await own.jobs()).filter(({ state }) => state === 'running').length).toBe(63)
    await own.enqueue({ count: 20, lane: 'z' })
    await expect.poll(() => own.ran.length).toBe(20)
    await app.app.database.write((db) => db.deleteFrom('job').where('state', '=', 'queued').execute())
    release()
    await own.queue.stop(1000)
  })

  test.each([
    { lanes: 20, each: 20, within: 20 * 16 },
    { lanes: 300, each: 3, within: 300 },
  ])('take turns: of $lanes, the first job of each is among the first $within', async ({ lanes, each, within }) => {
    for (let lane = 0; lane < lanes; lane += 1) await own.enqueue({ count: each, lane: `lane ${lane}`, n: lane })
    await own.queue.drain()
    expect(own.ran).toHaveLength(lanes * each)
    expect(new Set(own.ran.slice(0, within)).size).toBe(lanes)
  })
})

describe('stopping', () => {
  test('waits for running jobs, signals them, and claims no more', async () => {
    const started = deferred()
    own.handle('long', async ({ signal }) => {
      started.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      own.ran.push('ended')
    })
    await own.queue.start()
    await own.enqueue({ kind: 'long' })
    await started.promise
    await own.queue.stop(5000)
    expect(own.ran).toEqual(['ended'])
    await own.enqueue({ n: 'later' })
    expect(own.ran).toEqual(['ended'])
    expect(await own.jobs()).toMatchObject([{ state: 'done' }, { state: 'queued' }])
  })

  test('abandons a job at the deadline: it runs again when its lease ends', async () => {
    const started = deferred()
    const stuck = deferred()
    own.handle('stuck', () => {
      started.resolve()
      return stuck.promise
    })
    await own.queue.start()
    await own.enqueue({ kind: 'stuck' })
    await started.promise
    await own.queue.stop(10)
    expect(await own.jobs()).toMatchObject([{ state: 'running' }])
    stuck.resolve()
  })
})

test('finished jobs are deleted after a day; dead and waiting ones are not', async () => {
  own.handle('hopeless', () => Promise.reject(new GiveUp('never')))
  await own.enqueue({ count: 3 })
  await own.enqueue({ kind: 'hopeless' })
  await own.queue.drain()
  app.clock.advance(24 * 3600)
  await own.enqueue({ n: 'fresh' })
  await own.queue.drain()
  await own.enqueue({ n: 'waiting', runAt: inSeconds(3600) })
  app.clock.advance(0.001)
  await runInTransaction(own.runtime, systemAuditContext('test'), async (unit) => unit.system().enqueue(sweepJob, {}))
  await app.drain()
  expect((await own.jobs()).map(({ kind, state, payload }) => [kind, state, payload.n])).toEqual([
    ['hopeless', 'dead', 0],
    ['note', 'done', 'fresh'],
    ['note', 'queued', 'waiting'],
    ['housekeeping.sweep', 'done', undefined],
  ])
})
