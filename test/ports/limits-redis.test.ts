import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { TestRedis, whyNoRedis } from '#kit/redis.ts'
import { MemoryLimits } from '#ports/limits/memory.ts'
import type { RateLimits } from '#ports/limits/port.ts'
import { lookAtRedis } from '#ports/limits/redis/check.ts'
import { RedisLimits } from '#ports/limits/redis/limits.ts'

const why = whyNoRedis()
if (why !== undefined) console.log(`Limits in Redis are not tested: ${why}.`)

/** Longer than a Redis that is back takes to be asked again. */
const BACK = { timeout: 20_000, interval: 50 }

let redis: TestRedis
const lines: { level: number; msg: string; reason?: string }[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const said = (): string[] => lines.map(({ msg }) => msg)

const open = async (url = redis.url): Promise<RedisLimits> => {
  const limits = await RedisLimits.open(url, { clock: systemClock, log })
  onTestFinished(() => limits.close())
  return limits
}
const isThere = (limits: RateLimits): Promise<boolean> =>
  limits.probe().then(
    () => true,
    () => false,
  )
const times = async (count: number, hit: () => ReturnType<RateLimits['hit']>): Promise<number> => {
  const verdicts = await Promise.all(Array.from({ length: count }, async () => hit()))
  return verdicts.filter(({ allowed }) => allowed).length
}

beforeEach(async () => {
  lines.length = 0
  if (why === undefined) redis = await TestRedis.start()
})
afterEach(async () => {
  if (why === undefined) await redis.remove()
})

describe.each([
  ['in memory', async () => new MemoryLimits(systemClock)],
  ...(why === undefined ? [['in Redis', () => open()] as const] : []),
] as const)('limits %s', (_, make) => {
  test('keys are independent, a changed limit applies at once, and peek counts nothing', async () => {
    const limits = await make()
    expect(await limits.peek('a', 2, 60)).toEqual({ allowed: true, limit: 2, remaining: 2, resetSeconds: 0 })
    expect(await limits.hit('a', 2, 60)).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
    expect(await limits.hit('a', 2, 60)).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 60 })
    expect(await limits.hit('a', 2, 60)).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 60 })
    expect(await limits.peek('a', 2, 60)).toMatchObject({ allowed: false, remaining: 0 })
    expect(await limits.hit('a', 3, 60)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await limits.hit('a', 1, 60)).toMatchObject({ allowed: false, limit: 1, remaining: 0, resetSeconds: 60 })
    expect(await limits.hit('b', 1, 60)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await limits.hit('c', 0, 60)).toEqual({ allowed: false, limit: 0, remaining: 0, resetSeconds: 0 })
  })

  test('a window slides: within none are more allowed, also not over its edge', async () => {
    const limits = await make()
    const allowed: number[] = []
    const begun = performance.now()
    while (performance.now() - begun < 2500) {
      const asked = performance.now()
      if ((await limits.hit('edge', 10, 1)).allowed) allowed.push(asked)
      await pause(5)
    }
    // The hit was counted some time between question and answer.
    const most = Math.max(...allowed.map((from) => allowed.filter((at) => at >= from && at < from + 900).length))
    expect(most).toBe(10)
    expect(allowed.length).toBeGreaterThanOrEqual(20)
    expect(allowed.length).toBeLessThanOrEqual(30)
  })
})

