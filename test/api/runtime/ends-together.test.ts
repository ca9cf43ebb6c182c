import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '#db/database.ts'
import { GiveUp, type JobContext } from '#kernel/contract/module.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { requester } from '#runtime/change/requester.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { CrashableProcess } from '#kit/crash.ts'
import { note, TestQueue, type Numbered } from '#kit/test-queue.ts'

/**
 * Jobs that end together share a transaction on Postgres. What becomes of one of them is no matter of the others: what each
 * writes as it ends is committed once, with its own end.
 */

const JOBS = 8
/** The job that is in some trouble: neither the first nor the last of those that end together. */
const TROUBLED = 3
const OTHERS = Array.from({ length: JOBS }, (_, n) => n).filter((n) => n !== TROUBLED)

let app: TestApp
let own: TestQueue
const worker = new CrashableProcess()
/** What the database does in place of its next transaction. */
let instead: ((write: () => Promise<unknown>) => Promise<unknown>) | undefined
/** The transactions in which `write` wrote, by the `n` of their jobs. */
const transactions = new Map<unknown, string[]>()

const wrap = (database: Database): Database => {
  const crashable = worker.wrap(database)
  return {
    ...crashable,
    version: () => database.version(),
    write: async (work, options) => {
      if (!options?.brief || !instead) return crashable.write(work, options)
      const once = instead
      instead = undefined
      return once(() => crashable.write(work, options)) as never
    },
  }
}

beforeEach(async () => {
  instead = undefined
  transactions.clear()
  worker.restart()
  app = await startApp({ wrap })
  own = new TestQueue(app)
})
afterEach(() => app.close())

/** What each of these jobs writes as it ends: a job that notes its `n`, and an audit entry. */
const write = async (tx: SystemTx, { n }: Numbered): Promise<void> => {
  if (engine === 'postgres') {
    const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx.everywhere)
    transactions.set(n, [...(transactions.get(n) ?? []), rows[0]?.id as string])
  }
  tx.enqueue(note, { n })
  tx.audit({ entityType: 'test', entityId: null, metadata: { n } })
}

type Trouble = (tx: SystemTx, context: JobContext<Numbered>) => Promise<void>

/** Jobs that end together, of which one meets some trouble after it has written. */
const endTogether = async (trouble?: Trouble): Promise<void> => {
  own.handle(
    'part',
    ({ finish, ...context }) =>
      finish(async (tx) => {
        await write(tx, context.payload)
        if (context.payload.n === TROUBLED) await trouble?.(tx, { ...context, finish })
      }),
    { endsTogether: true },
  )
  await own.enqueue({ kind: 'part', count: JOBS })
}

const parts = async () => (await own.jobs()).filter(({ kind }) => kind === 'part')
const inState = async (state: string): Promise<unknown[]> =>
  (await parts()).filter((job) => job.state === state).map(({ payload }) => payload.n)

/** The `n` of the audit entries that the ends have written. */
const audited = async (): Promise<unknown[]> => {
  const entries = app.app.database.read.selectFrom('audit_entry').select('metadata').where('action', '=', 'part')
  return (await entries.execute()).map(({ metadata }) => (metadata as { n: unknown }).n).toSorted()
}

/** Of these jobs all was kept, once; of the others, nothing. */
const expectKept = async (numbers: readonly unknown[]): Promise<void> => {
  expect(await inState('done')).toEqual(numbers)
  expect(await audited()).toEqual(numbers)
  await own.queue.drain()
  expect(own.ran.toSorted()).toEqual(numbers)
}

const ALL = Array.from({ length: JOBS }, (_, n) => n)

test('jobs that end together are committed together', async () => {
  await endTogether()
  await own.queue.drain()
  await expectKept(ALL)
  expect((await parts()).map(({ attempts }) => attempts)).toEqual(ALL.map(() => 1))
  if (engine === 'postgres') expect(new Set([...transactions.values()].flat()).size).toBe(1)
})

test.skipIf(engine === 'sqlite')('jobs of a kind that does not say so end each in its own transaction', async () => {
  own.handle('part', ({ finish, payload }) => finish((tx) => write(tx, payload)))
  await own.enqueue({ kind: 'part', count: JOBS })
  await own.queue.drain()
  await expectKept(ALL)
  expect(new Set([...transactions.values()].flat()).size).toBe(JOBS)
})

