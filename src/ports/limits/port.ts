import { RateLimited, type ApiError } from '#kernel/values/errors.ts'

/** The result of one hit. Seconds are whole numbers, rounded up. */
export interface Verdict {
  allowed: boolean
  limit: number
  /** How many more hits are allowed now. */
  remaining: number
  /** Seconds until the oldest hit leaves the window, so that another one is allowed. */
  resetSeconds: number
}

/**
 * Sliding-window rate limits: within any `windowSeconds`, at most `limit` hits of a key are allowed. Refused hits do
 * not count. A changed limit applies at once.
 */
export interface RateLimits {
  hit(key: string, limit: number, windowSeconds: number): Verdict | Promise<Verdict>
  /** Tells whether a hit would be allowed, without counting one. */
  peek(key: string, limit: number, windowSeconds: number): Verdict | Promise<Verdict>
  /** Uses what counts them for real. @throws Error where it does not answer */
  probe(): Promise<void>
  close(): Promise<void>
}

const headersOf = (verdict: Verdict): Record<string, string> => ({
  'RateLimit-Limit': String(verdict.limit),
  'RateLimit-Remaining': String(verdict.remaining),
  'RateLimit-Reset': String(verdict.resetSeconds),
})

/** The refusal of a request that a limit does not allow. */
export const limitReached = (verdict: Verdict): ApiError =>
  RateLimited(undefined, { ...headersOf(verdict), 'Retry-After': String(Math.max(1, verdict.resetSeconds)) })

/**
 * Counts one hit under `key`. @returns the RateLimit headers @throws RATE_LIMITED with these headers and Retry-After
 */
export const countHit = async (
  limits: RateLimits,
  key: string,
  limit: number,
  windowSeconds: number,
): Promise<Record<string, string>> => {
  const verdict = await limits.hit(key, limit, windowSeconds)
  if (!verdict.allowed) throw limitReached(verdict)
  return headersOf(verdict)
}
