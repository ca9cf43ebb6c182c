import { expect, test } from 'vitest'
import { ServerClock } from '../../../../src/app/process/server-clock.ts'

const NOON = Date.parse('2026-11-26T12:00:00.000Z')

const opened = (at = 0) => {
  const time = { now: at }
  const clock = new ServerClock({ asked: at, answered: at, said: NOON }, () => time.now)
  return { clock, time }
}

test("it says the server's time, and the monotonic clock carries it on", () => {
  const { clock, time } = opened(5000)
  expect(clock.now()).toBe('2026-11-26T12:00:00.000Z')
  time.now += 61_250
  expect(clock.now()).toBe('2026-11-26T12:01:01.250Z')
  expect(clock.millis()).toBe(NOON + 61_250)
})

test('a look that agrees, as far as it can tell, changes nothing', () => {
  const { clock } = opened()
  clock.correct({ asked: -400, answered: 800, said: NOON + 300 })
  expect(clock.millis()).toBe(NOON)
})

test('a look corrects it as far as it proves it wrong, forward and back', () => {
  const { clock } = opened()
  clock.correct({ asked: -10, answered: 10, said: NOON + 60_000 })
  expect(clock.millis()).toBe(NOON + 59_990)
  clock.correct({ asked: -10, answered: 10, said: NOON - 60_000 })
  expect(clock.millis()).toBe(NOON - 59_990)
})
