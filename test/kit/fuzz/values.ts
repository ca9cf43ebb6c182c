import fc, { type Arbitrary } from 'fast-check'
import { ALL_PERMISSIONS } from '#kernel/rights/permissions.ts'
import type { JsonSchema } from '../openapi/document.ts'
import { HOSTILE_TEXTS } from './texts.ts'

/** Ids of the prepared institutes, by the property that names them; '' has all. */
export type Ids = ReadonlyMap<string, readonly string[]>

/**
 * Marks a number to be written into the JSON exactly so, where JavaScript would print it differently; `toJson` removes
 * the quotes and marks.
 */
const number = (written: string): string => `\u27ea${written}\u27eb`

export const toJson = (value: unknown): string => JSON.stringify(value).replaceAll(/"\u27ea([^"\u27eb]+)\u27eb"/g, '$1')

export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

const numbers = ['0', '-0', '-1', '1', '1.5', '1e400', '-1e400', '1e-400', '2147483648', '9007199254740991']
const hostileNumber = fc
  .constantFrom(...numbers, '9007199254740992', '9007199254740993', '-9007199254740993', '9223372036854775808', '1E3')
  .map(number)

/** Any value for a JSON body. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown[]>(null, true, false, [], {}, [[]], [null], { length: 1 }, { toString: 1 }),
  },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
)

const dates = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -400, max: 800 }).map((days) => new Date(1.7724e12 + days * 864e5)) },
  { weight: 1, arbitrary: fc.date({ min: new Date('1900-01-01'), max: new Date('2200-12-31'), noInvalidDate: true }) },
)
const words = fc.stringMatching(/^[A-Za-z\u05d0-\u05ea\u0627-\u064a]{2,12}$/)

/** What JSON schemas cannot express about a text, by property. */
const TEXT_OF: Record<string, Arbitrary<string>> = {
  email: words.map((word) => `${encodeURIComponent(word).replaceAll('%', '')}@example.org`),
  phone: fc.oneof(
    fc.integer({ min: 0, max: 9_999_999 }).map((digits) => `+97252${String(digits).padStart(7, '0')}`),
    fc.constantFrom('050-123 4567', '(02) 654-3210', '\u0660\u0665\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667'),
  ),
  timezone: fc.constantFrom('Asia/Jerusalem', 'Asia/Amman', 'America/New_York', 'UTC', 'Pacific/Apia'),
  permissions: fc.constantFrom(...ALL_PERMISSIONS),
  allowedOrigins: fc.constantFrom('https://example.org', 'http://localhost:5173', 'https://Example.org/'),
  password: fc.constantFrom('a long enough phrase', 'correct horse'),
}

const textOf = ({ minLength = 0, maxLength = 200 }: JsonSchema, name: string): Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: words.map((word) => word.padEnd(minLength, 'x').slice(0, maxLength)) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) }),
    },
    ...(TEXT_OF[name] ? [{ weight: 6, arbitrary: TEXT_OF[name] }] : []),
  )

const formatted = (format: string | undefined, name: string, ids: Ids): Arbitrary<string> | undefined => {
  if (format === 'uuid') {
    const all = ids.get('') ?? []
    const own = ids.get(name) ?? all
    return fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...own) },
      { weight: 1, arbitrary: fc.constantFrom(...all) },
      { weight: 1, arbitrary: fc.uuid({ version: 7 }) },
    )
  }
  if (format === 'date') return dates.map((date) => date.toISOString().slice(0, 10))
  if (format === 'date-time') {
    return fc
      .tuple(dates, fc.constantFrom('Z', '+02:00', '-11:30'))
      .map(([date, offset]) => date.toISOString().replace('Z', offset))
  }
  if (format === 'email') return TEXT_OF.email
  // Nothing listens on that port, and `.invalid` never resolves: nothing is sent anywhere.
  if (format === 'uri') return fc.constantFrom('http://127.0.0.1:9/hook', 'https://nobody.invalid/a?b=c#d')
  return undefined
}

// Building one for \p{L} takes a third of a second.
const matchers = new Map<string, Arbitrary<string>>()
const matching = (pattern: string): Arbitrary<string> => {
  const matcher = matchers.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
  matchers.set(pattern, matcher)
  return matcher
}

/** Values that fit a schema; a business rule may still refuse them. */
export const valid = (schema: JsonSchema, name: string, ids: Ids): Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, name, ids)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number': {
      const { minimum = -1000, maximum = 1_000_000 } = schema
      const near = { min: minimum, max: Math.max(minimum, Math.min(maximum, minimum + 100)) }
      return fc.oneof(fc.integer(near), fc.constantFrom(minimum, maximum))
    }
    case 'array':
      return fc.array(valid(schema.items ?? {}, name, ids), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'object': {
      const { properties = {}, required = [] } = schema
      const entries = Object.entries(properties).map(([key, inner]) => [key, valid(inner, key, ids)] as const)
      const fields: Record<string, Arbitrary<unknown>> = Object.fromEntries(entries)
      return fc.record(fields, { requiredKeys: required, noNullPrototype: true })
    }
    case 'string': {
      const known = formatted(schema.format, name, ids)
      if (known) return known
      return schema.pattern ? matching(schema.pattern) : textOf(schema, name)
    }
    default:
      return hostile
  }
}

/** Values just inside or outside the limits of a schema. */
export const near = (schema: JsonSchema, name: string, ids: Ids): Arbitrary<unknown> => {
  const good = valid(schema, name, ids)
  if (schema.anyOf) return fc.oneof(good, ...schema.anyOf.map((one) => near(one, name, ids)))
  if (schema.type === 'string') {
    const lengths = [schema.minLength, schema.maxLength].flatMap((length) =>
      length === undefined ? [] : [length - 1, length, length + 1].filter((one) => one >= 0),
    )
    const edge = fc.constantFrom(0, 1, ...lengths)
    return fc.oneof(
      good.map((value) => ` ${String(value)} `),
      good.map((value) => String(value).toUpperCase()),
      good.map((value) => `${String(value)}x`),
      good.map((value) => [value]),
      edge.map((length) => 'a'.repeat(length)),
      edge.map((length) => '\u{1f600}'.repeat(length).slice(0, length)),
      edge.map((length) => ' '.repeat(length)),
      hostileText,
    )
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const edges = [schema.minimum ?? 0, schema.maximum ?? 0].flatMap((edge) => [edge - 1, edge, edge + 1, edge + 0.5])
    return fc.oneof(fc.constantFrom<unknown[]>(...edges), hostileNumber, good.map(String))
  }
  if (schema.type === 'array') {
    const item = fc.oneof(good, near(schema.items ?? {}, name, ids))
    return fc.oneof(
      fc.array(near(schema.items ?? {}, name, ids), { maxLength: 4 }),
      good.map((value) => [...(value as unknown[]), ...(value as unknown[])]),
      item.map((value) => ({ 0: value })),
      valid(schema.items ?? {}, name, ids).map((value) =>
        Array.from({ length: (schema.maxItems ?? 300) + 1 }, () => value),
      ),
    )
  }
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {}).map(([key, inner]) => [
      key,
      fc.oneof({ weight: 3, arbitrary: valid(inner, key, ids) }, { weight: 2, arbitrary: near(inner, key, ids) }),
    ])
    return fc
      .tuple(
        fc.record(Object.fromEntries(entries), { requiredKeys: [], noNullPrototype: true }),
        fc.dictionary(hostileText, hostile, { maxKeys: 2 }),
      )
      .map(([known, unknown]) => ({ ...known, ...unknown }))
  }
  return fc.oneof(good, hostile)
}
