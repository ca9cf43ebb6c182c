import { expect, test } from 'vitest'
import { Lanes } from '#runtime/lanes.ts'

test('a lane starts no more jobs than it may run at once, however many places are free', () => {
  const lanes = new Lanes(64, (lane) => (lane === 'heavy' ? 1 : 16))
  expect(lanes.share(['heavy', 'light'])).toEqual(
    new Map([
      ['heavy', 1],
      ['light', 16],
    ]),
  )
  lanes.jobStarted('heavy')
  expect(lanes.share(['heavy', 'light']).get('heavy') ?? 0).toBe(0)
  lanes.jobEnded('heavy')
  expect(lanes.share(['heavy']).get('heavy')).toBe(1)
})
