import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import { Overloaded } from '#kernel/values/errors.ts'

/** How long a request waits for its turn at most: a person waits for the reply, and the program may be stopping. */
const MAX_WAIT_SECONDS = 5

const MAX_KEYS = 10_000

/**
 * Spreads requests out over time, in the order in which they arrived. Each process has its own pace: this protects its
 * event loop, and is no quota.
 */
export class Pace {
  /** The earliest start of the next request under each key, as a reading of `performance.now()`. */
  readonly #nextStart = new BoundedCache<string, { at: number }>(MAX_KEYS)

  /**
   * Resolves when the request may start.
   * @param perSecond how many requests start in a second under this key
   * @throws Overloaded, at once, when it would have to wait for more than five seconds
   */
  async turn(key: string, perSecond: number): Promise<void> {
    const next = this.#nextStart.get(key, () => ({ at: 0 }))
    const now = performance.now()
    const start = Math.max(now, next.at)
    if (start - now > MAX_WAIT_SECONDS * 1000) throw Overloaded(undefined, { 'Retry-After': String(MAX_WAIT_SECONDS) })
    next.at = start + 1000 / perSecond
    if (start > now) await new Promise((resolve) => setTimeout(resolve, start - now))
  }
}
