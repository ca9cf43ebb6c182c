/** How many jobs of one lane may run in this process at the same time. */
const MAX_RUNNING_PER_LANE = 16

/**
 * Divides a limited number of workers among lanes. Lanes whose jobs take long (a webhook receiver that does not answer)
 * must leave workers to the others. A free worker goes to the lane with the fewest running jobs, and a lane gets no
 * more workers than half of those that are free.
 */
export class Lanes {
  readonly #places: number
  readonly #mostIn: (lane: string) => number
  readonly #running = new Map<string, number>()
  /** The number of the turn in which a lane last started a job; a lower number is longer ago. */
  #lastTurns = new Map<string, number>()
  #turn = 0
  #taken = 0

  /** @param mostIn returns how many jobs of a lane may run at the same time; beyond MAX_RUNNING_PER_LANE it does not count */
  constructor(places: number, mostIn: (lane: string) => number = () => MAX_RUNNING_PER_LANE) {
    this.#places = places
    this.#mostIn = mostIn
  }

  /** The number of free workers. */
  get free(): number {
    return this.#places - this.#taken
  }

  /** How many jobs of each lane may start now. The lane that has waited longest comes first. */
  share(due: readonly string[]): Map<string, number> {
    // Forget the lanes that have no due jobs.
    this.#lastTurns = new Map(due.map((lane) => [lane, this.#lastTurns.get(lane) ?? 0]))
    const lanesByTurn = due.toSorted((one, other) => this.#lastTurnOf(one) - this.#lastTurnOf(other))
    const shares = new Map<string, number>()
    let free = this.free
    for (let count = 0; count < MAX_RUNNING_PER_LANE; count += 1) {
      for (const lane of lanesByTurn) {
        if (count >= Math.ceil(free / 2)) return shares
        const share = shares.get(lane) ?? 0
        if (share + this.#runningIn(lane) !== count || count >= this.#mostIn(lane)) continue
        shares.set(lane, share + 1)
        free -= 1
      }
    }
    return shares
  }

  /** Call it when a job of the lane starts. */
  jobStarted(lane: string): void {
    this.#running.set(lane, this.#runningIn(lane) + 1)
    this.#taken += 1
    this.#turn += 1
    this.#lastTurns.set(lane, this.#turn)
  }

  /** Call it when a job of the lane has ended. */
  jobEnded(lane: string): void {
    const left = this.#runningIn(lane) - 1
    if (left > 0) this.#running.set(lane, left)
    else this.#running.delete(lane)
    this.#taken -= 1
  }

  #runningIn(lane: string): number {
    return this.#running.get(lane) ?? 0
  }

  #lastTurnOf(lane: string): number {
    return this.#lastTurns.get(lane) ?? 0
  }
}
