import { setTimeout as pause } from 'node:timers/promises'
import type { Cloud } from './cloud.ts'
import type { Killer } from './killer.ts'

/** What goes wrong in a cloud, again and again until the day is over. */
export interface Fault {
  readonly name: string
  /** Makes it once, and resolves when all is well again. @param turn 0, 1, … */
  strike(cloud: Cloud, turn: number): Promise<void>
  /** Seconds between two. */
  readonly everySeconds: number
  /** The processes begin as those of the version before this one. */
  readonly isUpgrade?: true
}

/** Longer than the lease of a job: another process takes it, and the one that comes back must not finish it too. */
const STOPPED_MILLIS = 25_000
const CLOCK_AHEAD_MILLIS = 60_000
const REDIS_AWAY_MILLIS = 10_000
const STORE_AWAY_MILLIS = 60_000

export const FAULTS: readonly Fault[] = [
  {
    name: 'a process is killed (SIGKILL)',
    everySeconds: 1,
    strike: async (cloud, turn) => {
      await cloud.signal(turn % cloud.size, 'SIGKILL')
      await pause(300)
      cloud.startOne(turn % cloud.size)
      await cloud.untilReady()
    },
  },
  {
    name: 'a process is stopped for 25 s (SIGSTOP) and goes on',
    everySeconds: 2,
    strike: async (cloud, turn) => {
      await cloud.signal(turn % cloud.size, 'SIGSTOP')
      await pause(STOPPED_MILLIS)
      await cloud.signal(turn % cloud.size, 'SIGCONT')
      await cloud.untilReady()
    },
  },
  {
    name: 'the clock of a process is a minute ahead',
    everySeconds: 10,
    strike: async (cloud, turn) => {
      if (turn > 0) return
      await cloud.signal(0, 'SIGTERM')
      cloud.startOne(0, CLOCK_AHEAD_MILLIS)
      await cloud.untilReady()
    },
  },
  {
    name: 'the primary database ends, and its standby is promoted',
    everySeconds: 8,
    strike: async (cloud, turn) => {
      if (turn > 0) return
      await cloud.failOver()
      await cloud.untilReady()
    },
  },
  {
    name: 'Redis is flushed',
    everySeconds: 1,
    strike: async (cloud) => {
      await cloud.redis?.run('FLUSHALL')
    },
  },
  {
    name: 'Redis ends, and begins anew 10 s later',
    everySeconds: 5,
    strike: async (cloud) => {
      await cloud.redis?.kill()
      await pause(REDIS_AWAY_MILLIS)
      await cloud.redis?.start()
      await cloud.untilReady()
    },
  },
  {
    name: 'the store of files answers 503 for a minute',
    everySeconds: 2,
    strike: async ({ store }, turn) => {
      if (turn > 0) return
      store.fault = () => ({ status: 503 })
      await pause(STORE_AWAY_MILLIS)
      store.fault = () => undefined
    },
  },
  {
    name: 'a new version replaces the former, process by process',
    everySeconds: 4,
    isUpgrade: true,
    strike: async (cloud, turn) => {
      if (turn >= 2 * cloud.size) return
      const index = Math.floor(turn / 2)
      if (turn % 2 === 0) {
        await cloud.renew(index)
      } else {
        // A process of the former version starts again beside the newer ones, as long as there is one.
        const last = cloud.size - 1
        await cloud.signal(last, 'SIGTERM')
        cloud.startOne(last)
      }
      await cloud.untilReady()
    },
  },
]

/** Makes a fault in the course of a day. */
export class Faults implements Killer {
  readonly #cloud: Cloud
  readonly #fault: Fault
  readonly #day = new AbortController()
  #striking: Promise<void> | undefined
  kills = 0

  constructor(cloud: Cloud, fault: Fault) {
    this.#cloud = cloud
    this.#fault = fault
  }

  get isDone(): boolean {
    return this.kills > 0
  }

  begin(): void {
    this.#striking = this.#strike()
    // The end of the day gets the error.
    this.#striking.catch(() => {})
  }

  async #strike(): Promise<void> {
    const { signal } = this.#day
    for (let turn = 0; ; turn += 1) {
      await pause(this.#fault.everySeconds * 1000, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      await this.#fault.strike(this.#cloud, turn)
      this.kills += 1
    }
  }

  async step(): Promise<void> {}

  waitsFor(): boolean {
    return false
  }

  reached(): void {}

  async end(): Promise<void> {
    this.#day.abort()
    await this.#striking
  }
}
