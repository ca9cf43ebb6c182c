import fc from 'fast-check'
import type { JsonSchema } from '../openapi/document.ts'
import { toJson, valid, type Ids } from './values.ts'

/** A body, and what is hostile about it. */
export interface Sized {
  what: string
  body: Buffer
}

type Path = readonly string[]
/** Makes text of at most so many bytes. */
type Filler = (bytes: number) => string

/** As many of one element as fit. */
const elements =
  (element: string): Filler =>
  (bytes) =>
    `[${Array.from({ length: Math.floor((bytes - 2) / (Buffer.byteLength(element) + 1)) }, () => element).join(',')}]`

const repeated =
  (unit: string): Filler =>
  (bytes) =>
    `"${unit.repeat(Math.floor((bytes - 2) / Buffer.byteLength(unit)))}"`

const TEXTS: readonly (readonly [string, Filler])[] = [
  ['one letter', repeated('a')],
  ['blanks', repeated(' ')],
  // Trimmed from both ends, looked for at every blank in between.
  ['blanks around a letter', (bytes) => `"a${' '.repeat(bytes - 4)}a"`],
  ['combining marks', repeated('\u0301')],
  ['a ligature of eighteen letters', repeated('\ufdfa')],
  ['digits', repeated('0')],
  ['@', repeated('@')],
  ['dots', (bytes) => `"a@${'a.'.repeat(Math.floor((bytes - 5) / 2))}"`],
  ['<', repeated('<')],
]

const times = (unit: string, most: number, bytes: number): string =>
  unit.repeat(Math.min(most, Math.floor(bytes / unit.length)))

const nested =
  (open: string, close: string, depth: number): Filler =>
  (bytes) => {
    const levels = Math.min(depth, Math.floor((bytes - 1) / (open.length + close.length)))
    return `${open.repeat(levels)}0${close.repeat(levels)}`
  }

/** Names in an object, each with what tells them apart. */
const names =
  (count: number, name: (index: number) => string): Filler =>
  (bytes) => {
    const one = name(0).length + '"00000":0,'.length
    const fit = Math.min(count, Math.floor((bytes - 2) / one))
    return `{${Array.from({ length: fit }, (_, index) => `"${name(index)}${String(index).padStart(5, '0')}":0`).join(',')}}`
  }

/** What no schema names. */
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
  ['a long name with a NUL byte', (bytes) => `{"${String.raw`\u0000`.padEnd(bytes - 6, 'x')}":0}`],
  ['a number of a million digits', (bytes) => times('1', 1_000_000, bytes)],
]

const HERE = '\u27eahere\u27eb'

/** The example with the text in place of what the path leads to; what is missing on the way is made. */
const withAt = (example: unknown, path: Path, text: Filler, limit: number): Buffer => {
  const root = structuredClone(example ?? {}) as Record<string, unknown>
  let at = root
  for (const [index, name] of path.slice(0, -1).entries()) {
    const next = at[name]
    if (typeof next !== 'object' || next === null) at[name] = path[index + 1] === '0' ? [{}] : {}
    at = at[name] as Record<string, unknown>
  }
  at[path.at(-1) as string] = HERE
  const frame = JSON.stringify(root)
  const room = limit - Buffer.byteLength(frame) + Buffer.byteLength(`"${HERE}"`)
  return Buffer.from(frame.replace(`"${HERE}"`, () => text(room)))
}

interface Place {
  path: Path
  schema: JsonSchema
}

/** Every array and every text that a schema names, at any depth; `0` stands for the elements of an array. */
const placesOf = (schema: JsonSchema, path: Path = []): Place[] => [
  ...(schema.anyOf ?? []).flatMap((one) => placesOf(one, path)),
  ...(schema.type === 'array' || (schema.type === 'string' && !schema.enum) ? [{ path, schema }] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => placesOf(inner, [...path, name])),
  ...(schema.items ? placesOf(schema.items, [...path, '0']) : []),
]

/** The example with blanks behind it, to exactly so many bytes: as good as the example. */
export const padded = (example: unknown, bytes: number): Buffer =>
  Buffer.from(JSON.stringify(example ?? {}).padEnd(bytes, ' '))

/** The example beside something large that the schema does not name: where it is not refused it is carried out. */
export const besideUnknown = (example: unknown, limit: number): Sized[] =>
  UNKNOWN.map(([what, filler]) => ({
    what: `beside the example ${what}`,
    body: withAt(example, ['unknown'], filler, limit),
  }))

/**
 * Bodies of up to so many bytes, each with something in it that is as large as it can be: every array, every text, and
 * the body itself.
 */
export const sizedBodies = (schema: JsonSchema, ids: Ids, example: unknown, limit: number): Sized[] => {
  const found = placesOf(schema).flatMap(({ path, schema: place }): Sized[] => {
    const where = path.join('.')
    if (place.type === 'string') {
      return TEXTS.map(([what, filler]) => ({
        what: `${where}: ${what}`,
        body: withAt(example, path, filler, limit),
      }))
    }
    const [one] = fc.sample(valid(place.items ?? {}, path.at(-1) as string, ids), { numRuns: 1, seed: 1 })
    return ['{}', '0', '""', '[]', 'null', toJson(one)].map((element) => ({
      what: `${where}: an array of ${element}`,
      body: withAt(example, path, elements(element), limit),
    }))
  })
  const whole = [...UNKNOWN.slice(0, 5), ...TEXTS.slice(0, 1)].map(([what, filler]) => ({
    what: `the body itself: ${what}`,
    body: Buffer.from(filler(limit)),
  }))
  return [...found, ...whole]
}
