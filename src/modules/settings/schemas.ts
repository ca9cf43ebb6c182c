import * as v from 'valibot'
import {
  baseUrl,
  count,
  currency,
  date,
  emptyableProse,
  expectedVersion,
  integer,
  list,
  locale,
  name,
  orNull,
  secret,
  text,
  timezone,
  uuid,
} from '#kernel/schema.ts'

const provider = v.picklist(['turnstile', 'hcaptcha', 'recaptcha'])

const Term = v.object({ name: text(100), startsOn: date })

/** The settings as the API returns them. */
export const Settings = v.object({
  name: v.string(),
  defaultLocale: locale,
  timezone: v.string(),
  currency,
  baseUrl: orNull(v.string()),
  invoiceDueDays: count,
  invoiceFooter: orNull(v.string()),
  terms: list(v.object({ name: v.string(), startsOn: v.string() })),
  attendance: v.object({ lateAfterMinutes: count }),
  curriculum: v.object({ allowTerabox: v.boolean() }),
  registration: v.object({ enabled: v.boolean(), captcha: orNull(v.object({ provider })) }),
  branding: v.object({ logoFileId: orNull(v.string()), color: orNull(v.string()) }),
  version: count,
})
export type Settings = v.InferOutput<typeof Settings>

const terms = v.pipe(
  v.array(Term),
  v.maxLength(100, 'Must have at most 100 terms.'),
  v.check(
    (given) => new Set(given.map((term) => term.startsOn)).size === given.length,
    'Must not have two terms that start on the same date.',
  ),
  v.transform((given) => given.toSorted((a, b) => (a.startsOn < b.startsOn ? -1 : 1))),
)

export const SettingsChanges = v.object({
  name: v.optional(name(200)),
  defaultLocale: v.optional(locale),
  timezone: v.optional(timezone),
  currency: v.optional(currency),
  baseUrl: v.optional(v.nullable(baseUrl)),
  invoiceDueDays: v.optional(integer(0, 365)),
  invoiceFooter: v.optional(v.nullable(emptyableProse(2000))),
  terms: v.optional(terms),
  attendance: v.optional(v.object({ lateAfterMinutes: v.optional(integer(0, 240)) })),
  curriculum: v.optional(v.object({ allowTerabox: v.optional(v.boolean()) })),
  registration: v.optional(
    v.object({
      enabled: v.optional(v.boolean()),
      captcha: v.optional(v.nullable(v.object({ provider, secret: v.optional(secret(1)) }))),
    }),
  ),
  branding: v.optional(
    v.object({
      logoFileId: v.optional(v.nullable(uuid)),
      color: v.optional(
        v.nullable(
          v.pipe(v.string(), v.trim(), v.regex(/^#[0-9a-f]{6}$/i, 'Must be a colour as #RRGGBB.'), v.toLowerCase()),
        ),
      ),
    }),
  ),
  version: expectedVersion,
})
export type SettingsChanges = v.InferOutput<typeof SettingsChanges>
