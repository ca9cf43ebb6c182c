import argon2, { type HashOptions } from 'argon2'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { Busy } from '#ports/passwords/port.ts'

const TODAY = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const passwords = createArgon2Passwords()

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a hash', () => {
  test('is Argon2id with 19 MiB, 2 iterations and 1 lane, salted anew each time', async () => {
    const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,p=1,t=2\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(other).not.toBe(one)
    expect(passwords.needsRehash(one)).toBe(false)
  })

  test.each<[string, HashOptions]>([
    ['less memory', { ...TODAY, memoryCost: 9216 }],
    ['fewer iterations', { ...TODAY, timeCost: 1 }],
    ['other lanes', { ...TODAY, parallelism: 2 }],
    ['another kind of Argon2', { ...TODAY, type: argon2.argon2i }],
    ['an older version', { ...TODAY, version: 0x10 }],
  ])('with %s is verified and wants to be made anew', async (_name, options) => {
    const hash = await argon2.hash('correct horse', options)
    expect(passwords.needsRehash(hash)).toBe(true)
    expect(await passwords.verify(hash, 'correct horse')).toBe(true)
  })
})

describe('a password', () => {
  test.each(['correct horse', ' with spaces at both ends ', 'كلمة السر', 'סִיסְמָה', 'p\u0000q', 'x'.repeat(1000)])(
    'is known by its hash, and no other is: %j',
    async (password) => {
      const hash = await passwords.hash(password)
      expect(await passwords.verify(hash, password)).toBe(true)
      expect(await passwords.verify(hash, `${password}.`)).toBe(false)
      expect(await passwords.verify(hash, password.slice(0, -1))).toBe(false)
    },
  )

  test('is the same however the keyboard composes its accents and vowel signs', async () => {
    const hash = await passwords.hash('caf\u00e9 \u0622\u0628 \ufb2a')
    expect(await passwords.verify(hash, 'cafe\u0301 \u0627\u0653\u0628 \u05e9\u05c1')).toBe(true)
  })
})

describe('an account that does not exist', () => {
  test('has no password', async () => {
    for (const password of ['', 'correct horse']) expect(await passwords.verify(null, password)).toBe(false)
  })

  test('is checked with the same parameters and the same lengths as one that does', async () => {
    const verify = vi.spyOn(argon2, 'verify')
    await passwords.verify(await passwords.hash('correct horse'), 'wrong')
    await passwords.verify(null, 'wrong')
    const shapes = verify.mock.calls.map(([hash]) => {
      const parts = hash.split('$')
      return [...parts.slice(0, 4), ...parts.slice(4).map((part) => part.length)]
    })
    expect(shapes).toHaveLength(2)
    expect(shapes[1]).toEqual(shapes[0])
  })

  test('costs the time of a wrong password', async () => {
    const hash = await passwords.hash('correct horse')
    const timeOf = async (known: string | null): Promise<number> => {
      const start = performance.now()
      await passwords.verify(known, 'wrong')
      return performance.now() - start
    }
    // Measure alternately, so that other load affects both; compare the fastest runs, which it affects least.
    const unknown: number[] = []
    const wrong: number[] = []
    for (let round = 0; round < 15; round++) {
      unknown.push(await timeOf(null))
      wrong.push(await timeOf(hash))
    }
    const ratio = Math.min(...unknown) / Math.min(...wrong)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })
})

describe('many at once', () => {
  test('are worked on two by two, hashing and verifying together', async () => {
    const real = { hash: argon2.hash, verify: argon2.verify }
    let running = 0
    let most = 0
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      most = Math.max(most, ++running)
      try {
        return await work()
      } finally {
        running--
      }
    }
    vi.spyOn(argon2, 'verify').mockImplementation((...call) => counted(() => real.verify(...call)))
    vi.spyOn(argon2, 'hash').mockImplementation(((password: string, options: object) =>
      counted(() => real.hash(password, options))) as typeof argon2.hash)

    const known = await real.hash('correct horse', TODAY)
    const work = Array.from({ length: 8 }, () => [
      passwords.hash('new'),
      passwords.verify(known, 'correct horse'),
      passwords.verify(null, 'correct horse'),
    ])
    await Promise.all(work.flat())
    expect(most).toBe(2)
  })

  test('200 sign-ins at once find room', async () => {
    vi.spyOn(argon2, 'verify').mockResolvedValue(true)
    const answers = await Promise.all(Array.from({ length: 200 }, () => passwords.verify('hash', 'correct horse')))
    expect(answers).toEqual(Array.from({ length: 200 }, () => true))
  })

  test('when the queue is full, known and unknown clients get Busy until there is room', async () => {
    const small = createArgon2Passwords({ concurrency: 1, maxWaiting: 1 })
    const hash = await small.hash('correct horse')
    const running = small.verify(hash, 'correct horse')
    const waiting = small.verify(null, 'correct horse')
    await expect(small.verify(hash, 'correct horse')).rejects.toBeInstanceOf(Busy)
    await expect(small.verify(null, 'correct horse')).rejects.toBeInstanceOf(Busy)
    await expect(small.hash('correct horse')).rejects.toBeInstanceOf(Busy)
    expect(await running).toBe(true)
    expect(await waiting).toBe(false)
    expect(await small.verify(hash, 'correct horse')).toBe(true)
  })

  test('a damaged hash fails alone and leaves its place to the next', async () => {
    const small = createArgon2Passwords({ concurrency: 1, maxWaiting: 0 })
    await expect(small.verify('no hash at all', 'correct horse')).rejects.toThrow()
    expect(await small.verify(null, 'correct horse')).toBe(false)
  })
})
