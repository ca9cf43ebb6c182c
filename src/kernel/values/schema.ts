import * as v from 'valibot'
import { CURRENCIES } from './money.ts'
import { LOCALES } from '#shared/locale.ts'
import { nameOf, named } from './named.ts'
import { cleanName } from '#shared/names.ts'
import { ALL_PERMISSIONS } from '#kernel/rights/permissions.ts'
import { plainDigits } from '#shared/typed.ts'
import { isDate, isTimeZone } from '#kernel/time/zone.ts'

/** The building blocks for the schemas of requests and replies. Strings are trimmed before their length is checked. */

export const uuid = v.pipe(v.string(), v.uuid('Must be a UUID.'), v.toLowerCase())

const atMost = (max: number) => v.maxLength<string, number, string>(max, `Must have at most ${max} characters.`)

const trimmed = (max: number) => v.pipe(v.string(), v.trim(), atMost(max))

const filled = v.minLength<string, 1, string>(1, 'Must not be empty.')

/** Joiners, direction marks and blanks are allowed within words, but a text of nothing else would be invisible. */
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

/** One line of 0 to `max` characters, after trimming. */
export const line = (max: number) => v.pipe(trimmed(max), isOneLine)

/** One line of 1 to `max` characters, at least one of them visible: for codes, cities, phones. It is kept as it was sent. */
export const text = (max: number) => v.pipe(line(max), filled, isVisible)

/** Like `text`, but the empty string becomes null. */
export const emptyable = (max: number) => v.pipe(line(max), isVisible, orNothing)

/** The number of an identity card, in Western digits whichever were typed; the empty string becomes null. */
export const identityNumber = v.pipe(line(50), isVisible, v.transform(plainDigits), orNothing)

/** Text of 1 to `max` characters that may have several lines: notes, descriptions, reasons, messages. */
export const prose = (max: number) => v.pipe(trimmed(max), filled, isProse, isVisible)

/** What was pasted out of a table: the tabs at its beginning are empty cells. */
export const pastedLines = (max: number) => v.pipe(v.string(), atMost(max), filled, isProse, isVisible)

/** Like `prose`, but the empty string becomes null. */
export const emptyableProse = (max: number) => v.pipe(trimmed(max), isProse, isVisible, orNothing)

/** A search term. It is never stored, so fewer checks apply. */
export const searched = (max: number) => v.pipe(trimmed(max), filled)

/** HH:MM, of a clock on the wall. */
export const timeOfDay = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of the day as HH:MM, 00:00 to 23:59.'),
)

/** The name of a thing, such as a branch, a course or a group. It is kept as `cleanName` makes it. */
export const title = (max: number) =>
  v.pipe(v.string(), v.trim(), isOneLine, v.transform(cleanName), atMost(max), filled, isVisible)

/**
 * The name of a person or an institute, kept like a title. It appears in mails to strangers, so it must not contain a web address. Where a
 * mail is written, text that mail programs would still turn into a link is broken up.
 */
export const name = (max: number) =>
  v.pipe(
    title(max),
    v.check(
      (value) => !/:\/\/|https?:|www\./iu.test(value.normalize('NFKC')),
      'Must be a name, not the address of a page.',
    ),
  )

/** A secret, exactly as it was typed: it is not trimmed. */
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

/** An email address. The empty string becomes null. */
export const emptyableEmail = v.pipe(
  v.string(),
  v.trim(),
  v.check((value) => value === '' || v.is(email, value), 'Must be an email address.'),
  v.transform((value) => (value === '' ? null : value)),
)

export const date = v.pipe(v.string(), v.check(isDate, 'Must be a date as YYYY-MM-DD.'), v.metadata({ format: 'date' }))

/** A date-time with an offset. It is normalised to UTC with milliseconds. */
export const instant = v.pipe(
  v.string(),
  v.trim(),
  v.isoTimestamp('Must be an ISO-8601 date-time with an offset, such as 2026-03-01T08:00:00.000Z.'),
  // JavaScript reads 30 February as 2 March.
  v.check(
    (value) => isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
    'Must be an existing date-time of the years 1900 to 2200.',
  ),
  v.transform((value) => new Date(value).toISOString()),
  // Conversion to UTC can leave the range of years, and beyond it the two databases accept different texts.
  v.check((value) => isDate(value.slice(0, 10)), 'Must lie in the years 1900 to 2200.'),
)

export const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  v.pipe(
    v.number(),
    v.safeInteger('Must be a whole number.'),
    v.minValue(min, `Must be at least ${min}.`),
    v.maxValue(max, `Must be at most ${max}.`),
  )

