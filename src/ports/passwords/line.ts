import { Busy, type Place } from './port.ts'

interface Waiting {
  start(): void
  giveWay(): void
}

/**
 * Those who wait, taking turns by who they are. When it is full, whoever holds the most places gives one up to somebody
 * who holds fewer: a crowd from one address finds room as long as nobody else needs it.
 */
class Turns {
  /** Nobody in it has an empty list; the first is next. */
  readonly #lists = new Map<string, Waiting[]>()
  readonly #most: number
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  /** @throws Busy */
  add(whose: string, waiting: Waiting): void {
    const own = this.#lists.get(whose) ?? []
    if (this.#count >= this.#most) this.#makeRoom(own.length)
    // Set again only when it is new: whoever comes again keeps their turn.
    if (own.push(waiting) === 1) this.#lists.set(whose, own)
    this.#count += 1
  }

  #makeRoom(held: number): void {
    let largest: Waiting[] = []
    for (const list of this.#lists.values()) if (list.length > largest.length) largest = list
    // A place that only changed hands would be gained by nobody.
    if (largest.length <= held + 1) throw new Busy()
    this.#count -= 1
    largest.pop()?.giveWay()
  }

  next(): Waiting | undefined {
    const [first] = this.#lists
    if (!first) return undefined
    const [whose, list] = first
    const waiting = list.shift()
    this.#lists.delete(whose)
    if (list.length > 0) this.#lists.set(whose, list)
    this.#count -= 1
    return waiting
  }
}

/**
 * Bounds how much slow work runs at once and how much waits for it. Those who are known here go ahead of strangers and
 * have places of their own, so that no number of strangers keeps them out.
 */
export class Line {
  readonly #concurrency: number
  readonly #known: Turns
  readonly #strangers: Turns
  #running = 0

  /** @param most how many may wait of the known, and how many of the strangers */
  constructor({ concurrency, most }: { concurrency: number; most: number }) {
    this.#concurrency = concurrency
    this.#known = new Turns(most)
    this.#strangers = new Turns(most)
  }

  /** @throws Busy when there is no room, or somebody else needed the place more */
  async run<T>({ whose, known }: Place, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) this.#running += 1
    else {
      await new Promise<void>((resolve, reject) => {
        const turns = known ? this.#known : this.#strangers
        turns.add(whose, { start: resolve, giveWay: () => reject(new Busy()) })
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
