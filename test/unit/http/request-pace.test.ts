import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Pace } from '#http/admission/request-pace.ts'
import type { ApiError } from '#kernel/values/errors.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

let pace: Pace
let started: string[]
beforeEach(() => {
  pace = new Pace()
  started = []
})

const refusalOf = ({ spec, headers }: ApiError) => `${spec.name}, ${headers?.['Retry-After']}`

const ask = (name: string, key = 'one', perSecond = 4): Promise<void> =>
  pace.turn(key, perSecond).then(
    () => void started.push(name),
    (error: unknown) => void started.push(`${name}: ${refusalOf(error as ApiError)}`),
  )

const after = async (millis: number): Promise<string[]> => {
  await vi.advanceTimersByTimeAsync(millis)
  return started.splice(0)
}

describe('a pace of four in a second', () => {
  test('lets one start every 250 ms, in order, and the first at once', async () => {
    for (const name of ['a', 'b', 'c']) void ask(name)
    expect(await after(0)).toEqual(['a'])
    expect(await after(249)).toEqual([])
    expect(await after(1)).toEqual(['b'])
    void ask('d')
    expect(await after(250)).toEqual(['c'])
    expect(await after(250)).toEqual(['d'])
  })

  test('gathers no starts while nobody asks', async () => {
    void ask('a')
    await after(60_000)
    for (const name of ['b', 'c']) void ask(name)
    expect(await after(0)).toEqual(['b'])
    expect(await after(250)).toEqual(['c'])
  })

  test('refuses at once who would wait for more than five seconds, and takes who asks later', async () => {
    for (let n = 1; n <= 21; n += 1) void ask(String(n))
    expect(await after(0)).toEqual(['1'])
    void ask('late')
    expect(await after(0)).toEqual(['late: overloaded, 5'])
    expect(await after(250)).toEqual(['2'])
    void ask('later')
    expect((await after(5000)).at(-1)).toBe('later')
  })

  test('is kept apart for each key', async () => {
    for (const name of ['a', 'b']) void ask(name)
    void ask('other', 'two')
    expect(await after(0)).toEqual(['a', 'other'])
  })
})
