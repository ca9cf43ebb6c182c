import { uint16s } from './sfnt.ts'

/** What is written of the table GSUB: which glyphs take the place of which others, in which order. */

/** Glyphs by the glyph whose place they take. */
export type Swaps = ReadonlyMap<number, number>

export type Lookup =
  /** One glyph for another. */
  | { kind: 'single'; swaps: Swaps }
  /** One glyph for several that follow each other. */
  | { kind: 'ligature'; ligatures: readonly { of: readonly [number, ...number[]]; glyph: number }[] }
  /** A glyph between others is swapped by another lookup; marks between them do not count. */
  | { kind: 'context'; before: readonly number[]; glyphs: readonly number[]; after: readonly number[]; by: number }

export interface Feature {
  tag: string
  lookups: readonly number[]
}

const IGNORE_MARKS = 0x0008
const NONE_REQUIRED = 0xffff

/** Tables that are named by their distance from the start of what names them. */
const withTables = (head: (places: number[]) => number[], tables: readonly Buffer[]): Buffer => {
  const length = head(tables.map(() => 0)).length * 2
  let end = length
  const places = tables.map((table) => (end += table.length) - table.length)
  if (places.some((place) => place > 0xffff)) throw new Error('a table of substitutions is too large')
  return Buffer.concat([uint16s(...head(places)), ...tables])
}

const ordered = (glyphs: Iterable<number>): number[] => [...new Set(glyphs)].toSorted((one, other) => one - other)

const coverage = (glyphs: Iterable<number>): Buffer => {
  const all = ordered(glyphs)
  return uint16s(1, all.length, ...all)
}

const single = (swaps: Swaps): Buffer => {
  const from = ordered(swaps.keys())
  const to = from.map((glyph) => swaps.get(glyph) as number)
  return withTables(([place = 0]) => [2, place, to.length, ...to], [coverage(from)])
}

const ligature = ({ ligatures }: Lookup & { kind: 'ligature' }): Buffer => {
  const firsts = ordered(ligatures.map(({ of: [first] }) => first))
  const sets = firsts.map((first) => {
    // The longest that fits is taken.
    const own = ligatures.filter(({ of }) => of[0] === first).toSorted((one, other) => other.of.length - one.of.length)
    const tables = own.map(({ of: [, ...rest], glyph }) => uint16s(glyph, rest.length + 1, ...rest))
    return withTables((places) => [places.length, ...places], tables)
  })
  return withTables(([place = 0, ...places]) => [1, place, places.length, ...places], [coverage(firsts), ...sets])
}

const context = ({ before, glyphs, after, by }: Lookup & { kind: 'context' }): Buffer => {
  const around = [before, glyphs, after].map((some) => (some.length === 0 ? [] : [coverage(some)]))
  const listed = (at: number, places: number[]): number[] => {
    const first = around.slice(0, at).flat().length
    const own = places.slice(first, first + (around[at]?.length ?? 0))
    return [own.length, ...own]
  }
  return withTables(
    (places) => [3, ...listed(0, places), ...listed(1, places), ...listed(2, places), 1, 0, by],
    around.flat(),
  )
}

const lookupTable = (lookup: Lookup): Buffer => {
  switch (lookup.kind) {
    case 'single':
      return withTables(([place = 0]) => [1, 0, 1, place], [single(lookup.swaps)])
    case 'ligature':
      return withTables(([place = 0]) => [4, 0, 1, place], [ligature(lookup)])
    default:
      return withTables(([place = 0]) => [6, IGNORE_MARKS, 1, place], [context(lookup)])
  }
}

/** A list of tables, each named by a tag of four letters. */
const tagged = (entries: readonly { tag: string; table: Buffer }[]): Buffer => {
  const tag = (text: string): number[] => [...Buffer.from(text, 'latin1')]
  const words = ([one = 0, two = 0, three = 0, four = 0]: number[]): number[] => [(one << 8) | two, (three << 8) | four]
  return withTables(
    (places) => [entries.length, ...entries.flatMap((entry, at) => [...words(tag(entry.tag)), places[at] ?? 0])],
    entries.map(({ table }) => table),
  )
}

/**
 * The table, for each of the scripts.
 * @param features in the alphabetical order of their tags
 */
export const substitutions = (
  scripts: readonly string[],
  features: readonly Feature[],
  lookups: readonly Lookup[],
): Buffer<ArrayBuffer> => {
  const language = uint16s(0, NONE_REQUIRED, features.length, ...features.keys())
  const script = withTables(([place = 0]) => [place, 0], [language])
  const lookupTables = lookups.map(lookupTable)
  return Buffer.concat([
    withTables(
      ([scriptsAt = 0, featuresAt = 0, lookupsAt = 0]) => [1, 0, scriptsAt, featuresAt, lookupsAt],
      [
        tagged(scripts.map((tag) => ({ tag, table: script }))),
        tagged(features.map(({ tag, lookups: own }) => ({ tag, table: uint16s(0, own.length, ...own) }))),
        withTables((places) => [places.length, ...places], lookupTables),
      ],
    ),
  ])
}
