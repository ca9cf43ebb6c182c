import { cellsOf, inOrder, lot, pairOf, shuffled } from './plan.ts'
import { describePair, explain, isInTurn, type InTurn, type Order, type Pair, type Ring } from './race.ts'
import type { Learnt } from './forms.ts'

export interface HuntSettings {
  seed: number
  /** Starts no new pair after so many seconds. */
  seconds: number
  /** At how many statements the first change pauses. */
  stops: number
  /** The first pair of the seed. To repeat one pair, start at its number with 0 seconds. */
  from: number
}

export interface Hunted {
  cells: number
  /** Pairs that could be judged: each change succeeds when it goes first. */
  judged: number
  begun: number
  findings: string[]
}

const succeeds = (said: string): boolean => said.startsWith('2')
// A change authenticates its caller before it begins, so a credential that the other change revokes may still count.
const isShutOut = (said: string): boolean => said.startsWith('401')

/** @returns what is wrong, '' when nothing is; undefined: the pair cannot be judged */
const judge = async (ring: Ring, pair: Pair, stops: number, random: () => number): Promise<string | undefined> => {
  const inTurn = async (order: Order): Promise<InTurn | undefined> => {
    const outcome = await ring.inTurn(pair, order)
    const last = order === 'first' ? 'second' : 'first'
    return outcome && succeeds(outcome[order]) && !isShutOut(outcome[last]) ? outcome : undefined
  }
  const order: Order = random() < 0.5 ? 'first' : 'second'
  const allowed = [await inTurn(order)]
  if (!allowed[0]) return undefined
  const { statements } = allowed[0]
  const places = shuffled(
    random,
    Array.from({ length: statements }, (_, index) => index + 1),
  )
  for (const after of ring.canStop ? places.slice(0, stops) : [0]) {
    const found = await ring.atOnce(pair, order, after)
    if (!found || isInTurn(found, allowed as InTurn[])) continue
    if (allowed.length === 1) allowed.push(await inTurn(order === 'first' ? 'second' : 'first'))
    if (!allowed[1]) return undefined
    if (isInTurn(found, allowed as InTurn[])) continue
    const how = ring.canStop ? `, the ${order} stopped after statement ${after} of ${statements}` : ''
    return [`${describePair(pair)}${how}`, explain(found, allowed as InTurn[]), ...ring.takeErrors()].join('\n')
  }
  return ''
}

/** Runs pairs of concurrent changes for the given time; each ring takes the next pair when it is free. */
export const hunt = async (
  learnt: readonly Learnt[],
  rings: readonly Ring[],
  { seed, seconds, stops, from }: HuntSettings,
): Promise<Hunted> => {
  const cells = cellsOf(learnt)
  const order = inOrder(lot(seed), cells)
  const end = performance.now() + seconds * 1000
  const findings: string[] = []
  let begun = 0
  let judged = 0
  const take = async (ring: Ring): Promise<void> => {
    do {
      const number = from + begun
      begun += 1
      const random = lot(seed + number)
      const pair = pairOf(random, order[number % order.length] as (typeof order)[number])
      const finding = await judge(ring, pair, stops, random)
      if (finding !== undefined) judged += 1
      if (finding) findings.push(`${number}: ${finding}`)
    } while (performance.now() < end)
  }
  await Promise.all(rings.map(take))
  return { cells: cells.length, judged, begun, findings }
}
