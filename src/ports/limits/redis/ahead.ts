import type { Verdict } from '../port.ts'

/** How many hits of a key one process may count before it tells Redis. */
const MOST_UNSENT = 8
/**
 * Hits are counted ahead only while more than this many remain. Until an answer is stale, all other processes together
 * count fewer of one caller than these, so that the limit holds exactly.
 */
const FEW_REMAIN = 200
const STALE_MILLIS = 50

interface Known {
  limit: number
  windowSeconds: number
  /** How many hits remained by the last answer of Redis, without those that were sent or counted since. */
  remaining: number
  resetSeconds: number
  /** When Redis gave the answer, in milliseconds of a monotonic clock. */
  at: number
  unsent: number
}

/** Hits that Redis has still to count. */
export interface Unsent {
  key: string
  limit: number
  windowSeconds: number
}

/**
 * Counts the hits of a busy caller who is far from the limit before Redis does, so that not each of their requests waits
 * for it: one question then carries up to eight hits.
 */
export class CountedAhead {
  readonly #now: () => number
  readonly #keys = new Map<string, Known>()

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now
  }

  /** @returns undefined: this hit is one that Redis has to be asked about */
  count(key: string, limit: number): Verdict | undefined {
    const known = this.#keys.get(key)
    if (!known || known.limit !== limit || known.unsent >= MOST_UNSENT - 1) return undefined
    if (known.remaining <= FEW_REMAIN || this.#now() - known.at >= STALE_MILLIS) return undefined
    known.unsent += 1
    known.remaining -= 1
    return { allowed: true, limit, remaining: known.remaining, resetSeconds: known.resetSeconds }
  }

  /** Takes the hits of a key that Redis has still to count. The caller then counts them in Redis. */
  take(key: string): number {
    const known = this.#keys.get(key)
    if (!known) return 0
    const { unsent } = known
    known.unsent = 0
    return unsent
  }

  /** Notes what Redis has answered. */
  note(key: string, windowSeconds: number, { limit, remaining, resetSeconds }: Verdict): void {
    const unsent = this.#keys.get(key)?.unsent ?? 0
    if (remaining - unsent <= FEW_REMAIN && unsent === 0) this.#keys.delete(key)
    else {
      const at = this.#now()
      this.#keys.set(key, { limit, windowSeconds, remaining: remaining - unsent, resetSeconds, at, unsent })
    }
  }

  /** Forgets answers that are stale. @returns those whose last hits Redis has still to count */
  stale(): Unsent[] {
    const left: Unsent[] = []
    const now = this.#now()
    for (const [key, { at, limit, windowSeconds, unsent }] of this.#keys) {
      if (now - at < STALE_MILLIS) continue
      if (unsent > 0) left.push({ key, limit, windowSeconds })
      else this.#keys.delete(key)
    }
    return left
  }

  /** Forgets all: hits that Redis did not hear of in time would count there for longer than they should. */
  clear(): void {
    this.#keys.clear()
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0
  }
}