describe.skipIf(why !== undefined)('limits in Redis', () => {
  test('are exact over three processes', async () => {
    const three = await Promise.all([open(), open(), open()])
    const allowed = await Promise.all(three.map((limits) => times(800, () => limits.hit('key', 1200, 60))))
    expect(allowed[0]! + allowed[1]! + allowed[2]!).toBe(1200)
    expect(said()).toEqual([])
  })

  test('are exact over three processes, each of which sends one after the other', async () => {
    const three = await Promise.all([open(), open(), open()])
    const inTurn = async (limits: RateLimits): Promise<number> => {
      let allowed = 0
      for (let sent = 0; sent < 800; sent += 1) if ((await limits.hit('key', 1200, 60)).allowed) allowed += 1
      return allowed
    }
    const allowed = await Promise.all(three.map(inTurn))
    expect(allowed[0]! + allowed[1]! + allowed[2]!).toBe(1200)
  })

  test('of a busy caller ask Redis once for several hits, each of which is counted', async () => {
    const [one, other] = await Promise.all([open(), open()])
    const remaining = []
    for (let hits = 0; hits < 804; hits += 1) remaining.push((await one.hit('key', 1200, 60)).remaining)
    expect(remaining).toEqual(Array.from({ length: 804 }, (_, before) => 1199 - before))
    const [, asked] = /cmdstat_evalsha:calls=(\d+)/.exec(String(await redis.run('INFO', 'commandstats'))) ?? []
    expect(Number(asked)).toBeLessThan(400)
    await expect.poll(async () => (await other.peek('key', 1200, 60)).remaining, BACK).toBe(1200 - 804)
  })

  test('go on by the own count where Redis ends, and come back by themselves; the log says each once', async () => {
    const limits = await open()
    expect(await times(3, () => limits.hit('key', 5, 60))).toBe(3)
    await redis.kill()
    expect(await times(20, () => limits.hit('key', 5, 60))).toBe(2)
    expect(await isThere(limits)).toBe(false)
    await redis.start()
    await expect.poll(() => isThere(limits), BACK).toBe(true)
    // The new one knows nothing of the key.
    expect(await times(5, () => limits.hit('key', 5, 60))).toBe(0)
    expect(await times(9, () => limits.hit('other', 5, 60))).toBe(5)
    expect(said()).toEqual([
      'Redis does not answer: this process counts limits for itself',
      'Redis answers again: all processes count limits together',
    ])
  })

  test('do not wait for a Redis that hangs', async () => {
    const limits = await open()
    redis.signal('SIGSTOP')
    const begun = performance.now()
    for (let asked = 0; asked < 20; asked += 1) await limits.hit('key', 100, 60)
    expect(performance.now() - begun).toBeLessThan(2000)
    expect(await isThere(limits)).toBe(false)
    redis.signal('SIGCONT')
    await expect.poll(() => isThere(limits), BACK).toBe(true)
  })

  test('begin without a Redis, and find it later', async () => {
    await redis.kill()
    const limits = await open()
    expect(await isThere(limits)).toBe(false)
    expect(await times(9, () => limits.hit('key', 5, 60))).toBe(5)
    await redis.start()
    await expect.poll(() => isThere(limits), BACK).toBe(true)
  })

  test('refuse, after a flush, whom this process has let through', async () => {
    const limits = await open()
    expect(await times(5, () => limits.hit('key', 5, 60))).toBe(5)
    await redis.run('FLUSHALL')
    expect(await times(5, () => limits.hit('key', 5, 60))).toBe(0)
    expect(said()).toEqual([])
  })

  test.each([
    ['has become a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ['has no memory left', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
  ])('go on by the own count where Redis %s', async (_, begin, end) => {
    const limits = await open()
    await redis.run(...(begin as [string, ...string[]]))
    expect(await times(9, () => limits.hit('key', 5, 60))).toBe(5)
    // It is asked again and again, and stays away.
    await pause(2500)
    expect(await isThere(limits)).toBe(false)
    expect(said()).toEqual(['Redis does not answer: this process counts limits for itself'])
    await redis.run(...(end as [string, ...string[]]))
    await expect.poll(() => isThere(limits), BACK).toBe(true)
  })

  test('with a wrong password say so once, and not which', async () => {
    await redis.run('CONFIG', 'SET', 'requirepass', 'right')
    const limits = await open(redis.url.replace('//', '//:a-wrong-one@'))
    expect(await isThere(limits)).toBe(false)
    expect(await times(9, () => limits.hit('key', 5, 60))).toBe(5)
    expect(said()).toEqual(['Redis does not answer: this process counts limits for itself'])
    expect(JSON.stringify(lines)).not.toContain('a-wrong-one')
    const right = await open(redis.url.replace('//', '//:right@'))
    expect(await isThere(right)).toBe(true)
  })

  test('doctor says what is wrong, and what to do', async () => {
    const look = async (url = redis.url) => lookAtRedis(url)
    expect(await look()).toEqual({ state: 'ok', text: 'limits are counted in Redis, for all processes together' })
    expect((await look('redis://127.0.0.1:1')).text).toMatch(
      /^cannot be reached: 127\.0\.0\.1 takes no connections; look at/,
    )
    expect((await look('redis://nowhere.invalid')).text).toMatch(/^cannot be reached: nowhere\.invalid has no address/)
    expect((await look(redis.url.replace('redis:', 'rediss:'))).text).toMatch(/does not speak TLS there/)
    await redis.run('REPLICAOF', '127.0.0.1', '1')
    expect((await look()).text).toMatch(/is a replica, which only reads: name the primary/)
    await redis.run('REPLICAOF', 'NO', 'ONE')
    await redis.run('CONFIG', 'SET', 'maxmemory', '1')
    expect((await look()).text).toMatch(/^has no memory left: raise its maxmemory/)
    await redis.run('CONFIG', 'SET', 'maxmemory', '0')
    await redis.run('CONFIG', 'SET', 'requirepass', 'right')
    const wrongPassword = await look(redis.url.replace('//', '//:a-wrong-one@'))
    expect(wrongPassword).toMatchObject({
      state: 'wrong',
      text: expect.stringMatching(/^does not take this user and password/),
    })
    expect(wrongPassword.text).not.toContain('a-wrong-one')
    expect((await look()).text).toMatch(/^does not take this user and password/)
    redis.signal('SIGSTOP')
    expect((await look(redis.url.replace('//', '//:right@'))).text).toMatch(/does not answer in time/)
  })
})
