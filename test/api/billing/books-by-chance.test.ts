import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { volume } from '#kit/volume.ts'
import { act, type Act } from './books-acts.ts'
import { checkNumbers } from './books-numbers.ts'
import { playIn } from './books-play.ts'

/**
 * Histories of a family's money, each compared with the second set of books as it goes on. BOOKS_SEED plays the one of
 * that seed alone.
 */

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 31_536_000 } })
})
afterAll(() => app.close())

const FIRST = 20_261_129
const HISTORIES = engine === 'postgres' ? volume(3, 100) : volume(10, 2500)
const STEPS = 40
const TOLD_EVERY = 100
const CALLERS = 8
const ROUNDS = volume(1, 12)
const LONGEST = volume(300_000, 7_200_000)

const seeds = (count: number): number[] => {
  const { BOOKS_SEED: only } = process.env
  return only === undefined ? Array.from({ length: count }, (_, nth) => FIRST + nth) : [Number(only)]
}

const actsOf = (seed: number, arbitrary: fc.Arbitrary<Act> = act): Act[] =>
  fc.sample(arbitrary, { numRuns: STEPS, seed })

/** Says which history it was that failed. */
const ofSeed = async (seed: number, play: () => Promise<void>): Promise<void> => {
  try {
    await play()
  } catch (error) {
    throw new Error(`BOOKS_SEED=${seed}: ${String(error)}`, { cause: error })
  }
}

test(`${HISTORIES} histories of ${STEPS} steps agree with the second books`, { timeout: LONGEST }, async () => {
  let steps = 0
  for (const [nth, seed] of seeds(HISTORIES).entries()) {
    await ofSeed(seed, async () => {
      const { plays, school } = await playIn(app)
      const [play] = plays
      for (const [index, one] of actsOf(seed).entries()) {
        app.clock.advance(60)
        await play?.step(one)
        steps += 1
        if (index % 5 === 4) await play?.compare()
      }
      await checkNumbers(school)
    })
    if (nth % TOLD_EVERY === TOLD_EVERY - 1) console.info(`${steps} steps, the last history has seed ${seed}`)
  }
  expect(steps).toBe(seeds(HISTORIES).length * STEPS)
})

/** A day and a setting are of the whole institute: they would change what the others are told. */
const ofFamily = act.filter(({ kind }) => kind !== 'day' && kind !== 'setting')

test(`${CALLERS} families at once agree with their books, and no number is missing`, { timeout: LONGEST }, async () => {
  expect.hasAssertions()
  for (const seed of seeds(ROUNDS)) {
    await ofSeed(seed, async () => {
      const { plays, school } = await playIn(app, CALLERS)
      await Promise.all(
        plays.map(async (play, nth) => {
          for (const one of actsOf(seed * CALLERS + nth, ofFamily)) await play.step(one)
        }),
      )
      const all = plays.map(({ books }) => books)
      for (const play of plays) await play.compare(all)
      expect(all).toHaveLength(CALLERS)
      await checkNumbers(school)
    })
  }
})
