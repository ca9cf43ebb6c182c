import { Busy, type QueueClient } from './port.ts'

interface QueuedCall {
  start(): void
  evict(): void
}

/**
 * A bounded queue in which clients take turns. When it is full, the client with the most places loses one to a client
 * with fewer. So many requests from one address may use all places, but only until somebody else needs them.
 */
class FairQueue {
  /** A queue per client; none is empty. The client at the front is next. */
  readonly #queues = new Map<string, QueuedCall[]>()
  readonly #maxWaiting: number
  #count = 0

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** @throws Busy when the queue is full and no other client has at least two places more than this one */
  add(key: string, waiting: QueuedCall): void {
    const own = this.#queues.get(key) ?? []
    if (this.#count >= this.#maxWaiting) this.#makeRoom(own.length)
    // Only a new client is added at the end: a client who asks again keeps their turn.
    if (own.push(waiting) === 1) this.#queues.set(key, own)
    this.#count += 1
  }

  #makeRoom(ownCount: number): void {
    let largest: QueuedCall[] = []
    for (const list of this.#queues.values()) if (list.length > largest.length) largest = list
    // If the other client had just one place more, the two would only swap places.
    if (largest.length <= ownCount + 1) throw new Busy()
    this.#count -= 1
    largest.pop()?.evict()
  }

  next(): QueuedCall | undefined {
    const [first] = this.#queues
    if (!first) return undefined
    const [key, list] = first
    const waiting = list.shift()
    this.#queues.delete(key)
    if (list.length > 0) this.#queues.set(key, list)
    this.#count -= 1
    return waiting
  }
}

/**
 * Limits how much slow work runs at once and how much waits. Known clients come before strangers and have a queue of
 * their own, so strangers cannot block them.
 */
export class PasswordQueue {
  readonly #concurrency: number
  readonly #known: FairQueue
  readonly #strangers: FairQueue
  #running = 0

  /** @param maxWaiting how many known clients, and how many strangers, may wait */
  constructor({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
    this.#concurrency = concurrency
    this.#known = new FairQueue(maxWaiting)
    this.#strangers = new FairQueue(maxWaiting)
  }

  /** @throws Busy when the queue is full, or when another client needed the place more */
  async run<T>({ key, known }: QueueClient, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) this.#running += 1
    else {
      await new Promise<void>((resolve, reject) => {
        const queue = known ? this.#known : this.#strangers
        queue.add(key, { start: resolve, evict: () => reject(new Busy()) })
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
