import { pino } from 'pino'
import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { jobKind, type JobKind, type JobWork } from '#kernel/contract/module.ts'
import type { JobOptions } from '#kernel/contract/unit-of-work.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { usualLane } from '#runtime/queue/lanes.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { runInTransaction, type Runtime } from '#runtime/change/transaction.ts'
import type { TestApp } from './app.ts'

const Numbered = v.object({ n: v.optional(v.unknown()) })
export type Numbered = v.InferOutput<typeof Numbered>
export const numberedJob = (name: string) => declareJob(name, Numbered)
/** The job that notes the `n` of its payload in `ran`. */
export const note = numberedJob('note')

export type More<L> = Omit<JobWork<Numbered, L>, 'handle'>

interface Wanted extends JobOptions {
  kind?: string
  count?: number
  n?: unknown
}

/** A queue with kinds of jobs of its own, in the database of an app. */
export class TestQueue {
  readonly kinds = new Map<string, JobKind>()
  readonly runtime: Runtime
  readonly queue: Queue
  /** The payloads' `n` of the jobs that `note` ran, in order. */
  readonly ran: unknown[] = []
  readonly #app: TestApp

  constructor(app: TestApp) {
    this.#app = app
    this.runtime = {
      ...app.app.runtime,
      maxAttempts: (kind) => Queue.maxAttempts(this.kinds, kind),
      usualLane: (kind, tenantId) => usualLane(this.kinds, kind, tenantId),
      wake: () => this.queue.wake(),
    }
    this.handle('note', async ({ payload }) => void this.ran.push(payload.n))
    this.queue = this.newQueue()
  }

  /** @returns one more worker on the same jobs */
  newQueue(alone = false): Queue {
    return new Queue(this.runtime, { kinds: this.kinds, log: pino({ level: 'silent' }), isOnlyProcess: alone })
  }

  handle<L>(kind: string, work: JobWork<Numbered, L>['handle'], more: More<L> = {}): void {
    this.kinds.set(kind, jobKind(numberedJob(kind), { handle: work, ...more }))
  }

  /** Makes `count` jobs in one transaction. Their `n` is a number that rises, unless it is given. */
  enqueue({ kind = 'note', count = 1, n, ...options }: Wanted = {}): Promise<void> {
    return runInTransaction(this.runtime, systemAuditContext('test'), async (unit) => {
      const tx = unit.system()
      for (let made = 0; made < count; made += 1) tx.enqueue(numberedJob(kind), { n: n ?? made }, options)
    })
  }

  jobs() {
    return this.#app.app.database.read.selectFrom('job').selectAll().orderBy('id').execute()
  }
}
