import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { LONG_TOKENS } from '#kit/take-attendance.ts'
import { volume } from '#kit/volume.ts'
import { playYear } from './year.ts'

/**
 * A year of a school whose history follows from a seed, played over HTTP with the clock of the app. What runs bill, which
 * lessons take place, who is on a roster, how they attended and what is owed is compared with a second computation, which
 * is made from the rules alone and takes nothing from the program. `npm run year -- 7 8` plays schools of 300 by these
 * seeds.
 */
const SEEDS = (process.env.YEAR_SEEDS ?? '20260302').split(',').map(Number)
const SIZE = {
  students: volume(60, 300),
  groups: volume(6, 17),
  acts: volume(3, 8),
  marked: volume(20, 12),
}

let app: TestApp

beforeAll(async () => {
  app = await startApp({ chance: true, config: { ...LONG_TOKENS, ...NO_LIMITS } })
})
afterAll(() => app.close())

test.each(SEEDS)('a year by the seed %i is as the rules say', { timeout: 3_600_000 }, async (seed) => {
  const began = performance.now()
  const { found, figures } = await playYear(app, seed, SIZE)
  console.log(`seed ${seed}, ${Math.round(performance.now() - began)} ms: ${JSON.stringify(figures)}`)
  expect(found, `YEAR_SEEDS=${seed}`).toEqual([])
})
