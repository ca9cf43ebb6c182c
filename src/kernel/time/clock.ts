/** The source of the time. All code that depends on the time asks a Clock; tests pass their own. */
export interface Clock {
  /** The current time as ISO-8601 in UTC with milliseconds: the form in which times are stored and compared. */
  now(): string
  /** The current time in milliseconds since 1970. */
  millis(): number
  /**
   * Milliseconds since an arbitrary start. A change of the system clock does not affect it: use it to measure
   * durations.
   */
  monotonic(): number
}

/** The last text that `now` returned: requests ask several times per millisecond, and formatting a date is slow. */
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
 * How far apart the clocks of two processes on one database may be, in seconds. A stored time that lies further in the
 * future than its own maximum plus this was written while a clock was wrong.
 */
export const CLOCK_SLACK_SECONDS = 300

/** Detects that the system clock was set back. */
export class ClockWatch {
  readonly #clock: Clock
  #offsetBefore: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offsetBefore = this.#offset()
  }

  /** Whether the clock was set back by more than CLOCK_SLACK_SECONDS since the last call. */
  wentBack(): boolean {
    const before = this.#offsetBefore
    this.#offsetBefore = this.#offset()
    return this.#offsetBefore < before - CLOCK_SLACK_SECONDS * 1000
  }

  #offset(): number {
    return this.#clock.millis() - this.#clock.monotonic()
  }
}

/** The time `seconds` after `instant`, or before it when `seconds` is negative. */
export const plusSeconds = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString()
