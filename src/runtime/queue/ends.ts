import { AsyncResource } from 'node:async_hooks'
import { endJobs, type ClaimedJob } from '#db/claim.ts'
import type { JobKind } from '#kernel/contract/module.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction, runTogether, type Runtime } from '#runtime/change/transaction.ts'
import { LeaseLost } from './lost-jobs.ts'

/** So many runs that write something end in one transaction at most. */
const MOST_AT_WORK = 32
/** So many of these transactions run at the same time. */
const AT_ONCE = 2

/** How a run ends. */
export interface End {
  jobs: readonly [ClaimedJob, ...ClaimedJob[]]
  kind: JobKind
  /** What is committed with the end. */
  work?: (tx: SystemTx) => Promise<void>
}

interface WaitingEnd extends End {
  resolve: () => void
  reject: (error: unknown) => void
}

/** A job that failed, or whose worker died, ends by itself: it must not hold others up again. */
const mayShare = ({ jobs, kind, work }: End): boolean =>
  (!work || kind.endsTogether === true) && jobs.every(({ attempts }) => attempts === 1)

/**
 * Ends runs. On Postgres those that end while others are being written share the next transaction; the first is written at
 * once. It is a shortcut that nobody depends on: where one of them fails, waits for locks or takes long, nothing of the
 * transaction is kept, and each ends in a transaction of its own. SQLite puts what ends together into one commit itself.
 */
export class Ends {
  readonly #runtime: Runtime
  readonly #waiting: WaitingEnd[] = []
  #writers = 0

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Resolves once the end is committed. @throws LeaseLost when another worker has claimed one of the jobs */
  async add(end: End): Promise<void> {
    if (this.#runtime.database.engine === 'sqlite' || !mayShare(end)) return this.#alone(end)
    return new Promise((resolve, reject) => {
      // It runs for whom its own job does.
      const work = end.work && AsyncResource.bind(end.work)
      this.#waiting.push({ ...end, ...(work && { work }), resolve, reject })
      if (this.#writers === AT_ONCE) return
      this.#writers += 1
      setImmediate(() => void this.#write())
    })
  }

  #alone({ jobs, kind, work }: End): Promise<void> {
    const end = async (tx: SystemTx): Promise<void> => {
      const ended = await endJobs(tx.everywhere, jobs, tx.now)
      if (ended.size < jobs.length) throw new LeaseLost()
      await work?.(tx)
    }
    return runInTransaction(this.#runtime, systemAuditContext(kind.name), (unit) => end(unit.system()), kind)
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const ends = takeSome(this.#waiting)
      try {
        const lost = await this.#together(ends)
        for (const end of ends) {
          if (lost.has(end)) end.reject(new LeaseLost())
          else end.resolve()
        }
      } catch {
        for (const end of ends) this.#alone(end).then(end.resolve, end.reject)
      }
    }
    this.#writers -= 1
  }

  /** @returns those of which another worker has claimed a job */
  async #together(ends: readonly End[]): Promise<ReadonlySet<End>> {
    const lost = new Set<End>()
    // Of several lanes in one order, so that two such transactions wait for each other as rarely as can be.
    const inOrder = ends.toSorted((one, other) => compare(one.jobs[0].lane, other.jobs[0].lane))
    await runTogether(this.#runtime, async (db) => {
      lost.clear()
      const jobs = ends.flatMap((end) => end.jobs)
      const ended = await endJobs(db, jobs, this.#runtime.clock.now())
      return inOrder.flatMap((end) => {
        const left = end.jobs.filter(({ id }) => ended.has(id)).length
        // Jobs that were joined end together or not at all.
        if (left > 0 && left < end.jobs.length) throw new LeaseLost()
        if (left === 0) lost.add(end)
        const { kind, work } = end
        return work && !lost.has(end) ? [{ auditContext: systemAuditContext(kind.name), work }] : []
      })
    })
    return lost
  }
}

/** Takes the first of those that wait, as many as may share a transaction. */
const takeSome = (waiting: WaitingEnd[]): WaitingEnd[] => {
  let atWork = 0
  const end = waiting.findIndex(({ work }) => work && (atWork += 1) > MOST_AT_WORK)
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
