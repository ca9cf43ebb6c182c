import * as v from 'valibot'
import { baseUrl, currency, email, locale, name, secret, timezone } from '#kernel/schema.ts'
import { slug } from '#modules/tenants/index.ts'

export const SetupStatus = v.object({
  deploymentMode: v.picklist(['cloud', 'self_hosted']),
  needsSetup: v.boolean(),
})

export const Bootstrap = v.object({
  setupToken: secret(1),
  institute: v.object({
    slug,
    name: name(200),
    defaultLocale: locale,
    timezone,
    currency,
    baseUrl: v.optional(baseUrl),
  }),
  owner: v.object({
    email,
    password: secret(10),
    firstName: name(100),
    lastName: name(100),
  }),
})
