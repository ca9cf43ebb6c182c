import { Forbidden } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { Reply } from './reply.ts'

/** Pages of other origins may call the endpoints that take a publishable key; browsers ask for that first. */

export type KnowsOrigin = (origin: string, now: string, db: SystemDb) => Promise<boolean>

/** What a page's script may read beside the body. */
const EXPOSED = [
  'X-Request-Id',
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
].join(', ')

const MAX_AGE_SECONDS = 600

/** @param origin that may read the reply; undefined: the one that asks may not */
export const allowOrigin = (headers: Reply['headers'], origin: string | undefined): void => {
  headers.Vary = 'Origin'
  if (origin === undefined) return
  headers['Access-Control-Allow-Origin'] = origin
  headers['Access-Control-Expose-Headers'] = EXPOSED
}

/** @param headers as `allowOrigin` left them @throws FORBIDDEN for an origin that may not read replies */
export const preflight = (headers: Reply['headers'], endpoints: readonly Endpoint[]): Reply => {
  if (headers['Access-Control-Allow-Origin'] === undefined) throw Forbidden({ reason: 'origin_not_allowed' })
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': endpoints.map(({ method }) => method).join(', '),
      'Access-Control-Allow-Headers': 'Authorization, Idempotency-Key, Content-Type',
      'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    },
    body: '',
  }
}
