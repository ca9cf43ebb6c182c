import { Forbidden } from '#kernel/values/errors.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { Reply } from '#http/replies/reply.ts'

/**
 * CORS: pages of other origins may call the endpoints that take a publishable key, and pages of every origin those that
 * say so. Browsers send a preflight request first.
 */

export type KnowsOrigin = (origin: string, now: string, db: SystemDb) => Promise<boolean>

/** The response headers that scripts of another origin may read. */
const EXPOSED = [
  'X-Request-Id',
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
].join(', ')

/** The request headers that scripts of another origin may send. */
const ALLOWED = ['Authorization', 'Idempotency-Key', 'Content-Type']
/** Clients of MCP also send it to the endpoints of OAuth. */
const OF_MCP_CLIENTS = 'MCP-Protocol-Version'

const MAX_AGE_SECONDS = 600

/** Sets the CORS headers. @param origin may read the reply; undefined: the requesting origin may not */
export const allowOrigin = (headers: Reply['headers'], origin: string | undefined): void => {
  headers.Vary = 'Origin'
  if (origin === undefined) return
  headers['Access-Control-Allow-Origin'] = origin
  headers['Access-Control-Expose-Headers'] = EXPOSED
}

/** Sets the CORS headers of an endpoint that pages of every origin may call. */
export const allowAnyOrigin = (headers: Reply['headers']): void => {
  headers['Access-Control-Allow-Origin'] = '*'
  headers['Access-Control-Expose-Headers'] = EXPOSED
}

/**
 * Answers a preflight request. @param headers as set by `allowOrigin` @throws FORBIDDEN for an origin that is not
 * allowed
 */
export const preflight = (headers: Reply['headers'], endpoints: readonly Endpoint[]): Reply => {
  if (headers['Access-Control-Allow-Origin'] === undefined) throw Forbidden({ reason: 'origin_not_allowed' })
  const allowed = endpoints.some(({ anyOrigin }) => anyOrigin) ? [...ALLOWED, OF_MCP_CLIENTS] : ALLOWED
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': endpoints.map(({ method }) => method).join(', '),
      'Access-Control-Allow-Headers': allowed.join(', '),
      'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    },
    body: '',
  }
}
