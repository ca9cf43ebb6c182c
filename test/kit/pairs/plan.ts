import { meet, type Form, type Learnt } from './forms.ts'
import type { Pair } from './race.ts'
import type { Way } from './records.ts'

/** Pseudo-random numbers below 1 from a seed (mulberry32). */
export const lot = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const drawn = <T>(random: () => number, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T

export const shuffled = <T>(random: () => number, values: readonly T[]): T[] =>
  values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value)

/** The ways in which the second change can name records of the first; an empty one: each uses its own records. */
const aimsAt = (first: Learnt, second: Learnt): Pair['aim'][] => {
  const waysTo = (table: string): Way[] => first.ways.filter((way) => way.table === table)
  const given = second.namings.filter((naming) => naming.given && waysTo(naming.table).length > 0)
  const turn = (by: number): Pair['aim'] => {
    const used = new Map<string, number>()
    return given.map(({ place, table }) => {
      const ways = waysTo(table)
      const index = used.get(table) ?? 0
      used.set(table, index + 1)
      return { place, way: ways[(index + by) % ways.length] as Way }
    })
  }
  const turns = Math.min(2, Math.max(0, ...given.map(({ table }) => waysTo(table).length)))
  const aims = Array.from({ length: turns }, (_, by) => turn(by))
  for (const { place, table } of second.namings.filter((naming) => !naming.given)) {
    for (const way of waysTo(table).slice(0, 2)) aims.push([...(first === second ? [] : turn(0)), { place, way }])
  }
  return [...aims, []]
}

export interface Cell {
  first: Learnt
  second: Learnt
  aim: Pair['aim']
}

/**
 * Every two changes that share a table, also an endpoint with itself, with every way of aiming both at one record.
 * Changes without a common record may still break a rule over all records, when both write the same table.
 */
export const cellsOf = (learnt: readonly Learnt[]): Cell[] =>
  learnt.flatMap((first, index) =>
    learnt.flatMap((second, other) =>
      meet(first, second)
        ? aimsAt(first, second)
            .filter((aim) => aim.length > 0 || (index <= other && !first.writes.isDisjointFrom(second.writes)))
            .map((aim) => ({ first, second, aim }))
        : [],
    ),
  )

const deletes = ({ endpoint }: Learnt): boolean => endpoint.method === 'DELETE'

/** Shuffles the cells; those in which one change deletes what the other uses tend to come first. */
export const inOrder = (random: () => number, cells: readonly Cell[]): Cell[] =>
  cells
    .map((cell) => {
      const { first, second, aim } = cell
      const isSooner = aim.length > 0 && deletes(first) !== deletes(second)
      return [random() * (isSooner ? 0.5 : 1), cell] as const
    })
    .toSorted(([a], [b]) => a - b)
    .map(([, cell]) => cell)

/** Gives each change its example's form, or one of its other forms. */
export const pairOf = (random: () => number, { first, second, aim }: Cell): Pair => {
  const form = ({ forms }: Learnt): Form => (random() < 0.5 ? (forms[0] as Form) : drawn(random, forms))
  return { first: { learnt: first, form: form(first) }, second: { learnt: second, form: form(second) }, aim }
}
