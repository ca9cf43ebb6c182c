/** What became of one hit against a limit. Seconds are whole and rounded up. */
export interface Verdict {
  allowed: boolean
  limit: number
  /** How many more hits the window takes now. */
  remaining: number
  /** Until the oldest counted hit leaves the window, and so until room is made. */
  resetSeconds: number
}

/**
 * Sliding-window limits: at no instant have more than `limit` hits of a key been allowed within the last `windowSeconds`.
 * A hit that is refused does not count. A changed limit holds at once.
 */
export interface RateLimits {
  hit(key: string, limit: number, windowSeconds: number): Verdict | Promise<Verdict>
  /** Whether a hit would be allowed, without making it. */
  peek(key: string, limit: number, windowSeconds: number): Verdict | Promise<Verdict>
  close(): Promise<void>
}
