import { SYSTEM } from '#executable/system-words.ts'
import type { Clock } from '#kernel/time/clock.ts'

/** The program is younger than this: a clock that is earlier was never set, as on a machine without a clock battery. */
const EARLIEST = '2026-01-01T00:00:00.000Z'

/** Says that the clock cannot be right, and what to do; undefined: it can be right. */
export const impossibleClock = (clock: Clock): string | undefined =>
  clock.now() < EARLIEST
    ? `the clock of this machine says ${clock.now()}, and everything would be kept under a wrong date: set it (${SYSTEM.setClockSomehow})`
    : undefined

/** @throws an Error that says what to do */
export const assertClock = (clock: Clock): void => {
  const problem = impossibleClock(clock)
  if (problem !== undefined) throw new Error(`Nothing was started: ${problem}.`)
}