test.skipIf(engine === 'sqlite')('what a job writes as it ends runs in the place of its own institute', async () => {
  const places: unknown[] = []
  own.handle(
    'part',
    ({ finish, payload }) => finish(async () => void places.push([payload.n, requester().clients[1]])),
    {
      endsTogether: true,
    },
  )
  for (const n of [0, 1, 2]) await own.enqueue({ kind: 'part', n, lane: `lane ${n}` })
  await own.queue.drain()
  expect(places.toSorted()).toEqual([0, 1, 2].map((n) => [n, `lane ${n}`]))
})

test('each job of a full lane follows when others have ended: nobody waits for the clock', async () => {
  own.handle('part', ({ finish }) => finish(async () => {}), { endsTogether: true })
  await own.enqueue({ kind: 'part', count: 100 })
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    await own.queue.start()
  } finally {
    vi.useRealTimers()
  }
  await expect.poll(() => inState('done')).toHaveLength(100)
  await own.queue.stop(1000)
})

describe('one that fails as it ends', () => {
  test('is tried again by itself; the others are done', async () => {
    await endTogether(async (_, { attempt }) => {
      if (attempt === 1) throw new Error('no luck')
    })
    await own.queue.drain()
    expect(await inState('queued')).toEqual([TROUBLED])
    expect((await parts())[TROUBLED]).toMatchObject({ attempts: 1, last_error: 'no luck' })
    await expectKept(OTHERS)
    app.clock.advance(1)
    await own.queue.drain()
    await expectKept(ALL.toSorted())
  })

  test('because of the database, does not take the others along', async () => {
    await endTogether(async (tx) => {
      const pause = { kind: 'another', paused_at: tx.now, reason: 'a test' }
      for (const _ of ['once', 'twice']) await tx.everywhere.insertInto('job_pause').values(pause).execute()
    })
    await own.queue.drain()
    expect(await inState('queued')).toEqual([TROUBLED])
    await expectKept(OTHERS)
  })

  test.skipIf(engine === 'sqlite')(
    'without a word, after the database refused something, keeps nothing of them back',
    async () => {
      let refusals = 0
      own.handle(
        'part',
        ({ finish, payload }) =>
          finish(async (tx) => {
            await sql`select pg_current_xact_id()`.execute(tx.everywhere)
            if (payload.n !== JOBS - 1 || refusals > 0) return
            refusals += 1
            await sql`select 1 / 0`.execute(tx.everywhere).catch(() => {})
          }),
        { endsTogether: true },
      )
      await own.enqueue({ kind: 'part', count: JOBS })
      await own.queue.drain()
      expect(refusals).toBe(1)
      expect(await inState('done')).toEqual(ALL)
    },
  )

  test('for good, is dead at once; the others are done', async () => {
    await endTogether(() => Promise.reject(new GiveUp('never')))
    await own.queue.drain()
    expect(await inState('dead')).toEqual([TROUBLED])
    await expectKept(OTHERS)
  })

  test('runs as often as it may, and the handlers of the others once', async () => {
    const handled: unknown[] = []
    own.handle(
      'part',
      async ({ payload, change, finish }) => {
        handled.push(payload.n)
        // It is committed before any of them ends, and seen at once.
        await change((tx) => write(tx, { n: `${String(payload.n)} begun` }))
        await finish(async (tx) => {
          await write(tx, payload)
          if (payload.n === TROUBLED) throw new Error('no luck')
        })
      },
      { endsTogether: true, maxAttempts: 2 },
    )
    await own.enqueue({ kind: 'part', count: JOBS })
    await own.queue.drain()
    app.clock.advance(1)
    await own.queue.drain()
    expect(await inState('dead')).toEqual([TROUBLED])
    expect(await inState('done')).toEqual(OTHERS)
    expect(handled.toSorted()).toEqual([...ALL, TROUBLED].toSorted())
    const begun = [...ALL, TROUBLED].map((n) => `${n} begun`)
    expect(own.ran.map(String).toSorted()).toEqual([...begun, ...OTHERS.map(String)].toSorted())
  })
})

