import { FairLine } from '#kernel/contract/fair-line.ts'
import { Busy, type QueueClient } from './port.ts'

interface QueuedCall {
  start(): void
  refuse(): void
}

/**
 * Limits how much slow work runs at once and how much waits. Known clients come before strangers and have a line of
 * their own, so strangers cannot block them.
 */
export class PasswordQueue {
  readonly #concurrency: number
  readonly #known: FairLine<QueuedCall>
  readonly #strangers: FairLine<QueuedCall>
  #running = 0

  /** @param maxWaiting how many known clients, and how many strangers, may wait */
  constructor({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
    this.#concurrency = concurrency
    this.#known = new FairLine({ most: maxWaiting })
    this.#strangers = new FairLine({ most: maxWaiting })
  }

  /** @throws Busy when the line is full, or when another client needed the place more */
  async run<T>({ key, known }: QueueClient, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) this.#running += 1
    else {
      await new Promise<void>((resolve, reject) => {
        const line = known ? this.#known : this.#strangers
        line.add({ clients: [key] }, { start: resolve, refuse: () => reject(new Busy()) })?.refuse()
      })
    }
    try {
      return await work()
    } finally {
      // Hand the place directly to the next call, so that nobody else can take it in between.
      const next = this.#known.next() ?? this.#strangers.next()
      if (next) next.start()
      else this.#running -= 1
    }
  }
}
