import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Queue } from '#runtime/queue/queue.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { numberedJob, TestQueue } from '#kit/test-queue.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'

/** The limits of a lane hold over all processes that take jobs from one Postgres database. */

let app: TestApp
let own: TestQueue

beforeEach(async () => {
  app = await startApp()
  own = new TestQueue(app)
})
afterEach(() => app.close())

/** A kind whose jobs note how many of them run, and end when they are told. */
const watched = (kind: string, more: Parameters<TestQueue['handle']>[2]) => {
  const waiting: (() => void)[] = []
  const seen = { running: 0, most: 0, ended: 0 }
  own.handle(
    kind,
    async () => {
      seen.running += 1
      seen.most = Math.max(seen.most, seen.running)
      await new Promise<void>((resolve) => void waiting.push(resolve))
      seen.running -= 1
      seen.ended += 1
    },
    more,
  )
  return { seen, endOne: () => waiting.shift()?.() }
}

const startThree = async (): Promise<Queue[]> => {
  const queues = [own.newQueue(), own.newQueue(), own.newQueue()]
  await Promise.all(queues.map((queue) => queue.start()))
  return queues
}

const JOBS = 12

test.skipIf(engine === 'sqlite').each([
  ['a kind that runs two at once', { atOnce: 2 }, 2],
  ['a kind with two places of its own', { ownPlaces: 2 }, 2],
])('%s does so over three processes', async (_, more, most) => {
  const { seen, endOne } = watched('narrow', more)
  await own.enqueue({ kind: 'narrow', count: JOBS })
  const queues = await startThree()
  for (let ended = 0; ended < JOBS; ended += 1) {
    await expect.poll(() => seen.running, { timeout: 10_000 }).toBe(Math.min(most, JOBS - ended))
    // Others have the time of a poll to claim one too many.
    for (const queue of queues) queue.wake()
    endOne()
    await expect.poll(() => seen.ended).toBe(ended + 1)
  }
  expect(seen.most).toBe(most)
  await Promise.all(queues.map((queue) => queue.stop(1000)))
})

test.skipIf(engine === 'sqlite')(
  'a kind that runs few at once runs one of each institute over three processes',
  async () => {
    const waiting: (() => void)[] = []
    const running: unknown[] = []
    let ended = 0
    own.handle(
      'heavy',
      async ({ payload: { n } }) => {
        expect(running).not.toContain(n)
        running.push(n)
        await new Promise<void>((resolve) => void waiting.push(resolve))
        running.splice(running.indexOf(n), 1)
        ended += 1
      },
      { atOnce: 2 },
    )
    const institutes = [await makeInstitute(app), await makeInstitute(app)].map(({ tenant }) => tenant)
    for (const tenant of institutes) {
      await runInTransaction(own.runtime, systemAuditContext('test'), async (unit) => {
        const tx = unit.tenant(tenant, 'all')
        for (let made = 0; made < 4; made += 1) tx.enqueue(numberedJob('heavy'), { n: tenant.id })
      })
    }
    const queues = await startThree()
    for (let done = 0; done < 8; done += 1) {
      await expect.poll(() => running.length, { timeout: 10_000 }).toBeGreaterThan(0)
      // Others have the time of a poll to claim one too many.
      for (const queue of queues) queue.wake()
      waiting.shift()?.()
      await expect.poll(() => ended, { timeout: 10_000 }).toBe(done + 1)
    }
    await Promise.all(queues.map((queue) => queue.stop(10_000)))
    expect((await own.jobs()).filter(({ state, attempts }) => state !== 'done' || attempts !== 1)).toEqual([])
  },
)

test.skipIf(engine === 'sqlite')(
  'a lane runs sixteen at once over three processes, and another lane beside it',
  async () => {
    const { seen, endOne } = watched('wide', {})
    await own.enqueue({ kind: 'wide', count: 30 })
    const queues = await startThree()
    await expect.poll(() => seen.running).toBe(16)
    await own.enqueue({ count: 3 })
    await expect.poll(() => own.ran.length).toBe(3)
    for (let ended = 0; ended < 30; ended += 1) {
      await expect.poll(() => seen.running).toBeGreaterThan(0)
      endOne()
      await expect.poll(() => seen.ended).toBe(ended + 1)
    }
    expect(seen.most).toBe(16)
    await Promise.all(queues.map((queue) => queue.stop(1000)))
  },
)

test.skipIf(engine === 'sqlite')(
  'a lane that another process claims from just now is passed over, not waited for',
  async () => {
    await own.enqueue({ lane: 'held', n: 'held' })
    await own.enqueue({ lane: 'free', n: 'free' })
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const other = app.app.database.schema.transaction().execute(async (db) => {
      await db
        .selectNoFrom((eb) =>
          eb.fn('pg_advisory_xact_lock', [eb.fn('hashtextextended', [eb.val('held'), eb.lit(0)])]).as('lock'),
        )
        .execute()
      held()
      await isOver
    })
    await isHeld
    const queue = own.newQueue()
    await queue.start()
    await expect.poll(() => own.ran).toEqual(['free'])
    end()
    await other
    await expect.poll(() => own.ran).toEqual(['free', 'held'])
    await queue.stop(1000)
  },
)
