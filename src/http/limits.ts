import { countHit, type RateLimits } from '#ports/limits/port.ts'

const WINDOW_SECONDS = 60

export interface LimitSettings {
  /** Requests a minute of one address that brings no good credential. */
  anonymousPerMinute: number
  userPerMinute: number
}

/** Counts one request of `key`. @returns the RateLimit headers @throws RATE_LIMITED with Retry-After */
export const countRequest = (limits: RateLimits, key: string, perMinute: number): Promise<Record<string, string>> =>
  countHit(limits, key, perMinute, WINDOW_SECONDS)
