import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WriteOptions } from '#db/database.ts'
import type { Job } from '#kernel/contract/job.ts'
import type { JobKind } from '#kernel/contract/module.ts'
import type { JobOptions } from '#kernel/contract/unit-of-work.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { TestQueue } from '#kit/test-queue.ts'
import { archiveJob, archives, makeArchive } from '../../examples/jobs/at-once.ts'
import { laneOf, print, printing, printJob, seen } from '../../examples/jobs/at-once-in-lane.ts'
import { stamp, stampJob } from '../../examples/jobs/ends-together.ts'
import { absencesJob, sent, tellAbsences } from '../../examples/jobs/join.ts'
import { greet, greetJob, said } from '../../examples/jobs/load.ts'
import { next, nextJob } from '../../examples/jobs/relaxed.ts'

let app: TestApp
let own: TestQueue
let institute: TestInstitute
/** The options of every transaction, in order. */
let written: (WriteOptions | undefined)[]

beforeEach(async () => {
  written = []
  app = await startApp({
    wrap: (database) => ({
      ...database,
      version: () => database.version(),
      write: (work, options) => {
        written.push(options)
        return database.write(work, options)
      },
    }),
  })
  institute = await makeInstitute(app)
  own = new TestQueue(app)
  for (const list of [said, sent, seen]) list.length = 0
  archives.most = 0
})
afterEach(() => app.close())

/** Enqueues one job for each payload, and runs them all. */
const run = async <P extends object>(
  kind: JobKind,
  job: Job<P>,
  payloads: readonly P[],
  options: (payload: P) => JobOptions = () => ({}),
  of?: TestInstitute,
): Promise<void> => {
  own.kinds.set(kind.name, kind)
  await runInTransaction(own.runtime, systemAuditContext('test'), async (unit) => {
    const tx = of ? unit.tenant(of.tenant, 'all') : unit.system()
    for (const payload of payloads) tx.enqueue<P, P>(job, payload, options(payload))
  })
  // A queue asks its kinds about lanes when it is made.
  await own.newQueue().drain()
}

/** The same kind without one of its options. */
const without = (kind: JobKind, option: keyof JobKind): JobKind => {
  const { [option]: _, ...rest } = kind
  return rest as JobKind
}

test('load gives the handler what the claim has read, whatever changed since', async () => {
  const renamed: JobKind = {
    ...greet,
    handle: async (context) => {
      await institute.owner.patch(`/branches/${institute.branchId}`, { name: 'North' })
      await greet.handle(context)
    },
  }
  await run(renamed, greetJob, [{ branchId: institute.branchId }])
  await run(greet, greetJob, [{ branchId: institute.branchId }, { branchId: institute.tenant.id }])
  expect(said).toEqual(['Hello, Main.', 'Hello, North.'])
})

describe('join', () => {
  const payloads = ['Amal', 'Dana', 'Omar', 'Noa'].map((name) => ({ names: [name] }))

  test('lets jobs that are claimed together share a run, as many as it allows', async () => {
    await run(tellAbsences, absencesJob, payloads)
    expect(sent.toSorted()).toEqual(['Absent: Amal, Dana, Omar', 'Absent: Noa'])
  })

  test('left out, each job has a run of its own', async () => {
    await run(without(tellAbsences, 'join'), absencesJob, payloads)
    expect(sent).toHaveLength(4)
  })
})

describe('atOnce', () => {
  const years = Array.from({ length: 6 }, (_, n) => ({ year: 2020 + n }))

  test('is how many jobs of the kind run at the same time', async () => {
    await run(makeArchive, archiveJob, years)
    expect(archives).toEqual({ now: 0, most: 2 })
  })

  test('one of an institute, however many it asks for', async () => {
    await run(makeArchive, archiveJob, years, undefined, institute)
    expect(archives).toEqual({ now: 0, most: 1 })
  })

  test('left out, they all do', async () => {
    await run(without(makeArchive, 'atOnce'), archiveJob, years, undefined, institute)
    expect(archives).toEqual({ now: 0, most: 6 })
  })
})

describe('atOnceInLane', () => {
  const pages = ['north', 'south', 'north', 'south', 'north'].map((printer) => ({ tenantId: 'one', printer }))
  const lane = ({ tenantId, printer }: (typeof pages)[number]) => ({ lane: laneOf(tenantId, printer) })
  /** Whether one printer printed two pages at the same time. */
  const mixedUp = () => seen.some((now) => new Set(now).size < now.length)

  test('is how many jobs of each lane run at the same time: here one a printer, and two printers at once', async () => {
    await run(print, printJob, pages, lane)
    expect([seen.length, mixedUp(), printing]).toEqual([5, false, []])
    expect(seen.some((now) => now.length === 2)).toBe(true)
  })

  test('left out, a lane runs several', async () => {
    await run(without(print, 'atOnceInLane'), printJob, pages, lane)
    expect([seen.length, mixedUp()]).toEqual([5, true])
  })
})

describe('relaxed', () => {
  /** How many transactions do not wait for the disk while one such job runs. The claim of any job is one of them. */
  const notWaiting = async (kind: JobKind): Promise<number> => {
    written = []
    await run(kind, nextJob, [{ step: 1 }])
    return written.filter((options) => options?.relaxed === true).length
  }

  test('ends a job without waiting for the disk', async () => {
    const waiting = await notWaiting(without(next, 'relaxed'))
    expect(await notWaiting(next)).toBe(waiting + 1)
  })

  test('its finish is committed with the end of the job all the same', async () => {
    await run(next, nextJob, [{ step: 3 }])
    expect((await own.jobs()).map(({ payload, state }) => [payload.step, state])).toEqual(
      [3, 2, 1].map((step) => [step, 'done']),
    )
  })
})

describe('endsTogether', () => {
  const pages = Array.from({ length: 6 }, (_, page) => ({ page }))
  /** Stamps some pages, each once. @returns in how many shared transactions */
  const sharedBy = async (kind: JobKind): Promise<number> => {
    await run(kind, stampJob, pages)
    const entries = app.app.database.read.selectFrom('audit_entry').select('id').where('entity_type', '=', 'page')
    expect(await entries.execute()).toHaveLength(pages.length)
    return written.filter((options) => options?.brief === true).length
  }

  test('lets jobs of Postgres end in one transaction', async () => {
    expect(await sharedBy(stamp)).toBe(engine === 'postgres' ? 1 : 0)
  })

  test('left out, each ends in its own', async () => {
    expect(await sharedBy(without(stamp, 'endsTogether'))).toBe(0)
  })
})
