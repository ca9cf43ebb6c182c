import type { Clock } from '#kernel/clock.ts'

/** A clock that stands still until the test moves it. */
export class TestClock implements Clock {
  #millis: number

  constructor(start: string) {
    this.#millis = Date.parse(start)
  }

  now(): string {
    return new Date(this.#millis).toISOString()
  }
  millis(): number {
    return this.#millis
  }
  advance(seconds: number): void {
    this.#millis += seconds * 1000
  }
  set(instant: string): void {
    this.#millis = Date.parse(instant)
  }
}
