/** Where the program learns the time. Everything that decides by time asks a Clock; tests own theirs. */
export interface Clock {
  /** The present instant as ISO-8601 in UTC with milliseconds, the form in which instants are stored and compared. */
  now(): string
  /** The same instant in milliseconds since the epoch. */
  millis(): number
  /** Milliseconds that have passed since some moment, whoever sets the clock meanwhile: for what this process measures. */
  monotonic(): number
}

/** Asked for several times in a millisecond, and costlier to write than all else that is done with it. */
const lastPrinted = { millis: 0, text: '' }

export const systemClock: Clock = {
  now: () => {
    const millis = Date.now()
    if (millis !== lastPrinted.millis) Object.assign(lastPrinted, { millis, text: new Date(millis).toISOString() })
    return lastPrinted.text
  },
  millis: () => Date.now(),
  monotonic: () => performance.now(),
}

/**
 * How far the clocks of processes on one database may differ. What is stored and lies further ahead than its own window
 * and this was written while the clock was wrong.
 */
export const CLOCK_SLACK_SECONDS = 300

/** Notices that the clock was set back. */
export class ClockWatch {
  readonly #clock: Clock
  #offsetBefore: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offsetBefore = this.#offset()
  }

  /** Whether it was, by more than clocks may differ, since it was last asked. */
  wentBack(): boolean {
    const before = this.#offsetBefore
    this.#offsetBefore = this.#offset()
    return this.#offsetBefore < before - CLOCK_SLACK_SECONDS * 1000
  }

  #offset(): number {
    return this.#clock.millis() - this.#clock.monotonic()
  }
}

/** The instant `seconds` after `instant` (or before it, when negative). */
export const plusSeconds = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString()
