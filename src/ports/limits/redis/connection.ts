import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { HIT } from './script.ts'

/**
 * Longer than a Redis that works takes, also to a process that is busy for a moment: it then reads the answer late. Only the
 * first requests wait so long for one that hangs.
 */
const DEADLINE_MILLIS = 1000
const CONNECT_MILLIS = 2000
const LONGEST_RECONNECT_MILLIS = 2000

const PREFIX = 'institute:limit:'

export interface LimitCounter {
  limitHit(
    key: string,
    seconds: number,
    limit: number,
    counts: 0 | 1,
    before: number,
  ): Promise<[number, number, number]>
}

/**
 * A connection whose commands fail at once where there is no Redis, or none that answers.
 * @param options.isOnce do not try again where it cannot be made
 */
export const connect = (url: string, { isOnce = false } = {}): Redis & LimitCounter => {
  const redis = new Redis(url, {
    protocol: 2,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MILLIS,
    commandTimeout: DEADLINE_MILLIS,
    keyPrefix: PREFIX,
    retryStrategy: (attempts) => (isOnce ? null : Math.min(attempts * 100, LONGEST_RECONNECT_MILLIS)),
    // After a failover the address leads to another server.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  })
  redis.defineCommand('limitHit', { numberOfKeys: 1, lua: HIT })
  return redis as Redis & LimitCounter
}

/**
 * Counts under a key of its own, which must be written: a Redis that only reads, or has no memory left, does not pass.
 * @throws what Redis answers
 */
export const probe = async (redis: LimitCounter): Promise<void> => {
  await redis.limitHit(`probe:${randomUUID()}`, 1, 1, 1, 0)
}
