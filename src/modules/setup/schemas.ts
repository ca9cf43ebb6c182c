import * as v from 'valibot'
import { currency, email, httpUrl, locale, secret, text } from '#kernel/schema.ts'
import { isTimeZone } from '#kernel/zone.ts'

export const slug = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'Must have 1 to 63 characters: a-z, 0-9 and, not at its ends, hyphens.',
  ),
)
export const timezone = v.pipe(v.string(), v.trim(), v.check(isTimeZone, 'Must be an IANA time zone.'))

export const SetupStatus = v.object({
  deploymentMode: v.picklist(['cloud', 'self_hosted']),
  needsSetup: v.boolean(),
})

export const Bootstrap = v.object({
  setupToken: secret(1),
  institute: v.object({
    slug,
    name: text(200),
    defaultLocale: locale,
    timezone,
    currency,
    baseUrl: v.optional(httpUrl),
  }),
  owner: v.object({
    email,
    password: secret(10),
    firstName: text(100),
    lastName: text(100),
  }),
})
