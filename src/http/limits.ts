import { RateLimited } from '#kernel/errors.ts'
import type { RateLimits, Verdict } from '#ports/limits/port.ts'

const WINDOW_SECONDS = 60

export interface LimitSettings {
  /** Requests a minute of one address that brings no good credential. */
  anonymousPerMinute: number
  userPerMinute: number
}

const headersOf = (verdict: Verdict): Record<string, string> => ({
  'RateLimit-Limit': String(verdict.limit),
  'RateLimit-Remaining': String(verdict.remaining),
  'RateLimit-Reset': String(verdict.resetSeconds),
})

/** Counts one request of `key`. @returns the RateLimit headers @throws RATE_LIMITED with Retry-After */
export const countRequest = async (
  limits: RateLimits,
  key: string,
  perMinute: number,
): Promise<Record<string, string>> => {
  const verdict = await limits.hit(key, perMinute, WINDOW_SECONDS)
  if (!verdict.allowed) {
    throw RateLimited(undefined, { ...headersOf(verdict), 'Retry-After': String(Math.max(1, verdict.resetSeconds)) })
  }
  return headersOf(verdict)
}
