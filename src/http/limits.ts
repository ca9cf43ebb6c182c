import type { Caller } from '#kernel/actor.ts'
import type { Endpoint, EndpointLimit } from '#kernel/endpoint.ts'
import { countHit, type RateLimits } from '#ports/limits/port.ts'

const WINDOW_SECONDS = 60

export interface LimitSettings {
  /** Requests per minute from one network without a valid credential. */
  anonymousPerMinute: number
  userPerMinute: number
}

type Headers = Record<string, string>

/** Counts one request under `key`. @returns the RateLimit headers @throws RATE_LIMITED with Retry-After */
export const countRequest = (limits: RateLimits, key: string, perMinute: number): Promise<Headers> =>
  countHit(limits, key, perMinute, WINDOW_SECONDS)

const remainingIn = (headers: Headers): number => Number(headers['RateLimit-Remaining'])

/**
 * Counts one request against the limits of the endpoint and of the caller. The limits per network come first, so that
 * one visitor of a website cannot use up the limit that all its visitors share.
 * @returns the RateLimit headers of the limit with the fewest remaining requests
 * @throws RATE_LIMITED with Retry-After
 */
export const countCaller = async (
  limits: RateLimits,
  { id, limits: own }: Endpoint,
  { caller, network }: { caller: Caller; network: string },
): Promise<Headers> => {
  const callers = `caller:${caller.id}`
  const counting = own.filter(({ counts }) => counts !== 'kept')
  if (counting.length === 0) return countRequest(limits, callers, caller.limitPerMinute)
  const count = async (per: EndpointLimit['per'], key: string): Promise<Headers[]> => {
    const counted: Headers[] = []
    for (const { requests, seconds } of counting.filter((one) => one.per === per)) {
      counted.push(await countHit(limits, `${id} ${seconds} ${per}:${key}`, requests, seconds))
    }
    return counted
  }
  const counted = [
    ...(await count('network', network)),
    await countRequest(limits, callers, caller.limitPerMinute),
    ...(await count('caller', caller.id)),
  ]
  return counted.reduce((least, headers) => (remainingIn(headers) < remainingIn(least) ? headers : least))
}
