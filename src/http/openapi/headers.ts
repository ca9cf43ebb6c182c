import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Json } from './schemas.ts'

const text = (description: string, schema: Json = {}): Json => ({ description, schema: { type: 'string', ...schema } })
const number = (description: string): Json => ({ description, schema: { type: 'integer' } })

/** Headers that replies of many operations have; those of one operation are declared with it. */
export const HEADERS = {
  'X-Request-Id': text('Names this request in the log of the server, and in `error.requestId`.', { format: 'uuid' }),
  'RateLimit-Limit': number('How many requests are allowed by that limit which leaves the fewest now.'),
  'RateLimit-Remaining': number('How many more it allows now.'),
  'RateLimit-Reset': number('Seconds until it allows one more than now.'),
  'Retry-After': number('Seconds after which asking again makes sense.'),
  'Idempotency-Replayed': text(
    '`true`: this is the reply to an earlier request with the same Idempotency-Key; nothing was done again.',
    { enum: ['true'] },
  ),
  ETag: text('Names these bytes: sent as If-None-Match it is answered with 304 while they are the same.'),
  'Content-Range': text('Which bytes these are, and of how many.'),
} as const satisfies Record<string, Json>

type Name = keyof typeof HEADERS

const RATE_LIMIT: readonly Name[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** Statuses of refusals that are stored, so that a repeat with the same Idempotency-Key gets them again. */
const REPLAYED = new Set([404, 409])

/** Whether a repeat with the same Idempotency-Key is answered as the first request was. */
export const isKeyed = ({ method, access }: Endpoint): boolean => method !== 'GET' && access !== 'anyone'

const named = (headers: Readonly<Partial<Record<Name, boolean>>>): Json =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, isSent]) =>
      isSent ? [[name, { $ref: `#/components/headers/${name}` }]] : [],
    ),
  )

const limited = (isSent: boolean) => Object.fromEntries(RATE_LIMIT.map((name) => [name, isSent]))

/** The headers of a reply that is no refusal. */
export const successHeaders = (endpoint: Endpoint, status: number): Json => ({
  ...named({
    'X-Request-Id': true,
    ...limited(!endpoint.unlimited),
    'Idempotency-Replayed': isKeyed(endpoint),
    ETag: typeof endpoint.gives === 'object',
    'Content-Range': status === 206,
  }),
  ...(endpoint.gives === 'redirect' && { Location: text('Where to go on.', { format: 'uri-reference' }) }),
  ...Object.fromEntries(Object.entries(endpoint.replyHeaders).map(([name, meaning]) => [name, text(meaning)])),
})

/** The headers of a refusal. */
export const refusalHeaders = (endpoint: Endpoint, status: number): Json =>
  named({
    'X-Request-Id': true,
    ...limited(status === 429 && !endpoint.unlimited),
    'Retry-After': status === 429 || status === 423,
    'Idempotency-Replayed': isKeyed(endpoint) && REPLAYED.has(status),
    'Content-Range': status === 416,
  })
