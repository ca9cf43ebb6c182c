/** Chance that comes out the same for the same seed. */
export interface Chance {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  /** True in so many of a hundred. */
  percent(share: number): boolean
  /** @throws when there is nothing to choose from */
  one<T>(all: readonly T[]): T
  /** Some of them, each once, at most so many. */
  some<T>(all: readonly T[], most: number): T[]
}

export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  // Mulberry32: every state comes once before any comes again.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const one = <T>(all: readonly T[]): T => {
    if (all.length === 0) throw new Error('There is nothing to choose from.')
    return all[int(0, all.length - 1)] as T
  }
  return {
    int,
    one,
    percent: (share) => next() * 100 < share,
    some: (all, most) => {
      const left = [...all]
      const chosen = []
      while (left.length > 0 && chosen.length < most) chosen.push(...left.splice(int(0, left.length - 1), 1))
      return chosen
    },
  }
}
