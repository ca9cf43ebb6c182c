import * as v from 'valibot'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { nameOf } from '#kernel/values/named.ts'
import { unwrapped, type AnySchema } from '#http/bodies/bounds.ts'
import { localTime } from './local-time.ts'
import { quotedJson } from './quoted.ts'

/** How a result is described to a model: in plain lines, and with what people wrote marked as such. */

type Institute = Pick<TenantInfo, 'timezone' | 'currency'>

export interface Description {
  text: string
  /** JSON pointers to text that people typed; `*` is any index. */
  writtenByPeople: string[]
}

const MAX_TEXT = 12_000
/** Longer ones are cut in the lines; they are whole in the structured result. */
const MAX_QUOTED = 400

const amount = (minor: number, currency: string): string => `${(minor / 100).toFixed(2)} ${currency}`

const quoted = (text: string): string =>
  quotedJson(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}… (shortened)` : text)

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

/** One place in a reply, at which values of a schema stand. What follows from the schema alone is found out once. */
class ReplyPlace {
  /** A JSON pointer. */
  readonly at: string
  readonly isMoney: boolean
  readonly textKind: ReturnType<typeof kindOfText>
  readonly #schema: AnySchema | undefined
  readonly #bare: AnySchema | undefined
  readonly #hasChoice: boolean
  /** By the name of a field, by the mark of all items, or by the schema that was chosen. */
  readonly #inner = new Map<string | symbol | AnySchema, ReplyPlace>()

  constructor(schema: AnySchema | undefined, at: string) {
    this.at = at
    this.#schema = schema
    this.#bare = schema && unwrapped(schema)
    this.#hasChoice = ['lazy', 'union', 'variant'].includes(this.#bare?.type ?? '')
    this.isMoney = isMoney(schema)
    this.textKind = kindOfText(schema)
  }

  /** The place with the schema that applies to a value, where several may. */
  for(value: unknown): ReplyPlace {
    if (!this.#hasChoice) return this
    const schema = chosen(this.#schema, value)
    return schema
      ? (this.#inner.get(schema) ?? this.#know(schema, schema, this.at))
      : new ReplyPlace(undefined, this.at)
  }

  /** The place of a field; undefined: the name is one that people typed, of a record. */
  field(name: string): ReplyPlace | undefined {
    const known = this.#inner.get(name)
    if (known) return known
    const { entries } = this.#bare ?? {}
    const schema = entries && Object.hasOwn(entries, name) ? entries[name] : undefined
    return schema && this.#know(name, schema, `${this.at}/${name}`)
  }

  /** The place of what a record has under any name. */
  get each(): ReplyPlace {
    return this.#inner.get(EACH) ?? this.#know(EACH, this.#bare?.value, `${this.at}/*`)
  }

  get item(): ReplyPlace {
    return this.#inner.get(ITEM) ?? this.#know(ITEM, this.#bare?.item, `${this.at}/*`)
  }

  #know(key: string | symbol | AnySchema, schema: AnySchema | undefined, at: string): ReplyPlace {
    const place = new ReplyPlace(schema, at)
    // Of what no schema describes, people decide how many places there are.
    if (schema) this.#inner.set(key, place)
    return place
  }
}

const EACH = Symbol('each')
const ITEM = Symbol('item')

const roots = new WeakMap<AnySchema, ReplyPlace>()

const rootOf = (schema: AnySchema | null): ReplyPlace => {
  const place = (schema && roots.get(schema)) ?? new ReplyPlace(schema ?? undefined, '')
  if (schema) roots.set(schema, place)
  return place
}

class Describer {
  readonly people = new Set<string>()
  readonly #institute: Institute

  constructor(institute: Institute) {
    this.#institute = institute
  }

  /** A value in one line. */
  inLine(given: ReplyPlace, value: unknown): string {
    const place = given.for(value)
    if (typeof value === 'string') return this.#text(place, value)
    if (Array.isArray(value)) {
      const { item } = place
      return `[${value.map((one) => this.inLine(item, one)).join(', ')}]`
    }
    if (!isObject(value)) return String(value)
    if (place.isMoney) return amount(value.amountMinor as number, value.currency as string)
    return `{${this.fields(place, value).join('; ')}}`
  }

  /** The fields of an object that have a value, each as `name: value`. @param isApart says which are described elsewhere */
  fields(
    given: ReplyPlace,
    value: Record<string, unknown>,
    isApart?: (name: string, inner: unknown) => boolean,
  ): string[] {
    const place = given.for(value)
    const lines: string[] = []
    for (const name of Object.keys(value)) {
      const inner = value[name]
      if (inner === null || inner === undefined || (Array.isArray(inner) && inner.length === 0)) continue
      if (isApart?.(name, inner)) continue
      if (name.endsWith('Minor') && typeof inner === 'number') {
        const currency = typeof value.currency === 'string' ? value.currency : this.#institute.currency
        lines.push(`${name.slice(0, -'Minor'.length)}: ${amount(inner, currency)}`)
        continue
      }
      const field = place.field(name)
      // The names of a record's fields are typed by people too, unlike those of an object.
      lines.push(`${field ? name : quoted(name)}: ${this.inLine(field ?? place.each, inner)}`)
    }
    return lines
  }

  /** A row of a list. */
  row(place: ReplyPlace, value: unknown): string {
    return `- ${isObject(value) ? this.fields(place, value).join('; ') : this.inLine(place, value)}`
  }

  #text({ at, textKind }: ReplyPlace, value: string): string {
    if (textKind === 'instant') return localTime(value, this.#institute.timezone)
    if (textKind === 'ours') return value
    this.people.add(at)
    return quoted(value)
  }
}

const isMoney = (schema: AnySchema | undefined): boolean => {
  if (!schema) return false
  return nameOf(schema) === 'Money' || (schema.wrapped !== undefined && isMoney(schema.wrapped))
}

const isTable = (value: unknown): value is unknown[] => Array.isArray(value) && isObject(value[0])

const records = (count: number): string => (count === 1 ? '1 record.' : `${count} records.`)

/** Describes a reply: a page or a list as one line for each record, an object as one line for each field. */
export const describe = (schema: AnySchema | null, reply: unknown, institute: Institute): Description => {
  const describer = new Describer(institute)
  const root = rootOf(schema).for(reply)
  const lines: string[] = []
  if (Array.isArray(reply)) {
    const { item } = root
    lines.push(records(reply.length), ...reply.map((one) => describer.row(item, one)))
  } else if (isObject(reply)) {
    const { nextCursor } = reply
    const tables: [string, unknown[]][] = []
    const isApart = (name: string, value: unknown): boolean => {
      if (isTable(value)) tables.push([name, value])
      return name === 'nextCursor' || isTable(value)
    }
    lines.push(...describer.fields(root, reply, isApart))
    if (Array.isArray(reply.data)) lines.push(records(reply.data.length))
    for (const [name, rows] of tables) {
      if (name !== 'data') lines.push(`${name}:`)
      const { item } = (root.field(name) ?? root.each).for(rows)
      lines.push(...rows.map((row) => describer.row(item, row)))
    }
    if (typeof nextCursor === 'string') {
      lines.push(`There are more: call again with cursor ${JSON.stringify(nextCursor)}.`)
    }
  } else if (reply !== null && reply !== undefined) lines.push(describer.inLine(root, reply))
  const text = lines.join('\n')
  return {
    text:
      text.length > MAX_TEXT
        ? `${text.slice(0, MAX_TEXT)}\n… (shortened; all of it is in the structured result)`
        : text,
    writtenByPeople: [...describer.people],
  }
}
