import { createHash } from 'node:crypto'
import type { Caller } from '#kernel/who/actor.ts'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'

/** How long a repeated request finds what was done for the first: as long as stored replies are kept. */
export const REPEATED_SECONDS = 24 * 3600

/**
 * Identifies a request with an Idempotency-Key whose work takes several transactions, so that a repeat finds what a
 * process that died has done of it.
 * @returns null without a key
 */
export const requestHashOf = (caller: Caller, request: RequestInfo, ...asked: unknown[]): string | null => {
  const key = request.header('idempotency-key')
  if (key === undefined) return null
  return createHash('sha256')
    .update(JSON.stringify([caller.id, key, ...asked]))
    .digest('hex')
}
