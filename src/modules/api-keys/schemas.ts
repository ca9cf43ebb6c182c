import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, id, instant, integer, list, orNull, permission, title, ts } from '#kernel/values/schema.ts'

const words = {
  name: 'What the key is for.',
  kind: 'secret: for programs on servers, with permissions. publishable: for pages of the origins that it lists, where everybody can read it.',
  keyPrefix: 'The beginning of the key, by which it is told from others.',
  permissions: 'What the key may do, as GET /permissions lists it.',
  allowedOrigins: 'From pages of which origins a publishable key works, such as https://www.example.org.',
  rateLimitPerMin:
    'Requests a minute that the key may send; null: as many as the plan says, else the server’s default.',
  effectiveRateLimitPerMin: 'Requests a minute that the key may send now.',
  lastUsedAt: 'When it was used last; null: never.',
  revokedAt: 'When it was revoked; null: it was not.',
  key: 'The full key. It is shown this once.',
}

const kind = v.picklist(['secret', 'publishable'])

export const ApiKey = named(
  'ApiKey',
  v.object({
    id,
    name: v.string(),
    kind,
    keyPrefix: v.string(),
    permissions: list(permission),
    allowedOrigins: list(v.string()),
    rateLimitPerMin: orNull(count),
    effectiveRateLimitPerMin: count,
    lastUsedAt: orNull(ts),
    expiresAt: orNull(ts),
    revokedAt: orNull(ts),
    createdAt: ts,
  }),
  words,
)
export type ApiKey = v.InferOutput<typeof ApiKey>

/** The only reply that contains the full key. */
export const CreatedApiKey = named('CreatedApiKey', v.object({ ...ApiKey.entries, key: v.string() }), words)

/** Whether a browser could send it as the origin of a page. */
const isOrigin = (value: string): boolean => {
  const url = /^https?:\/\/[^/?#@\s\p{Cc}]+\/?$/iu.test(value) ? URL.parse(value) : null
  return url !== null && !url.hostname.includes('*') && !/^\.|\.\./.test(url.hostname)
}

const origin = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(300),
  v.check(
    isOrigin,
    'Must be one exact origin, such as https://www.example.org or http://localhost:3000: a scheme, a host and perhaps a port; no path and no wildcard.',
  ),
  v.transform((value) => new URL(value).origin),
)
const perMinute = v.nullable(integer(1, 1_000_000))

export const NewApiKey = named(
  'NewApiKey',
  v.object({
    name: title(100),
    kind: v.optional(kind, 'secret'),
    permissions: v.optional(v.pipe(list(permission), v.maxLength(100)), []),
    allowedOrigins: v.optional(v.pipe(list(origin), v.maxLength(100)), []),
    rateLimitPerMin: v.optional(perMinute),
    expiresAt: v.optional(v.nullable(instant)),
  }),
  words,
)

export const RateLimitChange = named('ApiKeyChanges', v.object({ rateLimitPerMin: perMinute }), words)
