import * as v from 'valibot'
import type { TenantInfo } from '#kernel/actor.ts'
import { BoundedCache } from '#kernel/bounded-cache.ts'
import { nameOf } from '#kernel/named.ts'
import { unwrapped, type AnySchema } from '../bounds.ts'

/** How a result is told: in plain lines, and with what people wrote marked as such. */

type Institute = Pick<TenantInfo, 'timezone' | 'currency'>

export interface Told {
  text: string
  /** JSON pointers to text that people typed; `*` is any index. */
  writtenByPeople: string[]
}

const MAX_TEXT = 12_000
/** Longer ones are cut in the lines; they are whole in the structured result. */
const MAX_QUOTED = 400

const clocks = new BoundedCache<string, Intl.DateTimeFormat>(200)

/** @param instant ISO-8601 in UTC @returns such as `2026-03-02 10:00 GMT+02:00` */
const localTime = (instant: string, zone: string): string => {
  const clock = clocks.get(zone, () => {
    const digits = '2-digit'
    const date = { year: 'numeric', month: digits, day: digits } as const
    const time = { hour: digits, minute: digits, timeZoneName: 'longOffset' } as const
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...date, ...time })
  })
  const millis = Date.parse(instant)
  return Number.isNaN(millis) ? instant : clock.format(millis)
}

const amount = (minor: number, currency: string): string => `${(minor / 100).toFixed(2)} ${currency}`

const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}… (shortened)` : text)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Piped = AnySchema & { pipe?: readonly { type: string; metadata?: { format?: string } }[] }

/** What the text of a schema is: an instant, a text that the program made (an id, a date, one of a list), or people's. */
const kindOfText = (schema: AnySchema | undefined): 'instant' | 'ours' | 'people' => {
  if (!schema) return 'people'
  if (schema.wrapped) return kindOfText(schema.wrapped)
  const { type } = unwrapped(schema)
  if (type === 'picklist' || type === 'literal' || type === 'enum') return 'ours'
  const { pipe = [] }: Piped = schema
  for (const part of pipe) {
    if (part.type === 'uuid') return 'ours'
    if (part.metadata?.format === 'date-time') return 'instant'
    if (part.metadata?.format === 'date') return 'ours'
  }
  return 'people'
}

/** The schema of a value: of several that may apply, the one that does. */
const chosen = (schema: AnySchema | undefined, value: unknown): AnySchema | undefined => {
  const bare = schema && unwrapped(schema)
  if (!bare) return undefined
  if (bare.type === 'lazy') return chosen((bare as unknown as { getter(): AnySchema }).getter(), value)
  const { options } = bare as { options?: unknown }
  if ((bare.type !== 'union' && bare.type !== 'variant') || !Array.isArray(options)) return schema
  return chosen(
    options.find((option) => v.is(option as AnySchema, value)),
    value,
  )
}

class Teller {
  readonly people = new Set<string>()
  readonly #institute: Institute

  constructor(institute: Institute) {
    this.#institute = institute
  }

  /** A value in one line. */
  inLine(schema: AnySchema | undefined, value: unknown, at: string): string {
    if (typeof value === 'string') return this.#text(schema, value, at)
    if (Array.isArray(value)) {
      const item = itemOf(schema, value)
      return `[${value.map((one) => this.inLine(item, one, `${at}/*`)).join(', ')}]`
    }
    if (!isObject(value)) return String(value)
    if (isMoney(schema)) return amount(value.amountMinor as number, value.currency as string)
    return `{${this.fields(schema, value, at).join('; ')}}`
  }

  /** The fields of an object that have a value, each as `name: value`. */
  fields(schema: AnySchema | undefined, value: Record<string, unknown>, at: string): string[] {
    const own = chosen(schema, value)
    const { entries, value: ofEach } = own ? unwrapped(own) : {}
    return Object.entries(value).flatMap(([name, inner]) => {
      if (inner === null || inner === undefined || (Array.isArray(inner) && inner.length === 0)) return []
      if (name.endsWith('Minor') && typeof inner === 'number') {
        const currency = typeof value.currency === 'string' ? value.currency : this.#institute.currency
        return [`${name.slice(0, -'Minor'.length)}: ${amount(inner, currency)}`]
      }
      // The names of a record's fields are typed by people too, unlike those of an object.
      const isTyped = entries?.[name] === undefined
      const field = isTyped ? quoted(name) : name
      return [`${field}: ${this.inLine(entries?.[name] ?? ofEach, inner, `${at}/${isTyped ? '*' : name}`)}`]
    })
  }

  #text(schema: AnySchema | undefined, value: string, at: string): string {
    const own = chosen(schema, value)
    const kind = kindOfText(own)
    if (kind === 'instant') return localTime(value, this.#institute.timezone)
    if (kind === 'ours') return value
    this.people.add(at)
    return quoted(value)
  }
}

const itemOf = (schema: AnySchema | undefined, value: unknown): AnySchema | undefined => {
  const own = chosen(schema, value)
  return own && unwrapped(own).item
}

const isMoney = (schema: AnySchema | undefined): boolean => {
  if (!schema) return false
  return nameOf(schema) === 'Money' || (schema.wrapped !== undefined && isMoney(schema.wrapped))
}

const isTable = (value: unknown): boolean => Array.isArray(value) && isObject(value[0])

const listed = (lines: readonly string[]): string[] => lines.map((line) => `- ${line}`)

const records = (count: number): string => (count === 1 ? '1 record.' : `${count} records.`)

/** Tells a reply: a page or a list as one line for each record, an object as one line for each field. */
export const tell = (schema: AnySchema | null, reply: unknown, institute: Institute): Told => {
  const teller = new Teller(institute)
  const lines: string[] = []
  const own = schema ?? undefined
  if (Array.isArray(reply)) {
    const item = itemOf(own, reply)
    lines.push(records(reply.length), ...listed(reply.map((one) => rowOf(teller, item, one, '/*'))))
  } else if (isObject(reply)) {
    const entries = own ? unwrapped(own).entries : undefined
    const { nextCursor, ...fields } = reply
    const tables = Object.entries(fields).filter((field): field is [string, unknown[]] => isTable(field[1]))
    const rest = Object.entries(fields).filter(([, value]) => !isTable(value))
    lines.push(...teller.fields(own, Object.fromEntries(rest), ''))
    if (Array.isArray(reply.data)) lines.push(records(reply.data.length))
    for (const [name, rows] of tables) {
      if (name !== 'data') lines.push(`${name}:`)
      const item = itemOf(entries?.[name], rows)
      lines.push(...listed(rows.map((row) => rowOf(teller, item, row, `/${name}/*`))))
    }
    if (typeof nextCursor === 'string') {
      lines.push(`There are more: call again with cursor ${JSON.stringify(nextCursor)}.`)
    }
  } else if (reply !== null && reply !== undefined) lines.push(teller.inLine(own, reply, ''))
  const text = lines.join('\n')
  return {
    text:
      text.length > MAX_TEXT
        ? `${text.slice(0, MAX_TEXT)}\n… (shortened; all of it is in the structured result)`
        : text,
    writtenByPeople: [...teller.people],
  }
}

const rowOf = (teller: Teller, schema: AnySchema | undefined, value: unknown, at: string): string =>
  isObject(value) ? teller.fields(schema, value, at).join('; ') : teller.inLine(schema, value, at)
