import type { Logger } from 'pino'
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { Runtime } from '#runtime/change/transaction.ts'

/** After a use was stored, further uses within this time are not. */
const KEPT_EVERY_SECONDS = 60

/** The size of the cache. The use of a key that has left it may be stored once more than needed. */
const NOTED_KEYS = 10_000

export interface UsedKey {
  id: string
  tenant_id: string
  last_used_at: string | null
}

/**
 * Stores when keys were last used, to the minute. It writes beside the requests, which do not wait for it, and at most
 * once a minute for each key.
 */
export class LastUse {
  readonly #database: Pick<Runtime['database'], 'write'>
  readonly #log: Logger
  /** For each key, the time that this process stored last. */
  readonly #noted = new BoundedCache<string, string>(NOTED_KEYS)
  readonly #writing = new Set<Promise<void>>()

  constructor(database: Pick<Runtime['database'], 'write'>, log: Logger) {
    this.#database = database
    this.#log = log
  }

  note({ id, tenant_id: tenantId, last_used_at: lastUsedAt }: UsedKey, now: string): void {
    const recent = plusSeconds(now, -KEPT_EVERY_SECONDS)
    // A time in the future was stored while the clock was wrong, so it does not count.
    const isRecent = (at = ''): boolean => at > recent && at <= plusSeconds(now, KEPT_EVERY_SECONDS)
    if (isRecent(lastUsedAt ?? '') || isRecent(this.#noted.find(id))) return
    this.#noted.set(id, now)
    const writing = this.#database
      .write(async (db) => {
        await db
          .updateTable('api_key')
          .set({ last_used_at: now })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', id)
          .execute()
      })
      .catch((error: unknown) => this.#log.warn({ err: error, apiKey: id }, 'the last use of an API key was not kept'))
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }

  /** Resolves once all noted uses are stored. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing)
  }
}
