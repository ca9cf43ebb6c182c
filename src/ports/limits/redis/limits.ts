import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Clock } from '#kernel/time/clock.ts'
import { MemoryLimits } from '../memory.ts'
import type { RateLimits, Verdict } from '../port.ts'
import { CountedAhead } from './ahead.ts'
import { connect, probe, type LimitCounter } from './connection.ts'

/** How often a Redis that is away is asked whether it is back. */
const LOOK_EVERY_MILLIS = 1000
/** How often what was counted ahead is sent, where no further hit has carried it. */
const SEND_EVERY_MILLIS = 50

/** The words of Redis alone: the error of a command holds its arguments, of AUTH the password. */
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Rate limits that all processes count together in one Redis, with the verdicts of MemoryLimits. Each process also counts
 * its own hits: it goes on with those where Redis does not answer, and a Redis that forgot (flushed, evicted, failed over)
 * lets through no more than one process would alone.
 */
export class RedisLimits implements RateLimits {
  readonly #redis: Redis & LimitCounter
  readonly #own: MemoryLimits
  readonly #log: Logger
  readonly #ahead: CountedAhead
  readonly #looking: NodeJS.Timeout
  #sending: NodeJS.Timeout | undefined
  #isThere = false
  /** Whether the log says so; undefined: it has said nothing yet. */
  #said: boolean | undefined

  constructor(url: string, { clock, log }: { clock: Clock; log: Logger }) {
    this.#log = log
    this.#own = new MemoryLimits(clock)
    this.#ahead = new CountedAhead(() => clock.monotonic())
    this.#redis = connect(url)
    this.#redis.on('error', (error) => this.#lose(error))
    this.#redis.on('close', () => this.#lose(new Error('the connection has ended')))
    this.#redis.on('ready', () => void this.#look())
    this.#looking = setInterval(() => void this.#look(), LOOK_EVERY_MILLIS)
    this.#looking.unref()
  }

  /** Connects, where that works at once. */
  static async open(url: string, given: { clock: Clock; log: Logger }): Promise<RedisLimits> {
    const limits = new RedisLimits(url, given)
    await limits.#redis.connect().catch(() => {})
    await limits.#look()
    return limits
  }

  async hit(key: string, limit: number, windowSeconds: number): Promise<Verdict> {
    const own = this.#own.peek(key, limit, windowSeconds)
    if (!own.allowed) return own
    const ahead = this.#isThere ? this.#ahead.count(key, limit) : undefined
    if (ahead) {
      this.#own.hit(key, limit, windowSeconds)
      return ahead
    }
    const shared = await this.#ask(key, limit, windowSeconds, 1)
    if (!shared) return this.#own.hit(key, limit, windowSeconds)
    if (shared.allowed) this.#own.hit(key, limit, windowSeconds)
    return shared
  }

  async peek(key: string, limit: number, windowSeconds: number): Promise<Verdict> {
    const own = this.#own.peek(key, limit, windowSeconds)
    if (!own.allowed) return own
    return (await this.#ask(key, limit, windowSeconds, 0)) ?? own
  }

  /** Counts for real. @throws Error where Redis does not answer, or refuses */
  async probe(): Promise<void> {
    if (!this.#isThere) throw new Error('Redis does not answer')
    await probe(this.#redis)
  }

  async close(): Promise<void> {
    clearInterval(this.#looking)
    clearTimeout(this.#sending)
    this.#redis.removeAllListeners('close')
    this.#redis.disconnect()
    await this.#own.close()
  }

  /** @returns undefined where Redis does not answer: the process then counts for itself */
  async #ask(key: string, limit: number, windowSeconds: number, counts: 0 | 1): Promise<Verdict | undefined> {
    if (!this.#isThere) return undefined
    try {
      const before = this.#ahead.take(key)
      const [allowed, remaining, resetSeconds] = await this.#redis.limitHit(key, windowSeconds, limit, counts, before)
      const verdict = { allowed: allowed === 1, limit, remaining, resetSeconds }
      this.#ahead.note(key, windowSeconds, verdict)
      if (!this.#ahead.isEmpty) this.#sending ??= setTimeout(() => this.#send(), SEND_EVERY_MILLIS).unref()
      return verdict
    } catch (error) {
      this.#lose(error)
      return undefined
    }
  }

  /** Sends the last hits of callers who were counted ahead, and are quiet now. */
  #send(): void {
    for (const { key, limit, windowSeconds } of this.#ahead.stale()) void this.#ask(key, limit, windowSeconds, 0)
    this.#sending = this.#ahead.isEmpty ? undefined : setTimeout(() => this.#send(), SEND_EVERY_MILLIS).unref()
  }

  /** Asks as requests do, so that a Redis that refuses them does not count as back. */
  async #look(): Promise<void> {
    if (this.#isThere || this.#redis.status !== 'ready') return
    try {
      await probe(this.#redis)
    } catch (error) {
      this.#lose(error)
      return
    }
    this.#isThere = true
    if (this.#said === false) this.#log.info('Redis answers again: all processes count limits together')
    this.#said = true
  }

  #lose(error: unknown): void {
    this.#isThere = false
    this.#ahead.clear()
    if (this.#said === false) return
    this.#said = false
    this.#log.warn({ reason: wordsOf(error) }, 'Redis does not answer: this process counts limits for itself')
  }
}
