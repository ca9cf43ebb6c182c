import * as v from 'valibot'
import { CURRENCIES } from './money.ts'
import { LOCALES } from './actor.ts'
import { isDate, isTimeZone } from './zone.ts'

/** The words in which endpoints say what goes in and out. Strings are trimmed before they are measured. */

export const uuid = v.pipe(v.string(), v.uuid('Must be a UUID.'), v.toLowerCase())

const trimmed = (max: number) => v.pipe(v.string(), v.trim(), v.maxLength(max, `Must have at most ${max} characters.`))

const filled = v.minLength<string, 1, string>(1, 'Must not be empty.')

/** Joiners, direction marks and blanks take part in words; alone they show nothing by which a record could be told. */
const isVisible = v.check<string, string>(
  (value) => value === '' || /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value),
  'Must contain a visible character.',
)

const isOneLine = v.check<string, string>(
  (value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value),
  'Must not contain line breaks or control characters.',
)

const isProse = v.check<string, string>(
  (value) => !/\p{Cc}/u.test(value.replaceAll(/\r\n|[\n\t]/g, '')),
  'Must not contain control characters other than line breaks and tabs.',
)

const orNothing = v.transform<string, string | null>((value) => (value === '' ? null : value))

/** One line of 0 to `max` characters after trimming. */
export const line = (max: number) => v.pipe(trimmed(max), isOneLine)

/** One line of 1 to `max` characters, one of them visible: names, titles, codes, cities, phones. */
export const text = (max: number) => v.pipe(line(max), filled, isVisible)

/** One line as above; the empty string counts as no value. */
export const emptyable = (max: number) => v.pipe(line(max), isVisible, orNothing)

/** Text of 1 to `max` characters that may have several lines: notes, descriptions, reasons, messages. */
export const prose = (max: number) => v.pipe(trimmed(max), filled, isProse, isVisible)

/** Text of several lines as above; the empty string counts as no value. */
export const emptyableProse = (max: number) => v.pipe(trimmed(max), isProse, isVisible, orNothing)

/** What a search looks for: it is compared and never kept. */
export const searched = (max: number) => v.pipe(trimmed(max), filled)

/**
 * The name of a person or an institute, which mails carry to strangers: no address of a page may stand in it. What mail
 * programs would take for one all the same is broken up where the mail is written.
 */
export const name = (max: number) =>
  v.pipe(
    text(max),
    v.check(
      (value) => !/:\/\/|https?:|www\./iu.test(value.normalize('NFKC')),
      'Must be a name, not the address of a page.',
    ),
  )

/** A secret as it was typed: not trimmed. */
export const secret = (min: number, max = 1000) =>
  v.pipe(
    v.string(),
    v.minLength(min, min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`),
    v.maxLength(max, `Must have at most ${max} characters.`),
  )

export const email = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(254, 'Must have at most 254 characters.'),
  v.rfcEmail('Must be an email address.'),
)

/** An email address; the empty string counts as no value. */
export const emptyableEmail = v.pipe(
  v.string(),
  v.trim(),
  v.check((value) => value === '' || v.is(email, value), 'Must be an email address.'),
  v.transform((value) => (value === '' ? null : value)),
)

export const date = v.pipe(v.string(), v.check(isDate, 'Must be a date as YYYY-MM-DD.'), v.metadata({ format: 'date' }))

/** An instant with its offset; normalised to UTC with milliseconds. */
export const instant = v.pipe(
  v.string(),
  v.trim(),
  v.isoTimestamp('Must be an ISO-8601 date-time with an offset, such as 2026-03-01T08:00:00.000Z.'),
  // JavaScript takes 30 February for 2 March.
  v.check(
    (value) => isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
    'Must be an existing date-time of the years 1900 to 2200.',
  ),
  v.transform((value) => new Date(value).toISOString()),
  // The years of dates: beyond them the two databases take different texts.
  v.check((value) => isDate(value.slice(0, 10)), 'Must lie in the years 1900 to 2200.'),
)

export const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  v.pipe(
    v.number(),
    v.safeInteger('Must be a whole number.'),
    v.minValue(min, `Must be at least ${min}.`),
    v.maxValue(max, `Must be at most ${max}.`),
  )

export const currency = v.picklist(CURRENCIES)
export const locale = v.picklist(LOCALES)
export const timezone = v.pipe(v.string(), v.trim(), v.check(isTimeZone, 'Must be an IANA time zone.'))

/** Web addresses of pages and servers. */
export const httpUrl = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(2000, 'Must have at most 2000 characters.'),
  // URL parsers drop line breaks and tabs; what is kept must be what was checked.
  isOneLine,
  v.url('Must be a URL.'),
  v.check((value) => /^https?:\/\//i.test(value), 'Must begin with http:// or https://.'),
)

/** The root of a server: links are made by appending to it, so it ends without a slash. */
export const baseUrl = v.pipe(
  httpUrl,
  v.check((value) => {
    const url = URL.parse(value)
    return url === null || `${url.username}${url.password}${url.search}${url.hash}` === ''
  }, 'Must be an address without a user, a query and a fragment.'),
  v.transform((value) => {
    const { origin, pathname } = new URL(value)
    return `${origin}${pathname}`.replace(/\/+$/, '')
  }),
)

/** An amount as it leaves the API. */
export const Money = v.object({ amountMinor: v.pipe(v.number(), v.safeInteger()), currency })

export const Address = v.object({
  line1: v.optional(text(200)),
  line2: v.optional(text(200)),
  city: v.optional(text(100)),
  region: v.optional(text(100)),
  postalCode: v.optional(text(20)),
  country: v.optional(
    v.pipe(v.string(), v.trim(), v.regex(/^[A-Za-z]{2}$/, 'Must be a country of 2 letters.'), v.toUpperCase()),
  ),
})
export type Address = v.InferOutput<typeof Address>

export const Ok = v.object({ ok: v.literal(true) })
export const ok = { ok: true } as const

// What leaves the API: shapes only, the values were checked on their way in.
export const id = v.pipe(v.string(), v.uuid())
export const ts = v.pipe(v.string(), v.metadata({ format: 'date-time' }))
export const day = v.pipe(v.string(), v.metadata({ format: 'date' }))
export const count = v.pipe(v.number(), v.safeInteger())
export const orNull = <T extends v.GenericSchema>(schema: T) => v.nullable(schema)
export const list = <T extends v.GenericSchema>(item: T) => v.array(item)

/** The query of a list, with the filters of its own. */
export const pageQuery = <T extends v.ObjectEntries>(filters: T) =>
  v.object({
    cursor: v.optional(v.pipe(v.string(), v.maxLength(2000))),
    limit: v.optional(integer(1, 100), 25),
    ...filters,
  })

/** A page of a list. */
export const pageOf = <T extends v.GenericSchema>(item: T) =>
  v.object({ data: v.array(item), nextCursor: v.nullable(v.string()) })

/** Whether a reply is a page of a list. */
export const isPage = (reply: unknown): boolean =>
  'nextCursor' in ((reply as { entries?: object } | null | undefined)?.entries ?? {})

export interface Page<T> {
  data: T[]
  nextCursor: string | null
}

/** The optional `version` with which a PATCH asks for optimistic locking. */
export const expectedVersion = v.optional(integer(1))
