import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GiveUp } from '#kernel/contract/module.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { note, TestQueue, type Numbered } from '#kit/test-queue.ts'

let app: TestApp
let own: TestQueue
/** The payloads with which the handler ran, in order. */
let handled: unknown[]

const both = ({ n: one }: Numbered, { n: other }: Numbered): Numbered | undefined => {
  const all = [one, other].flat()
  return all.length <= 3 ? { n: all } : undefined
}

beforeEach(async () => {
  app = await startApp()
  own = new TestQueue(app)
  handled = []
  const run = async ({ n }: Numbered) => {
    handled.push(n)
    if ([n].flat().includes('bad')) throw new Error('no luck')
    if ([n].flat().includes('hopeless')) throw new GiveUp('never')
  }
  own.handle(
    'joining',
    async ({ payload, finish }) => {
      await run(payload)
      await finish(async (tx) => tx.enqueue(note, payload))
    },
    { join: both },
  )
})
afterEach(() => {
  vi.useRealTimers()
  return app.close()
})

const enqueueEach = async (...all: string[]) => {
  for (const n of all) await own.enqueue({ kind: 'joining', n })
}
const states = async () =>
  (await own.jobs())
    .filter(({ kind }) => kind === 'joining')
    .map(({ payload, state, attempts }) => [payload.n, state, attempts])

describe('jobs that are claimed together and whose kind joins them', () => {
  test('share one run and one finish, as many as the kind allows', async () => {
    await enqueueEach('a', 'b', 'c', 'd')
    expect(await own.queue.drain()).toBe(6)
    expect(handled).toEqual([['a', 'b', 'c'], 'd'])
    // On Postgres, two runs at once may end in either order.
    expect(own.ran).toHaveLength(2)
    expect(own.ran).toEqual(expect.arrayContaining(handled))
    expect(await states()).toEqual(['a', 'b', 'c', 'd'].map((n) => [n, 'done', 1]))
  })

  test('run apart in different lanes', async () => {
    await own.enqueue({ kind: 'joining', n: 'a', lane: 'one' })
    await own.enqueue({ kind: 'joining', n: 'b', lane: 'two' })
    await own.queue.drain()
    expect(handled.toSorted()).toEqual(['a', 'b'])
  })

  test('each run again, alone, when one of them fails: only that one fails again', async () => {
    await enqueueEach('a', 'bad', 'c')
    await own.queue.drain()
    expect(await states()).toEqual(['a', 'bad', 'c'].map((n) => [n, 'queued', 1]))
    expect(own.ran).toEqual([])
    app.clock.advance(1)
    await own.queue.drain()
    expect(handled.slice(1)).toEqual(['a', 'bad', 'c'])
    expect(own.ran).toHaveLength(2)
    expect(own.ran).toEqual(expect.arrayContaining(['a', 'c']))
    expect(await states()).toEqual([
      ['a', 'done', 2],
      ['bad', 'queued', 2],
      ['c', 'done', 2],
    ])
  })

  test('are not dead because one of them gives up', async () => {
    await enqueueEach('a', 'hopeless')
    await own.queue.drain()
    app.clock.advance(1)
    await own.queue.drain()
    expect(await states()).toEqual([
      ['a', 'done', 2],
      ['hopeless', 'dead', 2],
    ])
  })

  test('do not join one that failed before', async () => {
    await enqueueEach('bad')
    await own.queue.drain()
    app.clock.advance(1)
    await enqueueEach('a', 'b')
    await own.queue.drain()
    expect(handled.slice(1)).toEqual(expect.arrayContaining(['bad', ['a', 'b']]))
    expect(handled).toHaveLength(3)
  })

  test('that may run only once run apart', async () => {
    own.handle('once', async ({ payload }) => void handled.push(payload.n), { join: both, maxAttempts: 1 })
    await own.enqueue({ kind: 'once', count: 3 })
    await own.queue.drain()
    expect(handled.toSorted()).toEqual([0, 1, 2])
  })

  test('are all discarded when another worker took one of them, and run later', async () => {
    const started = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    own.handle(
      'joining',
      async ({ payload, attempt, finish }) => {
        if (attempt === 1) {
          started.resolve()
          await stopped.promise
        }
        await finish(async (tx) => tx.enqueue(note, payload))
      },
      { join: both },
    )
    await enqueueEach('a', 'b')
    const drained = own.queue.drain()
    await started.promise
    app.clock.advance(20)
    await own.newQueue().drain()
    stopped.resolve()
    await drained
    expect(own.ran.toSorted()).toEqual(['a', 'b'])
    expect(await states()).toEqual([
      ['a', 'done', 2],
      ['b', 'done', 2],
    ])
  })
})

test('jobs that arrive one by one are claimed together, 50 ms after the claim before them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  await enqueueEach('first')
  await own.queue.start()
  await expect.poll(() => handled).toEqual(['first'])
  await enqueueEach('a', 'b', 'c')
  vi.advanceTimersByTime(49)
  expect(handled).toEqual(['first'])
  vi.advanceTimersByTime(1)
  await expect.poll(() => handled).toEqual(['first', ['a', 'b', 'c']])
  await own.queue.stop(1000)
})
