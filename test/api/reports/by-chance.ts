/** Numbers by chance, the same at each run. */
export const chance = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
type Chance = ReturnType<typeof chance>
export const oneOf = <T>(next: Chance, some: readonly T[]): T => some[next(some.length)] as T
