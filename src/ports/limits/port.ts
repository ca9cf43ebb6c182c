import { RateLimited } from '#kernel/errors.ts'

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

const headersOf = (verdict: Verdict): Record<string, string> => ({
  'RateLimit-Limit': String(verdict.limit),
  'RateLimit-Remaining': String(verdict.remaining),
  'RateLimit-Reset': String(verdict.resetSeconds),
})

/** Counts one hit of `key`. @returns the RateLimit headers @throws RATE_LIMITED with them and Retry-After */
export const countHit = async (
  limits: RateLimits,
  key: string,
  limit: number,
  windowSeconds: number,
): Promise<Record<string, string>> => {
  const verdict = await limits.hit(key, limit, windowSeconds)
  if (!verdict.allowed) {
    throw RateLimited(undefined, { ...headersOf(verdict), 'Retry-After': String(Math.max(1, verdict.resetSeconds)) })
  }
  return headersOf(verdict)
}
