import type { Clock } from '#kernel/time/clock.ts'

/**
 * A clock that stands still until the test moves it. Setting it, unlike moving, does not count as time that has passed.
 */
export class TestClock implements Clock {
  #millis: number
  #passed = 0

  constructor(start: string) {
    this.#millis = Date.parse(start)
  }

  now(): string {
    return new Date(this.#millis).toISOString()
  }
  millis(): number {
    return this.#millis
  }
  monotonic(): number {
    return this.#passed
  }
  advance(seconds: number): void {
    this.#millis += seconds * 1000
    this.#passed += seconds * 1000
  }
  set(instant: string): void {
    this.#millis = Date.parse(instant)
  }
}