export const currency = named('Currency', v.picklist(CURRENCIES))
export const permission = named(
  'Permission',
  v.picklist(
    ALL_PERMISSIONS,
    ({ received }) => `${received.slice(0, 100)} is no permission: GET /permissions lists them.`,
  ),
)
export const locale = named('Locale', v.picklist(LOCALES))
export const timezone = v.pipe(v.string(), v.trim(), v.check(isTimeZone, 'Must be an IANA time zone.'))

/** The address of a web page or server. */
export const httpUrl = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(2000, 'Must have at most 2000 characters.'),
  // URL parsers drop line breaks and tabs, so the stored text would differ from the checked one.
  isOneLine,
  v.url('Must be a URL.'),
  v.check((value) => /^https?:\/\//i.test(value), 'Must begin with http:// or https://.'),
)

/** The address of a server's root, without a slash at the end: links are made by appending a path. */
export const baseUrl = v.pipe(
  httpUrl,
  v.check((value) => {
    const url = URL.parse(value)
    return url === null || `${url.username}${url.password}${url.search}${url.hash}` === ''
  }, 'Must be an address without a user, a query and a fragment.'),
  v.check(
    (value) => (URL.parse(value)?.pathname ?? '/') === '/',
    'Must have no path behind the host: pages and API lie at the root of the server.',
  ),
  v.transform((value) => new URL(value).origin),
)

/** An amount of money in a reply. */
export const Money = named('Money', v.object({ amountMinor: v.pipe(v.number(), v.safeInteger()), currency }), {
  amountMinor:
    'In the smallest unit of the currency (agorot, cents), never a fraction: 45000 of ILS is 450.00 shekels.',
})

export const Address = named(
  'Address',
  v.object({
    line1: v.optional(text(200)),
    line2: v.optional(text(200)),
    city: v.optional(text(100)),
    region: v.optional(text(100)),
    postalCode: v.optional(text(20)),
    country: v.optional(
      v.pipe(v.string(), v.trim(), v.regex(/^[A-Za-z]{2}$/, 'Must be a country of 2 letters.'), v.toUpperCase()),
    ),
  }),
  {
    line1: 'Street and house.',
    line2: 'What the first line has no room for.',
    region: 'State, district or province.',
    postalCode: 'As it is written on letters.',
    country: 'Two letters of ISO 3166-1, such as IL.',
  },
)
export type Address = v.InferOutput<typeof Address>

export const Ok = named('Ok', v.object({ ok: v.literal(true) }), { ok: 'It is done.' })
export const ok = { ok: true } as const

// Schemas for replies. They describe the shape only: values were validated when they came in.
export const id = v.pipe(v.string(), v.uuid())
export const ts = v.pipe(v.string(), v.metadata({ format: 'date-time' }))
export const day = v.pipe(v.string(), v.metadata({ format: 'date' }))
export const count = v.pipe(v.number(), v.safeInteger())
export const orNull = <T extends v.GenericSchema>(schema: T) => v.nullable(schema)
export const list = <T extends v.GenericSchema>(item: T) => v.array(item)

/** The most records of one page. */
export const MAX_LIMIT = 100

/** The ids of as many records as a page has: the names of what a list refers to are read at once. */
export const ids = v.pipe(v.array(uuid), v.maxLength(MAX_LIMIT, `Must name at most ${MAX_LIMIT} ids.`))

/**
 * The query of a list: cursor, limit and the list's own filters.
 * @param defaultLimit for requests without `limit`
 */
export const pageQuery = <T extends v.ObjectEntries>(filters: T, defaultLimit = 25) =>
  v.object({
    cursor: v.optional(v.pipe(v.string(), v.maxLength(2000))),
    limit: v.optional(integer(1, MAX_LIMIT), defaultLimit),
    ...filters,
  })

/** The query of a list that is short enough to be answered in one page where no limit is sent. */
export const shortListQuery = pageQuery({}, MAX_LIMIT)

const page = <T extends v.GenericSchema>(item: T) =>
  v.object({ data: v.array(item), nextCursor: v.nullable(v.string()) })

/** One schema for all lists of the same records, so that they have one name. */
const pages = new WeakMap<object, ReturnType<typeof page>>()

/** A page of a list; pages of `Student` are a `StudentPage`. */
export const pageOf = <T extends v.GenericSchema>(item: T): ReturnType<typeof page<T>> => {
  const known = pages.get(item) ?? page(item)
  const of = nameOf(item)
  if (of !== undefined && !pages.has(item)) named(`${of}Page`, known)
  pages.set(item, known)
  return known as ReturnType<typeof page<T>>
}

/** Whether a reply schema is a page of a list. */
export const isPage = (reply: unknown): boolean =>
  'nextCursor' in ((reply as { entries?: object } | null | undefined)?.entries ?? {})

export interface Page<T> {
  data: T[]
  nextCursor: string | null
}

/** The optional `version` in a PATCH, for optimistic locking. */
export const expectedVersion = v.optional(integer(1))
