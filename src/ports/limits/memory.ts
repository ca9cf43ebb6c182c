import type { Clock } from '#kernel/time/clock.ts'
import type { RateLimits, Verdict } from './port.ts'

/** The times of the hits of one key, oldest first, in a ring buffer that grows when it is full. */
class Hits {
  #ring = new Float64Array(16)
  #first = 0
  count = 0
  windowMillis = 0

  get oldest(): number {
    return this.#ring[this.#first] as number
  }
  get newest(): number {
    return this.#ring[(this.#first + this.count - 1) % this.#ring.length] as number
  }

  forgetUntil(instant: number): void {
    while (this.count > 0 && this.oldest <= instant) {
      this.#first = (this.#first + 1) % this.#ring.length
      this.count -= 1
    }
  }

  add(instant: number): void {
    if (this.count === this.#ring.length) {
      const grown = new Float64Array(this.#ring.length * 2)
      grown.set(this.#ring.subarray(this.#first))
      grown.set(this.#ring.subarray(0, this.#first), this.#ring.length - this.#first)
      this.#ring = grown
      this.#first = 0
    }
    this.#ring[(this.#first + this.count) % this.#ring.length] = instant
    this.count += 1
  }
}

const SWEEP_MILLIS = 60_000

/**
 * Rate limits of one process. This is not a library because tests need their own clock, and because the cost must not
 * depend on the limit: a hit takes constant time, and memory is one number per hit in the window. Changes of the system
 * clock have no effect.
 */
export class MemoryLimits implements RateLimits {
  readonly #clock: Clock
  readonly #keys = new Map<string, Hits>()
  #sweptAt: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#sweptAt = clock.monotonic()
  }

  hit(key: string, limit: number, windowSeconds: number): Verdict {
    const now = this.#clock.monotonic()
    this.#sweep(now)
    let hits = this.#keys.get(key)
    if (!hits) {
      hits = new Hits()
      this.#keys.set(key, hits)
    }
    hits.windowMillis = windowSeconds * 1000
    hits.forgetUntil(now - hits.windowMillis)
    const allowed = hits.count < limit
    if (allowed) hits.add(now)
    return this.#verdict(hits, { allowed, limit, now })
  }

  peek(key: string, limit: number, windowSeconds: number): Verdict {
    const now = this.#clock.monotonic()
    const hits = this.#keys.get(key)
    if (!hits) return { allowed: limit > 0, limit, remaining: limit, resetSeconds: 0 }
    hits.forgetUntil(now - windowSeconds * 1000)
    return this.#verdict(hits, { allowed: hits.count < limit, limit, now })
  }

  async probe(): Promise<void> {
    this.peek('probe', 1, 1)
  }

  async close(): Promise<void> {
    this.#keys.clear()
  }

  #verdict(hits: Hits, { allowed, limit, now }: { allowed: boolean; limit: number; now: number }): Verdict {
    // The window first: adding it to an instant that is no whole number may round the sum up.
    const waitMillis = hits.count === 0 ? 0 : hits.windowMillis - (now - hits.oldest)
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - hits.count),
      resetSeconds: Math.max(0, Math.ceil(waitMillis / 1000)),
    }
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_MILLIS) return
    this.#sweptAt = now
    for (const [key, hits] of this.#keys) {
      if (hits.count === 0 || hits.newest <= now - hits.windowMillis) this.#keys.delete(key)
    }
  }
}
