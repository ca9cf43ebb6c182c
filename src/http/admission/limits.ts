import type { Caller } from '#kernel/who/actor.ts'
import type { EndpointLimit } from '#kernel/contract/endpoint-types.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
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
 * Counts one request against the limits of the endpoint of one kind. What counts kept requests alone is counted by the
 * endpoint itself.
 * @throws RATE_LIMITED with Retry-After
 */
const countOwn = async (
  limits: RateLimits,
  { id, limits: own }: Endpoint,
  { per, key }: { per: EndpointLimit['per']; key: string },
): Promise<Headers[]> => {
  const counted: Headers[] = []
  for (const { requests, seconds } of own.filter((one) => one.per === per && one.counts !== 'kept')) {
    counted.push(await countHit(limits, `${id} ${seconds} ${per}:${key}`, requests, seconds))
  }
  return counted
}

/** The headers of the limit with the fewest remaining requests. */
const tightest = (counted: readonly Headers[]): Headers =>
  counted.reduce((least, headers) => (remainingIn(headers) < remainingIn(least) ? headers : least))

/**
 * Counts one request of a caller without a credential against the limit of all that such callers ask from their network,
 * and against those of the endpoint. @throws RATE_LIMITED with Retry-After
 */
export const countAnyone = async (
  limits: RateLimits,
  endpoint: Endpoint,
  { network, perMinute }: { network: string; perMinute: number },
): Promise<Headers> =>
  tightest([
    await countRequest(limits, `ip:${network}`, perMinute),
    ...(await countOwn(limits, endpoint, { per: 'network', key: network })),
  ])

/**
 * Counts one request against the limits of the endpoint and of the caller. The limits per network come first, so that
 * one visitor of a website cannot use up the limit that all its visitors share.
 * @returns the RateLimit headers of the limit with the fewest remaining requests
 * @throws RATE_LIMITED with Retry-After
 */
export const countCaller = async (
  limits: RateLimits,
  endpoint: Endpoint,
  { caller, network }: { caller: Caller; network: string },
): Promise<Headers> => {
  const callers = `caller:${caller.id}`
  if (endpoint.limits.length === 0) return countRequest(limits, callers, caller.limitPerMinute)
  return tightest([
    ...(await countOwn(limits, endpoint, { per: 'network', key: network })),
    await countRequest(limits, callers, caller.limitPerMinute),
    ...(await countOwn(limits, endpoint, { per: 'caller', key: caller.id })),
  ])
}

/** Counts one request against the limits of the endpoint alone. @throws RATE_LIMITED with Retry-After */
export const countOwnOf = async (
  limits: RateLimits,
  endpoint: Endpoint,
  { caller, network }: { caller: Caller; network: string },
): Promise<void> => {
  if (endpoint.limits.length === 0) return
  await countOwn(limits, endpoint, { per: 'network', key: network })
  await countOwn(limits, endpoint, { per: 'caller', key: caller.id })
}
