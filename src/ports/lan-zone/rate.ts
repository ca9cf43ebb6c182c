import { networkOf } from '#kernel/basics/network.ts'

/** Resolvers of a large provider ask for many schools, and keep what they are told. */
const MOST_PER_SECOND = 100
/** So many networks are counted apart: whoever forges addresses makes no more memory of it. */
const MOST_NETWORKS = 10_000
const OTHERS = 'others'

/** What becomes of a question by UDP: its answer, a reply that asks for TCP, or nothing. */
type Turn = 'answer' | 'tcp' | 'nothing'

/** Limits how many replies a network is sent in a second, as the address of a question by UDP may be forged. */
export class ReplyRate {
  readonly #now: () => number
  #second = 0
  readonly #counts = new Map<string, number>()

  /** @param now in milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  turn(address: string): Turn {
    const second = Math.floor(this.#now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#counts.clear()
    }
    const network = networkOf(address)
    const key = this.#counts.has(network) || this.#counts.size < MOST_NETWORKS ? network : OTHERS
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    if (count <= MOST_PER_SECOND) return 'answer'
    // A resolver in whose name somebody floods still gets through; the flood gets no more than it sends.
    return count <= 2 * MOST_PER_SECOND ? 'tcp' : 'nothing'
  }
}
