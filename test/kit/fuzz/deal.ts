import { isNightly, volume } from '#kit/volume.ts'

/**
 * Deals hostile values out to the places that they may stand in: every value is tried at the first place of each kind,
 * and one in nine, at night one in three, at each further one, in turn, so that together those of a kind meet all of them
 * too.
 */
export class Deal {
  /** How many places of a kind there were. */
  readonly #places = new Map<string, number>()

  of<T>(kind: string, values: readonly T[]): T[] {
    const earlier = this.#places.get(kind) ?? 0
    this.#places.set(kind, earlier + 1)
    const parts = earlier === 0 ? 1 : volume(isNightly ? 3 : 9, 1)
    return values.filter((_, index) => index % parts === earlier % parts)
  }
}
