import cron, { type ScheduledTask } from 'node-cron'
import type { Logger } from 'pino'
import { ClockWatch } from '#kernel/clock.ts'
import type { Tick } from '#kernel/module.ts'
import { systemOrigin } from '#runtime/origin.ts'
import { runUnit, type Units } from '#runtime/unit-of-work.ts'

const LOOK_EVERY_MILLIS = 60_000
const MINUTE_CHARACTERS = 'YYYY-MM-DDTHH:MM'.length

/** Makes the jobs that the clock asks for. A slot's key makes a tick fire once however many processes tick. */
export class Ticker {
  readonly #units: Units
  readonly #ticks: readonly Tick[]
  readonly #log: Logger
  readonly #clockWatch: ClockWatch
  #tasks: ScheduledTask[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(units: Units, ticks: readonly Tick[], log: Logger) {
    this.#units = units
    this.#ticks = ticks
    this.#log = log
    this.#clockWatch = new ClockWatch(units.clock)
  }

  async start(): Promise<void> {
    for (const tick of this.#ticks) if (tick.atStart) await this.#fire(tick, `start ${this.#units.clock.now()}`)
    this.#schedule()
    this.#timer = setInterval(() => this.lookAtClock(), LOOK_EVERY_MILLIS)
  }

  /** A clock that was set back would be waited for: the ticks are scheduled anew. */
  lookAtClock(): void {
    if (!this.#clockWatch.wentBack()) return
    this.#unschedule()
    this.#schedule()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#unschedule()
  }

  #schedule(): void {
    for (const tick of this.#ticks) {
      this.#tasks.push(
        cron.schedule(
          tick.cron,
          () => {
            this.#fire(tick, this.#units.clock.now().slice(0, MINUTE_CHARACTERS)).catch((error: unknown) =>
              this.#log.error({ err: error, job: tick.job.name }, 'tick failed'),
            )
          },
          { timezone: 'UTC' },
        ),
      )
    }
  }

  #unschedule(): void {
    for (const task of this.#tasks) void task.stop()
    this.#tasks = []
  }

  async #fire({ job }: Tick, slot: string): Promise<void> {
    await runUnit(this.#units, systemOrigin(job.name), async (unit) =>
      unit.system().enqueue(job, {}, { uniqueKey: `${job.name} ${slot}` }),
    )
  }
}
