import type { Table } from '#ports/tables/port.ts'
import type { RowReader, Values } from './rows.ts'

const LOOKED_AT = 100

/** Nobody's rows fill a file. What a slice takes in one transaction has to end somewhere. */
const MOST_OF_ONE = 100

/** The rows that stand from one place to another, counted from 0. */
const placesFrom = (start: number, count: number): number[] => Array.from({ length: count }, (_, at) => start + at)

/**
 * The order in which rows are written: those of one person follow the first of them, and all else stays as it is in the
 * file. It follows from the file alone, so that an import that is resumed goes on where it was.
 */
export interface RowOrder {
  /** The places of the rows in the table. */
  places: readonly number[]
  /** Whether a row is of the same person as the one before it, and so in the same slice. */
  isTogether(position: number): boolean
  /** The places of rows that are too many of one person. */
  tooMany: ReadonlySet<number>
}

/** Puts together what has a key in common, directly or through others. */
class Joined {
  readonly #leaders: number[] = []
  readonly #firstWith = new Map<string, number>()

  /** The first place of those that belong together. */
  leaderOf(place: number): number {
    let leader = place
    while (this.#leaders[leader] !== leader) {
      this.#leaders[leader] = this.#leaders[this.#leaders[leader] as number] as number
      leader = this.#leaders[leader] as number
    }
    return leader
  }

  add(place: number, keys: readonly string[]): void {
    this.#leaders[place] = place
    for (const key of keys) {
      const [here, there] = [this.leaderOf(place), this.leaderOf(this.#firstWith.get(key) ?? place)]
      this.#leaders[Math.max(here, there)] = Math.min(here, there)
      if (!this.#firstWith.has(key)) this.#firstWith.set(key, place)
    }
  }
}

export const orderOf = async (
  table: Pick<Table, 'count' | 'rows'>,
  keysOf: (values: Values) => readonly string[],
  reader: Pick<RowReader, 'read'>,
): Promise<RowOrder> => {
  const joined = new Joined()
  for (let start = 0; start < table.count; start += LOOKED_AT) {
    const rows = await table.rows(placesFrom(start, Math.min(LOOKED_AT, table.count - start)))
    for (const [at, row] of rows.entries()) {
      const { values, complaints } = reader.read(row)
      // A row that is refused for its cells does nothing to others.
      joined.add(start + at, complaints.length > 0 ? [] : keysOf(values))
    }
  }
  const counts = new Map<number, number>()
  const tooMany = new Set<number>()
  const leaders = placesFrom(0, table.count).map((place) => {
    const leader = joined.leaderOf(place)
    const count = (counts.get(leader) ?? 0) + 1
    counts.set(leader, count)
    if (count <= MOST_OF_ONE) return leader
    tooMany.add(place)
    return place
  })
  const places = placesFrom(0, table.count).toSorted((a, b) => (leaders[a] as number) - (leaders[b] as number) || a - b)
  return {
    places,
    isTogether: (position) => {
      const [before, here] = [places[position - 1], places[position]]
      return before !== undefined && here !== undefined && leaders[before] === leaders[here]
    },
    tooMany,
  }
}
