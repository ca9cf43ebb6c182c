import { Busy, type QueueClient } from './port.ts'

interface QueuedCall {
  start(): void
  evict(): void
}

/**
 * Those who wait, taking turns by who they are. When it is full, whoever holds the most places gives one up to somebody
 * who holds fewer: a crowd from one address finds room as long as nobody else needs it.
 */
class FairQueue {
  /** Nobody in it has an empty list; the first is next. */
  readonly #queues = new Map<string, QueuedCall[]>()
  readonly #maxWaiting: number
  #count = 0

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** @throws Busy */
  add(key: string, waiting: QueuedCall): void {
    const own = this.#queues.get(key) ?? []
    if (this.#count >= this.#maxWaiting) this.#makeRoom(own.length)
    // Set again only when it is new: whoever comes again keeps their turn.
    if (own.push(waiting) === 1) this.#queues.set(key, own)
    this.#count += 1
  }

  #makeRoom(held: number): void {
    let largest: QueuedCall[] = []
    for (const list of this.#queues.values()) if (list.length > largest.length) largest = list
    // A place that only changed hands would be gained by nobody.
    if (largest.length <= held + 1) throw new Busy()
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
 * Bounds how much slow work runs at once and how much waits for it. Those who are known here go ahead of strangers and
 * have places of their own, so that no number of strangers keeps them out.
 */
export class PasswordQueue {
  readonly #concurrency: number
  readonly #known: FairQueue
  readonly #strangers: FairQueue
  #running = 0

  /** @param most how many may wait of the known, and how many of the strangers */
  constructor({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
    this.#concurrency = concurrency
    this.#known = new FairQueue(maxWaiting)
    this.#strangers = new FairQueue(maxWaiting)
  }

  /** @throws Busy when there is no room, or somebody else needed the place more */
  async run<T>({ key, known }: QueueClient, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) this.#running += 1
    else {
      await new Promise<void>((resolve, reject) => {
        const turns = known ? this.#known : this.#strangers
        turns.add(key, { start: resolve, evict: () => reject(new Busy()) })
      })
    }
    try {
      return await work()
    } finally {
      // The place goes on to the next without being free in between.
      const next = this.#known.next() ?? this.#strangers.next()
      if (next) next.start()
      else this.#running -= 1
    }
  }
}
