import { createHash } from 'node:crypto'
import type { Caller } from '#kernel/who/actor.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Endpoint, RequestInfo } from '#kernel/contract/endpoint.ts'
import type { KeyedRequest } from '#runtime/change/idempotency.ts'
import type { RawInput } from './bodies/input.ts'

const MAX_KEY_LENGTH = 255

/**
 * What idempotency needs to know about a request. undefined: the request has no key, or it is an upload, whose bytes
 * are not kept for comparison.
 * @throws VALIDATION_ERROR for a key that is too long
 */
export const keyedRequest = (
  endpoint: Endpoint,
  { caller, request }: { caller: Caller | null; request: RequestInfo },
  { params, query, body, upload }: RawInput,
): KeyedRequest | undefined => {
  const key = request.header('idempotency-key')
  if (!key || !caller || upload) return undefined
  if (key.length > MAX_KEY_LENGTH) throw invalid(['Idempotency-Key'], `Must have at most ${MAX_KEY_LENGTH} characters.`)
  const hash = createHash('sha256')
    .update(JSON.stringify([endpoint.method, endpoint.path, params, query.toString()]))
    .update(body)
    .digest('base64url')
  return { caller: `${caller.id} ${caller.tenant?.id ?? ''}`, key, hash }
}
