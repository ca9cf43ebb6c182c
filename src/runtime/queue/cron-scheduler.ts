import cron, { type ScheduledTask } from 'node-cron'
import type { Logger } from 'pino'
import { ClockWatch } from '#kernel/time/clock.ts'
import type { CronJob } from '#kernel/contract/module.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction, type Runtime } from '#runtime/change/transaction.ts'

const LOOK_EVERY_MILLIS = 60_000
/** A dozen sweeps, and the first use of the engine's calendar, take 40 ms: serve the first requests before them. */
const BEGIN_AFTER_MILLIS = 1000
const MINUTE_CHARACTERS = 'YYYY-MM-DDTHH:MM'.length

/**
 * Enqueues the cron jobs when they are due. Each time slot is the job's unique key, so a cron job runs once however
 * many processes schedule it.
 */
export class CronScheduler {
  readonly #runtime: Runtime
  readonly #cronJobs: readonly CronJob[]
  readonly #log: Logger
  readonly #clockWatch: ClockWatch
  #tasks: ScheduledTask[] = []
  #timer: NodeJS.Timeout | undefined
  #begin: NodeJS.Timeout | undefined

  constructor(runtime: Runtime, cronJobs: readonly CronJob[], log: Logger) {
    this.#runtime = runtime
    this.#cronJobs = cronJobs
    this.#log = log
    this.#clockWatch = new ClockWatch(runtime.clock)
  }

  /** Soon after, the jobs that run at each start are enqueued, and the schedule begins. */
  start(): void {
    const started = this.#runtime.clock.now()
    this.#begin = setTimeout(() => {
      this.#enqueue(
        this.#cronJobs.filter(({ atStart }) => atStart),
        `start ${started}`,
      )
      this.#reschedule()
    }, BEGIN_AFTER_MILLIS)
    this.#timer = setInterval(() => this.lookAtClock(), LOOK_EVERY_MILLIS)
  }

  /**
   * Reschedules the cron jobs when the clock was set back; otherwise they would wait until it reached the old time
   * again.
   */
  lookAtClock(): void {
    if (this.#clockWatch.wentBack()) this.#reschedule()
  }

  stop(): void {
    clearTimeout(this.#begin)
    clearInterval(this.#timer)
    this.#unschedule()
  }

  #reschedule(): void {
    this.#unschedule()
    for (const one of this.#cronJobs) {
      this.#tasks.push(
        cron.schedule(one.cron, () => this.#enqueue([one], this.#runtime.clock.now().slice(0, MINUTE_CHARACTERS)), {
          timezone: 'UTC',
        }),
      )
    }
  }

  #unschedule(): void {
    for (const task of this.#tasks) void task.stop()
    this.#tasks = []
  }

  #enqueue(due: readonly CronJob[], slot: string): void {
    this.#fire(due, slot).catch((error: unknown) =>
      this.#log.error({ err: error, jobs: due.map(({ job }) => job.name) }, 'cron jobs could not be made'),
    )
  }

  async #fire(due: readonly CronJob[], slot: string): Promise<void> {
    if (due.length === 0) return
    await runInTransaction(this.#runtime, systemAuditContext('cron'), async (unit) => {
      const tx = unit.system()
      for (const { job } of due) tx.enqueue(job, {}, { uniqueKey: `${job.name} ${slot}` })
    })
  }
}
