/** For whom something waits. */
export interface Requester {
  /** Who takes turns, the widest first: an institute, and one of its callers. */
  clients: readonly [string, ...string[]]
  /** Nobody waits for it: it comes after all that somebody of the same widest client waits for. */
  isPatient?: boolean
}

export interface LineBounds {
  /** How many may wait in all. */
  most: number
  /** How many may wait for one client of each width, in the order of `clients`. Default: as many as in all. */
  mostOfEach?: readonly number[]
}

interface Waiting<T> {
  item: T
  isPatient: boolean
  /** Each client with those that it belongs to. */
  clients: readonly string[]
}

/**
 * A bounded line in which clients take turns: institutes, and the callers of one among themselves. Many requests of one
 * client may take all places, but only until somebody else needs them: in a full line, the client with the most places
 * loses its newest one to a client with fewer. Whoever comes anew comes before the client that had the last turn.
 */
export class FairLine<T> {
  readonly #bounds: LineBounds
  readonly #waiting: Waiting<T>[] = []
  /** In which order clients have their turns, for those who wait; a lower number is earlier. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  #last: readonly string[] = []

  constructor(bounds: LineBounds) {
    this.#bounds = bounds
  }

  get length(): number {
    return this.#waiting.length
  }

  /** @returns what has no place: one that lost its place to this item, or the item itself; undefined: all have one */
  add({ clients: given, isPatient = false }: Requester, item: T): T | undefined {
    const clients = given.map((_, at) => JSON.stringify(given.slice(0, at + 1)))
    const { most, mostOfEach = [] } = this.#bounds
    if (clients.some((client, at) => this.#countOf(client) >= (mostOfEach[at] ?? most))) return item
    let evicted: T | undefined
    if (this.#waiting.length >= most) {
      const at = this.#whoGives(clients[0] as string)
      if (at === undefined) return item
      evicted = this.#take(at).item
    }
    this.#waiting.push({ item, isPatient, clients })
    for (const client of clients) if (!this.#turns.has(client)) this.#turns.set(client, (this.#turn += 1))
    return evicted
  }

  next(): T | undefined {
    // Who had the last turn comes after all others who wait by now.
    for (const client of this.#last) if (this.#turns.has(client)) this.#turns.set(client, (this.#turn += 1))
    let next: number | undefined
    this.#waiting.forEach((one, at) => {
      if (next === undefined || this.#isBefore(one, this.#waiting[next] as Waiting<T>)) next = at
    })
    if (next === undefined) return undefined
    const { item, clients } = this.#take(next)
    this.#last = clients
    return item
  }

  /** Takes all out. */
  clear(): T[] {
    this.#turns.clear()
    return this.#waiting.splice(0).map(({ item }) => item)
  }

  #countOf(client: string): number {
    return this.#waiting.filter(({ clients }) => clients.includes(client)).length
  }

  /** Where the newest place of the widest client with the most is; undefined: the two would only swap places. */
  #whoGives(newcomer: string): number | undefined {
    const counts = new Map<string, number>()
    for (const { clients } of this.#waiting)
      counts.set(clients[0] as string, (counts.get(clients[0] as string) ?? 0) + 1)
    let richest: string | undefined
    for (const [client, count] of counts)
      if (richest === undefined || count > (counts.get(richest) ?? 0)) richest = client
    if (richest === undefined || (counts.get(richest) ?? 0) <= (counts.get(newcomer) ?? 0) + 1) return undefined
    return this.#waiting.findLastIndex(({ clients }) => clients[0] === richest)
  }

  #isBefore(one: Waiting<T>, other: Waiting<T>): boolean {
    const turnsOf = ({ clients, isPatient }: Waiting<T>): number[] => {
      const [widest = 0, ...narrower] = clients.map((client) => this.#turns.get(client) ?? 0)
      return [widest, Number(isPatient), ...narrower]
    }
    const others = turnsOf(other)
    for (const [at, turn] of turnsOf(one).entries()) if (turn !== others[at]) return turn < (others[at] ?? 0)
    return false
  }

  #take(at: number): Waiting<T> {
    const [taken] = this.#waiting.splice(at, 1) as [Waiting<T>]
    for (const client of taken.clients) if (this.#countOf(client) === 0) this.#turns.delete(client)
    return taken
  }
}
