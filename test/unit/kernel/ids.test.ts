import { validate, version } from 'uuid'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'

const MANY = 5000
const many = (): string[] => Array.from({ length: MANY }, () => newId())

afterEach(() => void vi.useRealTimers())

test('ids are UUIDs v7 of this moment, and no two are the same', () => {
  const before = Date.now()
  const ids = many()
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(new Set(ids).size).toBe(MANY)
  const millis = Number.parseInt((ids[0] as string).replace('-', '').slice(0, 12), 16)
  expect(millis).toBeGreaterThanOrEqual(before)
  expect(millis).toBeLessThanOrEqual(Date.now())
})

test('ids ascend in the order in which they were made, even when the clock stops or goes back', () => {
  vi.useFakeTimers({ now: Date.now() + 60_000 })
  const ids = many()
  vi.setSystemTime(Date.now() - 30_000)
  ids.push(...many())
  vi.setSystemTime(Date.now() + 120_000)
  ids.push(...many())
  expect(ids).toEqual(ids.toSorted())
})

test('what the clock does not say is random, of each id anew', () => {
  const ends = new Set(many().map((id) => id.slice(-10)))
  expect(ends.size).toBe(MANY)
})
