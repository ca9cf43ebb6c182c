import fc from 'fast-check'
import type { JsonSchema } from '../openapi/document.ts'
import type { Deal } from './deal.ts'
import { toJson, valid, type Ids } from './values.ts'

/** A body, and what makes it hostile. */
export interface Sized {
  what: string
  body: Buffer
}

type Path = readonly string[]
/**
 * Makes JSON of at most so many bytes. It fills a buffer instead of joining strings: there are thousands of 1 MiB
 * bodies.
 */
type Filler = (bytes: number) => Buffer

/** Repeats a text between two others. */
const between = (open: string, unit: string, times: number, close: string): Buffer => {
  const size = times * Buffer.byteLength(unit)
  const whole = Buffer.allocUnsafe(open.length + size + close.length)
  whole.write(open)
  whole.fill(unit, open.length, open.length + size)
  whole.write(close, open.length + size)
  return whole
}

/** As many copies of one element as fit. */
const elements =
  (element: string): Filler =>
  (bytes) => {
    const count = Math.floor((bytes - 2) / (Buffer.byteLength(element) + 1))
    return Buffer.concat([between('[', `${element},`, count - 1, ''), Buffer.from(`${element}]`)])
  }

const repeated =
  (unit: string): Filler =>
  (bytes) =>
    between('"', unit, Math.floor((bytes - 2) / Buffer.byteLength(unit)), '"')

const TEXTS: readonly (readonly [string, Filler])[] = [
  ['one letter', repeated('a')],
  ['blanks', repeated(' ')],
  // Slow for a trim that tries every blank as the end.
  ['blanks around a letter', (bytes) => between('"a', ' ', bytes - 4, 'a"')],
  ['combining marks', repeated('\u0301')],
  ['a ligature of eighteen letters', repeated('\ufdfa')],
  ['digits', repeated('0')],
  ['@', repeated('@')],
  ['dots', (bytes) => between('"a@', 'a.', Math.floor((bytes - 5) / 2), '"')],
  ['<', repeated('<')],
]

const nested =
  (open: string, close: string, depth: number): Filler =>
  (bytes) => {
    const levels = Math.min(depth, Math.floor((bytes - 1) / (open.length + close.length)))
    return Buffer.concat([between('', open, levels, '0'), between('', close, levels, '')])
  }

/** An object with many names, which a number makes unique. */
const names =
  (count: number, name: (index: number) => string): Filler =>
  (bytes) => {
    const one = name(0).length + '"00000":0,'.length
    const fit = Math.min(count, Math.floor((bytes - 2) / one))
    const members = Array.from({ length: fit }, (_, index) => `"${name(index)}${String(index).padStart(5, '0')}":0`)
    return Buffer.from(`{${members.join(',')}}`)
  }

/** Values of a property that no schema names. */
const UNKNOWN: readonly (readonly [string, Filler])[] = [
  ['300,000 objects', elements('{}')],
  ['lists of nothing', elements('[]')],
  ['60,000 names', names(60_000, () => '')],
  ['100,000 lists inside each other', nested('[', ']', 100_000)],
  ['100,000 objects inside each other', nested('{"a":', '}', 100_000)],
  ['2,000 levels', nested('[', ']', 2000)],
  ['NUL bytes, each of which is an issue', elements(String.raw`"\u0000"`)],
  ['names with NUL bytes', names(60_000, () => String.raw`\u0000`)],
  [
    '50 long names with a NUL byte each',
    (bytes) => names(50, () => String.raw`\u0000`.padEnd(Math.floor(bytes / 51) - 10, 'x'))(bytes),
  ],
  ['a long name with a NUL byte', (bytes) => between(String.raw`{"\u0000`, 'x', bytes - 12, '":0}')],
  ['a number of a million digits', (bytes) => Buffer.alloc(Math.min(1_000_000, bytes), '1')],
]

const HERE = '\u27eahere\u27eb'

/** The example with a filler at the path; creates missing objects on the way. */
const withAt = (example: unknown, path: Path, filler: Filler, limit: number): Buffer => {
  const root = structuredClone(example ?? {}) as Record<string, unknown>
  let at = root
  for (const [index, name] of path.slice(0, -1).entries()) {
    const next = at[name]
    if (typeof next !== 'object' || next === null) at[name] = path[index + 1] === '0' ? [{}] : {}
    at = at[name] as Record<string, unknown>
  }
  at[path.at(-1) as string] = HERE
  const [head, tail] = JSON.stringify(root)
    .split(`"${HERE}"`)
    .map((part) => Buffer.from(part)) as [Buffer, Buffer]
  return Buffer.concat([head, filler(limit - head.length - tail.length), tail])
}

interface Place {
  path: Path
  schema: JsonSchema
}

/** Every array and text of a schema, at any depth; `0` stands for the elements of an array. */
const placesOf = (schema: JsonSchema, path: Path = []): Place[] => [
  ...(schema.anyOf ?? []).flatMap((one) => placesOf(one, path)),
  ...(schema.type === 'array' || (schema.type === 'string' && !schema.enum) ? [{ path, schema }] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => placesOf(inner, [...path, name])),
  ...(schema.items ? placesOf(schema.items, [...path, '0']) : []),
]

/** The example followed by blanks, exactly so many bytes; as valid as the example. */
export const padded = (example: unknown, bytes: number): Buffer =>
  Buffer.from(JSON.stringify(example ?? {}).padEnd(bytes, ' '))

/** The example with a large extra property: unless it is refused, the request succeeds. One body is in memory at a time. */
export const besideUnknown = function* (deal: Deal, example: unknown, limit: number): Generator<Sized> {
  for (const [what, filler] of deal.of('beside', UNKNOWN)) {
    yield { what: `beside the example ${what}`, body: withAt(example, ['unknown'], filler, limit) }
  }
}

/** Two places of the same kind are described by the same schema, whatever it is that they hold. */
const kindOf = (schema: JsonSchema): string => JSON.stringify({ ...schema, description: undefined })

/** What bodies are made of. */
export interface Ingredients {
  schema: JsonSchema
  ids: Ids
  example: unknown
  limit: number
}

/**
 * Bodies of up to so many bytes, each with one part as large as possible: every array, every text, and the body itself.
 * One body is in memory at a time.
 */
export const sizedBodies = function* (deal: Deal, { schema, ids, example, limit }: Ingredients): Generator<Sized> {
  for (const { path, schema: place } of placesOf(schema)) {
    const where = path.join('.')
    if (place.type === 'string') {
      for (const [what, filler] of deal.of(kindOf(place), TEXTS)) {
        yield { what: `${where}: ${what}`, body: withAt(example, path, filler, limit) }
      }
    } else {
      const [one] = fc.sample(valid(place.items ?? {}, path.at(-1) as string, ids), { numRuns: 1, seed: 1 })
      for (const element of deal.of(kindOf(place), ['{}', '0', '""', '[]', 'null', toJson(one)])) {
        yield { what: `${where}: an array of ${element}`, body: withAt(example, path, elements(element), limit) }
      }
    }
  }
  for (const [what, filler] of deal.of('itself', [...UNKNOWN.slice(0, 5), ...TEXTS.slice(0, 1)])) {
    yield { what: `the body itself: ${what}`, body: filler(limit) }
  }
}
