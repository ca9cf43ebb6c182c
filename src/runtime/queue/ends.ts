import { endJobs, type ClaimedJob } from '#db/claim.ts'
import type { Runtime } from '#runtime/change/transaction.ts'
import { LeaseLost } from './lost-jobs.ts'

interface Ended {
  jobs: readonly ClaimedJob[]
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Ends runs that leave nothing to be committed with their end. Those that end while others are being written share the next
 * transaction; the first is written at once. A run that writes something ends in a transaction of its own, because it may
 * wait for locks that others hold.
 */
export class Ends {
  readonly #runtime: Runtime
  #waiting: Ended[] = []
  #isWriting = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Resolves once the end is committed. @throws LeaseLost when another worker has claimed one of the jobs */
  add(jobs: readonly ClaimedJob[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ jobs, resolve, reject })
      if (this.#isWriting) return
      this.#isWriting = true
      setImmediate(() => void this.#write())
    })
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const runs = this.#waiting
      this.#waiting = []
      try {
        const { database, clock } = this.#runtime
        const jobs = runs.flatMap((run) => run.jobs)
        const ended = await database.write((db) => endJobs(db, jobs, clock.now()))
        for (const run of runs) {
          if (run.jobs.every(({ id }) => ended.has(id))) run.resolve()
          else run.reject(new LeaseLost())
        }
      } catch (error) {
        for (const run of runs) run.reject(error)
      }
    }
    this.#isWriting = false
  }
}