describe.skipIf(engine === 'sqlite')('a job as it ends', () => {
  test('that breaks its connection breaks it for no other, and does so by itself the next time', async () => {
    await endTogether(
      async (tx) => void (await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx.everywhere)),
    )
    await own.queue.drain()
    expect(await inState('queued')).toEqual([TROUBLED])
    await expectKept(OTHERS)
    // The others have joined a new round meanwhile.
    await own.enqueue({ kind: 'part', count: 2, n: 'new' })
    app.clock.advance(1)
    transactions.clear()
    await own.queue.drain()
    expect(transactions.get(TROUBLED)).toHaveLength(1)
    expect(await inState('done')).toEqual([...OTHERS, 'new', 'new'])
  })

  test('that waits for something other than the database holds up no other for long, and writes nothing late', async () => {
    const goOn = Promise.withResolvers<void>()
    const late = Promise.withResolvers<unknown>()
    let tries = 0
    await endTogether(async (tx) => {
      tries += 1
      if (tries > 1) return
      await goOn.promise
      await tx.everywhere.updateTable('job').set({ last_error: 'late' }).execute().then(late.resolve, late.resolve)
    })
    await own.queue.drain()
    await expectKept(ALL)
    goOn.resolve()
    expect(await late.promise).toMatchObject({ message: 'this transaction has ended' })
    expect((await own.jobs()).filter(({ last_error }) => last_error === 'late')).toEqual([])
  })

  test('that waits for a lock does not make the others wait with it', async () => {
    const isLocked = Promise.withResolvers<void>()
    const unlock = Promise.withResolvers<void>()
    const holder = app.app.database.write(async (db) => {
      await sql`select pg_advisory_xact_lock(60)`.execute(db)
      isLocked.resolve()
      await unlock.promise
    })
    await isLocked.promise
    await endTogether(async (tx) => void (await sql`select pg_advisory_xact_lock(60)`.execute(tx.everywhere)))
    const drained = own.queue.drain()
    await expect.poll(() => inState('done')).toEqual(OTHERS)
    expect(await inState('running')).toEqual([TROUBLED])
    unlock.resolve()
    await holder
    await drained
    await expectKept(ALL)
  })

  test('whose job another worker took meanwhile writes nothing; the others are done', async () => {
    await endTogether()
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    instead = async (ends) => {
      started.resolve()
      await goOn.promise
      return ends()
    }
    const drained = own.queue.drain()
    await started.promise
    const { id, fence } = (await parts())[TROUBLED] as { id: string; fence: number }
    const taken = { fence: fence + 1, attempts: 2 }
    await app.app.database.write((db) => db.updateTable('job').set(taken).where('id', '=', id).execute())
    goOn.resolve()
    await drained
    expect((await parts())[TROUBLED]).toMatchObject({ state: 'running', ...taken })
    await expectKept(OTHERS)
  })
})

describe.skipIf(engine === 'sqlite')('jobs that end together', () => {
  test('and were joined into one run do not end in part, where another worker took one of them', async () => {
    own.handle('part', ({ finish, payload }) => finish((tx) => write(tx, payload)), {
      endsTogether: true,
      join: (one, other) => ({ ...one, n: [one.n, other.n].join('+') }),
    })
    await own.enqueue({ kind: 'part', n: 'a', lane: 'joined' })
    await own.enqueue({ kind: 'part', n: 'b', lane: 'joined' })
    await own.enqueue({ kind: 'part', n: 'other', lane: 'other' })
    instead = async (ends) => {
      const { id, fence } = (await parts()).find(({ payload }) => payload.n === 'b') as { id: string; fence: number }
      const taken = { fence: fence + 1, attempts: 2 }
      await app.app.database.write((db) => db.updateTable('job').set(taken).where('id', '=', id).execute())
      return ends()
    }
    await own.queue.drain()
    expect((await parts()).map(({ payload, state }) => [payload.n, state])).toEqual([
      ['a', 'running'],
      ['b', 'running'],
      ['other', 'done'],
    ])
    expect(await audited()).toEqual(['other'])
  })

  test('are kept once when the connection is lost as they are committed', async () => {
    await endTogether()
    instead = async (ends) => {
      await ends()
      throw new Error('Connection terminated unexpectedly')
    }
    await own.queue.drain()
    await expectKept(ALL)
    expect((await parts()).map(({ attempts, last_error }) => [attempts, last_error])).toEqual(ALL.map(() => [1, null]))
  })

  test('are kept once when the server ends the connection on the way', async () => {
    let ended = 0
    await endTogether(async (tx) => {
      if (ended > 0) return
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.everywhere)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(app.app.database.read)
      ended += 1
    })
    await own.queue.drain()
    await expectKept(ALL)
    expect(ended).toBe(1)
  })

  test.each([0, 1, 2, 3])('run again where their process ended %i steps after they began to', async (steps) => {
    await endTogether()
    const begun = Promise.withResolvers<void>()
    instead = async (ends) => {
      worker.crashAfter(steps)
      begun.resolve()
      return ends()
    }
    await own.queue.drain().catch(() => {})
    await begun.promise
    expect(worker.restart()).toBe(true)
    app.clock.advance(20)
    await own.newQueue().drain()
    await expectKept(ALL)
  })
})
