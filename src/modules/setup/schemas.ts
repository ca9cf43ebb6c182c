import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { NEW_PASSWORD } from '#kernel/who/new-password.ts'
import { baseUrl, currency, email, locale, name, secret, timezone } from '#kernel/values/schema.ts'
import { slug } from '#modules/tenants/index.ts'

const words = {
  deploymentMode: 'Whether this server is one institute’s own, or a cloud of many.',
  needsSetup: 'Whether the institute is still to be set up.',
  setupToken:
    'What `institute setup-token` prints on the server, which keeps it in the file setup-token of its data directory.',
  institute: 'The institute.',
  owner: 'Whoever owns it, and signs in first.',
  password: NEW_PASSWORD,
  currency: 'ISO 4217.',
  timezone: 'An IANA time zone, such as Asia/Jerusalem.',
  email: 'An email address.',
}

export const SetupStatus = named(
  'SetupStatus',
  v.object({
    deploymentMode: v.picklist(['cloud', 'self_hosted']),
    needsSetup: v.boolean(),
  }),
  words,
)

export const Bootstrap = named(
  'Bootstrap',
  v.object({
    setupToken: secret(1),
    institute: named(
      'NewInstitute',
      v.object({
        slug,
        name: name(200),
        defaultLocale: locale,
        timezone,
        currency,
        baseUrl: v.optional(baseUrl),
      }),
      words,
    ),
    owner: named(
      'NewOwner',
      v.object({
        email,
        password: secret(10),
        firstName: name(100),
        lastName: name(100),
      }),
      words,
    ),
  }),
  words,
)
