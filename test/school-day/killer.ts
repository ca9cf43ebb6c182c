import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from './program.ts'

/** Kills the program with SIGKILL in the course of a day, and starts it again. */
export interface Killer {
  readonly kills: number
  /** True once it has made all its kills. */
  readonly isDone: boolean
  /** Call it when the institute is set up. */
  begin(say: (line: string) => void): void
  /** Call it after each step of the day. Resolves once the program is up again. */
  step(): Promise<void>
  waitsFor(point: Point): boolean
  /** Call it at the moment when the point is reached. */
  reached(point: Point): void
  /** Call it when the day is over. */
  end(): Promise<void>
}

/**
 * The life of an event, as far as it is visible from outside: its change is committed (the caller has the reply); a
 * worker has claimed the delivery (and connects to the receiver); it has sent it (and has no reply yet); the receiver
 * has answered; and the result is stored (the API shows the delivery as delivered).
 */
export const POINTS = ['commit', 'claim', 'send', 'answer', 'mark'] as const
export type Point = (typeof POINTS)[number]

const STEPS_BETWEEN = 300

/** Kills once at each of the points, well apart. */
export class NamedKills implements Killer {
  readonly #program: Program
  #say: (line: string) => void = () => {}
  #steps = 0
  #restarting: Promise<void> | undefined
  #isUp = true
  kills = 0

  constructor(program: Program) {
    this.#program = program
  }

  get isDone(): boolean {
    return this.#isUp && this.kills === POINTS.length
  }

  waitsFor(point: Point): boolean {
    return this.#isUp && POINTS[this.kills] === point && this.#steps >= (this.kills + 1) * STEPS_BETWEEN
  }

  begin(say: (line: string) => void): void {
    this.#say = say
  }

  async step(): Promise<void> {
    this.#steps += 1
    await this.#restarting
  }

  reached(point: Point): void {
    if (!this.waitsFor(point)) return
    this.kills += 1
    this.#say(`  SIGKILL at the point "${point}", and start again`)
    this.#isUp = false
    this.#restarting = this.#program
      .kill()
      .then(() => this.#program.start())
      .then(() => void (this.#isUp = true))
  }

  async end(): Promise<void> {
    await this.#restarting
  }
}

/** One killer after the other: the next begins when the one before has made all its kills. */
export class KillsInTurn implements Killer {
  readonly #killers: readonly Killer[]
  #begin: (killer: Killer) => void = () => {}
  #turn = 0

  constructor(...killers: Killer[]) {
    this.#killers = killers
  }

  get #current(): Killer {
    return this.#killers[this.#turn] as Killer
  }

  get kills(): number {
    return this.#killers.reduce((sum, { kills }) => sum + kills, 0)
  }

  get isDone(): boolean {
    return this.#killers.every(({ isDone }) => isDone)
  }

  begin(say: (line: string) => void): void {
    this.#begin = (killer) => killer.begin(say)
    this.#begin(this.#current)
  }

  async step(): Promise<void> {
    const current = this.#current
    await current.step()
    // Several steps end at once: one of them takes the turn.
    if (!current.isDone || current !== this.#current || this.#turn === this.#killers.length - 1) return
    this.#turn += 1
    this.#begin(this.#current)
  }

  waitsFor(point: Point): boolean {
    return this.#current.waitsFor(point)
  }

  reached(point: Point): void {
    this.#current.reached(point)
  }

  end(): Promise<void> {
    return this.#current.end()
  }
}

const between = (from: number, to: number): number => from + Math.random() * (to - from)

/** Kills at random moments, some of them during the program's start. */
export class RandomKills implements Killer {
  readonly #program: Program
  readonly #most: number
  readonly #end: (program: Program) => Promise<void>
  #killing: Promise<void> | undefined
  #up: Promise<void> = Promise.resolve()
  #ended = false
  kills = 0

  /** @param end how to end the program each time; default: a kill */
  constructor(program: Program, most: number, end: (program: Program) => Promise<void> = (one) => one.kill()) {
    this.#program = program
    this.#most = most
    this.#end = end
  }

  get isDone(): boolean {
    return this.kills > 0
  }

  begin(): void {
    this.#killing = this.#kill()
    // Callers that wait for a step, or for the end, get the error.
    this.#killing.catch(() => {})
  }

  async #kill(): Promise<void> {
    while (this.kills < this.#most) {
      await pause(between(20, 700))
      if (this.#ended) return
      this.#up = this.#restart()
      await this.#up
    }
  }

  async #restart(): Promise<void> {
    const program = this.#program
    this.kills += 1
    await this.#end(program)
    while (Math.random() < 0.25 && this.kills < this.#most) {
      program.launch()
      await pause(between(1, 300))
      this.kills += 1
      await this.#end(program)
    }
    await program.start()
  }

  step(): Promise<void> {
    return this.#up
  }

  waitsFor(): boolean {
    return false
  }

  reached(): void {}

  async end(): Promise<void> {
    this.#ended = true
    await this.#killing
  }
}
