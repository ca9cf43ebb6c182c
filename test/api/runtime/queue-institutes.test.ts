import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { laneIn } from '#kernel/contract/lane.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { TestQueue } from '#kit/test-queue.ts'

/** Places in the queue are shared by institute first, then by lane. */

const PLACES = 64
const MANY_LANES = 200

let app: TestApp
let own: TestQueue
let release: () => void

beforeEach(async () => {
  app = await startApp()
  own = new TestQueue(app)
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  own.handle('hang', () => promise)
})
afterEach(() => app.close())

const hangIn = async (institute: string, lanes: number, count = 3) => {
  for (let n = 0; n < lanes; n += 1) await own.enqueue({ kind: 'hang', count, lane: laneIn(institute, String(n)) })
}
const running = async (kind?: string) =>
  (await own.jobs()).filter((job) => job.state === 'running' && (kind ?? job.kind) === job.kind).map(({ lane }) => lane)
const stop = async (queue = own.queue) => {
  await app.app.database.write((db) => db.deleteFrom('job').where('state', '=', 'queued').execute())
  release()
  await queue.stop(1000)
}

describe('an institute with hanging jobs in very many lanes', () => {
  test('holds half of the places, and another’s job starts at once', async () => {
    await hangIn('greedy', MANY_LANES)
    await own.queue.start()
    await expect.poll(async () => (await running('hang')).length).toBe(PLACES / 2)
    await own.enqueue({ count: 5, lane: laneIn('small', 'email') })
    await expect.poll(() => own.ran.length).toBe(5)
    expect(await running('hang')).toHaveLength(PLACES / 2)
    await stop()
  })

  test('does not hide the lanes behind its own from a claim', async () => {
    await hangIn('a', MANY_LANES)
    await own.enqueue({ count: 5, lane: laneIn('b', 'email') })
    await own.queue.start()
    await expect.poll(async () => (await running('hang')).length).toBe(PLACES / 2)
    await expect.poll(() => own.ran.length).toBe(5)
    await stop()
  })
})

test('jobs with places of their own run while institutes hold all others', async () => {
  own.handle('identity', async ({ payload }) => void own.ran.push(payload.n), { ownPlaces: 2 })
  const queue = own.newQueue()
  for (let n = 0; n < PLACES; n += 1) await hangIn(`institute ${n}`, 1)
  await queue.start()
  await expect.poll(async () => (await running()).length).toBe(PLACES)
  await own.enqueue({ kind: 'identity', count: 5, n: 'mail' })
  await expect.poll(() => own.ran.length).toBe(5)
  expect(await running('hang')).toHaveLength(PLACES)
  await stop(queue)
})

test('jobs with places of their own start, in however many lanes other jobs wait', async () => {
  own.handle('zz', async ({ payload }) => void own.ran.push(payload.n), { ownPlaces: 2 })
  const queue = own.newQueue()
  for (let n = 0; n < PLACES - 1; n += 1) await hangIn(`institute ${n}`, 4)
  await own.enqueue({ kind: 'zz', n: 'mail' })
  await queue.start()
  await expect.poll(() => own.ran).toEqual(['mail'])
  await stop(queue)
})

test('jobs with places of their own take no others', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  own.handle('identity', () => promise, { ownPlaces: 2 })
  const queue = own.newQueue()
  await own.enqueue({ kind: 'identity', count: 10 })
  await queue.start()
  await expect.poll(() => running()).toEqual(['identity', 'identity'])
  await hangIn('one', PLACES)
  await expect.poll(async () => (await running()).length).toBe(PLACES / 2 + 2)
  resolve()
  await stop(queue)
})
