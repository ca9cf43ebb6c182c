import * as v from 'valibot'
import { id, instant, integer, list, orNull, text, ts } from '#kernel/schema.ts'
import { isPermission, type Permission } from '#kernel/permissions.ts'

const kind = v.picklist(['secret', 'publishable'])

export const ApiKey = v.object({
  id,
  name: v.string(),
  kind,
  keyPrefix: v.string(),
  permissions: list(v.string()),
  allowedOrigins: list(v.string()),
  rateLimitPerMin: orNull(v.number()),
  effectiveRateLimitPerMin: v.number(),
  lastUsedAt: orNull(ts),
  expiresAt: orNull(ts),
  revokedAt: orNull(ts),
  createdAt: ts,
})
export type ApiKey = v.InferOutput<typeof ApiKey>

/** With the full key, this once. */
export const CreatedApiKey = v.object({ ...ApiKey.entries, key: v.string() })

const origin = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(300),
  v.check(
    (value) =>
      URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && /^https?:\/\/[^/?#@]+\/?$/i.test(value),
    'Must be an origin such as https://www.example.org.',
  ),
  v.transform((value) => new URL(value).origin),
)
const permission = v.pipe(
  v.string(),
  v.check(isPermission, 'Must be a permission of the registry.'),
  v.transform((value) => value as Permission),
)
const perMinute = v.nullable(integer(1, 1_000_000))

export const NewApiKey = v.object({
  name: text(100),
  kind: v.optional(kind, 'secret'),
  permissions: v.optional(v.pipe(list(permission), v.maxLength(100)), []),
  allowedOrigins: v.optional(v.pipe(list(origin), v.maxLength(100)), []),
  rateLimitPerMin: v.optional(perMinute),
  expiresAt: v.optional(v.nullable(instant)),
})

export const RateLimitChange = v.object({ rateLimitPerMin: perMinute })
