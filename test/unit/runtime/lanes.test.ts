import { expect, test } from 'vitest'
import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import { jobKind } from '#kernel/contract/module.ts'
import { Lanes, limitsOf, usualLane, type LaneLimits } from '#runtime/queue/lanes.ts'

const PLACES = 64

const opened = (limits: Partial<LaneLimits> = {}): Lanes =>
  new Lanes(PLACES, { mostIn: () => 16, mostOfAll: new Map(), ownPlaces: new Map(), ...limits })

/** Starts what the lanes may start, as if each had jobs without end. @returns how many of each */
const startAll = (lanes: Lanes, due: readonly string[]): Map<string, number> => {
  const shares = lanes.share(due)
  for (const [lane, count] of shares) for (let n = 0; n < count; n += 1) lanes.jobStarted(lane)
  return shares
}

const sum = (shares: ReadonlyMap<string, number>, isMeant: (lane: string) => boolean = () => true): number =>
  [...shares].reduce((total, [lane, count]) => (isMeant(lane) ? total + count : total), 0)

const webhooksOf = (institute: string, endpoints = 50): string[] =>
  Array.from({ length: endpoints }, (_, n) => laneIn(institute, 'webhook', String(n)))

test('a lane starts no more jobs than it may run at once, however many places are free', () => {
  const lanes = opened({ mostIn: (lane) => (lane === 'heavy' ? 1 : 16) })
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

test('an institute holds half of the places at most, in however many lanes its jobs are', () => {
  const lanes = opened()
  expect(sum(startAll(lanes, webhooksOf('one')))).toBe(PLACES / 2)
  expect(sum(startAll(lanes, webhooksOf('one')))).toBe(0)
  expect(lanes.free).toBe(PLACES / 2)
})

test('institutes get equal parts, whatever the number of their lanes', () => {
  const shares = opened().share([...webhooksOf('one'), ...webhooksOf('two'), laneIn('three', 'email')])
  const ofInstitute = (institute: string) => sum(shares, (lane) => lane.startsWith(`${institute}:`))
  expect(['one', 'two', 'three'].map(ofInstitute)).toEqual([16, 16, 16])
})

test('when institutes that never end hold nearly all, the free place goes to one that holds none', () => {
  const lanes = opened()
  for (let n = 0; n < 5; n += 1) startAll(lanes, webhooksOf(`greedy ${n}`))
  const due = [...Array.from({ length: 5 }, (_, n) => webhooksOf(`greedy ${n}`)).flat(), laneIn('small', 'email')]
  expect(lanes.free).toBeGreaterThan(0)
  const held = [...startAll(lanes, due).keys()]
  expect(held).toContain('small:email')
  for (const institute of ['greedy 0', 'greedy 1']) lanes.jobEnded(laneIn(institute, 'webhook', '0'))
  expect(startAll(lanes, [...due, laneIn('another', 'sms')]).get('another:sms')).toBeGreaterThan(0)
})

test('a lane of an institute leaves places of the institute to its others', () => {
  const lanes = opened()
  for (const name of ['a', 'b', 'c', 'd']) startAll(lanes, [laneIn('one', 'webhook', name)])
  expect(startAll(lanes, [laneIn('one', 'webhook', 'a'), laneIn('one', 'email')]).get('one:email')).toBeGreaterThan(0)
})

test('lanes of one institute take turns', () => {
  const lanes = opened()
  const all = webhooksOf('one')
  const first = [...startAll(lanes, all).keys()]
  for (const lane of first) lanes.jobEnded(lane)
  const second = [...startAll(lanes, all).keys()]
  expect(new Set([...first, ...second]).size).toBe(all.length)
})

test('places of a lane’s own are taken by nothing else, and it takes no others', () => {
  const lanes = opened({ ownPlaces: new Map([['mail.send', 2]]) })
  for (let n = 0; n < PLACES; n += 1) startAll(lanes, webhooksOf(`institute ${n}`))
  expect(lanes.free).toBe(0)
  expect(startAll(lanes, [...webhooksOf('one'), 'mail.send'])).toEqual(new Map([['mail.send', 2]]))
  expect(lanes.withOwnPlaces).toEqual([])
  expect(sum(lanes.share(['mail.send']))).toBe(0)
  lanes.jobEnded('mail.send')
  expect(lanes.withOwnPlaces).toEqual(['mail.send'])
  expect(lanes.free).toBe(0)
})

test('heavy work of one institute leaves the other places of that kind to others, in turn', () => {
  const kind = jobKind(declareJob('heavy', v.object({})), { atOnce: 3, handle: async () => {} })
  const kinds = new Map([[kind.name, kind]])
  const lanes = new Lanes(PLACES, limitsOf(kinds))
  const laneOf = (institute: string): string => usualLane(kinds, 'heavy', institute)
  const all = ['one', 'two', 'three', 'four', 'five'].map(laneOf)
  expect(lanes.share([laneOf('one')])).toEqual(new Map([[laneOf('one'), 1]]))
  const first = startAll(lanes, all)
  expect(first).toEqual(new Map(all.slice(0, 3).map((lane) => [lane, 1])))
  // Other work of theirs is not held up.
  expect(startAll(lanes, [...all, laneIn('one', 'email')])).toEqual(new Map([[laneIn('one', 'email'), 16]]))
  lanes.jobEnded(laneOf('one'))
  expect(startAll(lanes, all)).toEqual(new Map([[laneOf('four'), 1]]))
  lanes.jobEnded(laneOf('two'))
  expect(startAll(lanes, all)).toEqual(new Map([[laneOf('five'), 1]]))
})
