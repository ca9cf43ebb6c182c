import { setTimeout as pause } from 'node:timers/promises'
import type { Module } from '#kernel/contract/module.ts'

/**
 * How a process leaves the others behind a balancer: `health/ready` says first that it is not ready, and the process goes
 * on answering until the balancer has seen that.
 */
export class Leave {
  readonly #seconds: number
  #isLeaving = false

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  readonly module: Module = {
    name: 'leave',
    probes: [
      {
        name: 'leave',
        probe: async () => {
          if (this.#isLeaving) throw new Error('The program is stopping.')
        },
      },
    ],
  }

  /** Resolves when the balancer has had the time to look. */
  async run(): Promise<void> {
    this.#isLeaving = true
    if (this.#seconds > 0) await pause(this.#seconds * 1000)
  }
}
