import { holderOf, laneIn, nameIn } from '#kernel/contract/lane.ts'
import type { JobKind } from '#kernel/contract/module.ts'

/** How many jobs of one lane may run at the same time. */
const MAX_RUNNING_PER_LANE = 16

/** So many lanes and institutes are remembered with their last turn; others count as those that have waited longest. */
const TURNS_REMEMBERED = 4096

/** What the kinds of jobs say about single lanes. */
export interface LaneLimits {
  /** How many jobs of a lane may run at the same time. MAX_RUNNING_PER_LANE holds beside it. */
  mostIn(lane: string): number
  /** By the name of lanes: how many jobs of all institutes together may run in them at the same time. */
  mostOfAll: ReadonlyMap<string, number>
  /** The lanes that have places of their own, beside those that the others share, with their number. */
  ownPlaces: ReadonlyMap<string, number>
}

/** The lane of a job that is enqueued without one. @param tenantId null: it belongs to no institute */
export const usualLane = (kinds: ReadonlyMap<string, JobKind>, kind: string, tenantId: string | null): string =>
  tenantId !== null && kinds.get(kind)?.atOnce !== undefined ? laneIn(tenantId, kind) : kind

/** The limits that the kinds of jobs declare. */
export const limitsOf = (kinds: ReadonlyMap<string, JobKind>): LaneLimits => {
  const all = [...kinds.values()]
  const narrow = all.filter(({ atOnceInLane }) => atOnceInLane !== undefined)
  return {
    mostIn: (lane) => {
      const ofAll = kinds.get(nameIn(lane))?.atOnce
      if (ofAll !== undefined) return holderOf(lane) === lane ? ofAll : 1
      return Math.min(...narrow.map((kind) => kind.atOnceInLane?.(lane) ?? MAX_RUNNING_PER_LANE), MAX_RUNNING_PER_LANE)
    },
    mostOfAll: new Map(all.flatMap(({ name, atOnce }) => (atOnce === undefined ? [] : [[name, atOnce]]))),
    ownPlaces: new Map(all.flatMap(({ name, ownPlaces }) => (ownPlaces === undefined ? [] : [[name, ownPlaces]]))),
  }
}

/** The jobs that run, by lane or by institute. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, more: 1 | -1): void {
    const count = this.of(key) + more
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}

/**
 * Divides a limited number of places, in each of which one job runs, among institutes, and those of an institute among
 * its lanes. Jobs that take long (a webhook receiver that does not answer) must leave places to others, however many
 * lanes an institute has. A free place goes to the institute with the fewest running jobs, and there to the lane with
 * the fewest. An institute has at most half of the places that it has or that are free, a lane at most half of those
 * that it has or that its institute may still take.
 */
export class Lanes {
  readonly #places: number
  readonly #mostOfInstitute: number
  readonly #limits: LaneLimits
  readonly #inLanes = new Counts()
  readonly #held = new Counts()
  /** By the name of their lanes. */
  readonly #named = new Counts()
  /** The number of the turn in which a lane or institute last started a job; a lower number is longer ago. */
  readonly #lastTurns = new Map<string, number>()
  #turn = 0
  #taken = 0

  constructor(places: number, limits: LaneLimits) {
    this.#places = places
    this.#mostOfInstitute = Math.ceil(places / 2)
    this.#limits = limits
  }

  /** The number of free places that lanes share. */
  get free(): number {
    return this.#places - this.#taken
  }

  /** The lanes whose own places are not all taken. */
  get withOwnPlaces(): string[] {
    return [...this.#limits.ownPlaces].flatMap(([lane, own]) => (this.#inLanes.of(lane) < own ? [lane] : []))
  }

  /** How many jobs of the lane may run at the same time, in all processes together. */
  most(lane: string): number {
    return this.#limits.ownPlaces.get(lane) ?? Math.min(this.#limits.mostIn(lane), MAX_RUNNING_PER_LANE)
  }

  /** How many jobs of each lane may start now. The one that has waited longest comes first. */
  share(due: readonly string[]): Map<string, number> {
    const shares = new Map<string, number>()
    const sharing: string[] = []
    for (const lane of this.#byTurn(due)) {
      const own = this.#limits.ownPlaces.get(lane)
      if (own === undefined) sharing.push(lane)
      else if (this.#inLanes.of(lane) < own) shares.set(lane, own - this.#inLanes.of(lane))
    }
    this.#deal(Map.groupBy(sharing, holderOf), shares)
    return shares
  }

  /** Gives free places to institutes, one after the other and in rounds: those with the fewest running jobs first. */
  #deal(lanesOf: ReadonlyMap<string, readonly string[]>, shares: Map<string, number>): void {
    const given = new Counts()
    const named = new Counts()
    let free = this.free
    let waiting = this.#byTurn([...lanesOf.keys()])
    for (let count = 0; waiting.length > 0; count += 1) {
      const still: string[] = []
      for (const holder of waiting) {
        const held = this.#held.of(holder) + given.of(holder)
        if (held > count) {
          still.push(holder)
          continue
        }
        if (held >= this.#mostOfInstitute || held >= halfOf(free + held)) continue
        const open = (lanesOf.get(holder) ?? []).filter((lane) => this.#isOpenToAll(nameIn(lane), named))
        const lane = this.#nextLane(open, shares, this.#mostOfInstitute - held)
        if (lane === undefined) continue
        shares.set(lane, (shares.get(lane) ?? 0) + 1)
        given.add(holder, 1)
        named.add(nameIn(lane), 1)
        free -= 1
        still.push(holder)
      }
      waiting = free > 0 ? still : []
    }
  }

  /** Whether one more job may start in the lanes of this name. @param given what they have just been given */
  #isOpenToAll(name: string, given: Counts): boolean {
    return this.#named.of(name) + given.of(name) < (this.#limits.mostOfAll.get(name) ?? Infinity)
  }

  /** Call it when a job of the lane starts. */
  jobStarted(lane: string): void {
    this.#count(lane, 1)
    this.#turn += 1
    for (const key of new Set([lane, holderOf(lane)])) {
      this.#lastTurns.delete(key)
      this.#lastTurns.set(key, this.#turn)
    }
    for (const oldest of this.#lastTurns.keys()) {
      if (this.#lastTurns.size <= TURNS_REMEMBERED) break
      this.#lastTurns.delete(oldest)
    }
  }

  /** Call it when a job of the lane has ended. */
  jobEnded(lane: string): void {
    this.#count(lane, -1)
  }

  #count(lane: string, more: 1 | -1): void {
    this.#inLanes.add(lane, more)
    this.#named.add(nameIn(lane), more)
    if (this.#limits.ownPlaces.has(lane)) return
    this.#held.add(holderOf(lane), more)
    this.#taken += more
  }

  /** The lane of an institute that gets its next place: of those with the fewest jobs, the one that has waited longest. */
  #nextLane(lanes: readonly string[], shares: ReadonlyMap<string, number>, room: number): string | undefined {
    let next: string | undefined
    let fewest = Infinity
    for (const lane of lanes) {
      const running = this.#inLanes.of(lane) + (shares.get(lane) ?? 0)
      const isFull = running >= halfOf(room + running) || running >= this.most(lane)
      if (isFull || running >= fewest) continue
      next = lane
      fewest = running
    }
    return next
  }

  #byTurn(keys: readonly string[]): string[] {
    const turnOf = (key: string): number => this.#lastTurns.get(key) ?? 0
    return keys.toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}

const halfOf = (places: number): number => Math.ceil(places / 2)
