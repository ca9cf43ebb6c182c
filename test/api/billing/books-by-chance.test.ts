import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { volume } from '#kit/volume.ts'
import { act, familyOf, Play } from './books-play.ts'

/** Histories of a family's money, each step compared with the second set of books. */

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 } })
})
afterAll(() => app.close())

const HISTORIES = engine === 'postgres' ? volume(3, 250) : volume(10, 2500)
const STEPS = 40

test(
  `${HISTORIES} histories of ${STEPS} steps agree with the second books after each`,
  { timeout: 600_000 },
  async () => {
    app.clock.set('2026-03-02T08:00:00.000Z')
    const played = fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: STEPS, maxLength: STEPS }), async (acts) => {
        const play = new Play(await familyOf(await makeInstitute(app)))
        for (const [index, one] of acts.entries()) {
          app.clock.advance(60)
          await play.step(one)
          if (index % 5 === 4) await play.compare()
        }
      }),
      { numRuns: HISTORIES, seed: 20_261_129, endOnFailure: true },
    )
    await expect(played).resolves.toBeUndefined()
  },
)
