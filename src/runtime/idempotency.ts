import { KeyReused, StillRunning } from '#kernel/errors.ts'
import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/clock.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { Vault } from './vault.ts'
import './tables.ts'

/** Kept for a day; a first request that died blocks its repeats for a minute. */
const KEPT_SECONDS = 24 * 3600
const RUNNING_SECONDS = 60
const PURPOSE = 'idempotent-reply'

export interface KeyedRequest {
  /** Whose key: an API key's, or a user's in one institute. Keys of others are independent. */
  caller: string
  key: string
  /** Hash of method, path and bytes. */
  hash: string
}

/** A request that has taken its key. One that took longer than a minute may have lost it to a repeat. */
export interface ClaimedKey extends KeyedRequest {
  /** When it took the key. */
  claimedAt: string
}

export interface StoredReply {
  status: number
  /** The exact text of the body; '' for none. */
  body: string
}

/**
 * Takes the key for this request, or answers with what the first request was told. Run it at the start of the
 * transaction that makes the change: of two at once, the database lets one through.
 * @throws KeyReused when the key came with another request, StillRunning while the first has not ended
 */
export const claimKey = async (
  db: SystemDb,
  vault: Vault,
  { caller, key, hash }: KeyedRequest,
  now: string,
): Promise<StoredReply | undefined> => {
  const fresh = {
    request_hash: hash,
    state: 'running' as const,
    status: null,
    body: null,
    sealed: false,
    started_at: now,
    expires_at: plusSeconds(now, KEPT_SECONDS),
  }
  const insert = () =>
    db
      .insertInto('idempotency_record')
      .values({ caller, key, ...fresh })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
  if (await insert()) return undefined
  // An entry past its day, or of a first request that died, makes room.
  await db
    .deleteFrom('idempotency_record')
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', now),
        eb.and([eb('state', '=', 'running'), eb('started_at', '<=', plusSeconds(now, -RUNNING_SECONDS))]),
        // Begun while the clock was wrong; should it still run, it finds at its end that it has lost the key.
        eb.and([
          eb('state', '=', 'running'),
          eb('started_at', '>', plusSeconds(now, RUNNING_SECONDS + CLOCK_SLACK_SECONDS)),
        ]),
      ]),
    )
    .execute()
  if (await insert()) return undefined
  const record = await db
    .selectFrom('idempotency_record')
    .select(['request_hash', 'state', 'status', 'body', 'sealed'])
    .where('caller', '=', caller)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (record.request_hash !== hash) throw KeyReused()
  if (record.state === 'running') throw StillRunning()
  const body = record.body ?? ''
  return { status: record.status as number, body: record.sealed ? vault.open(PURPOSE, body) : body }
}

/**
 * Keeps what the caller is told, with the change that it tells of. `secret` replies are sealed.
 * @throws StillRunning when a repeat has taken the key meanwhile: the change is the repeat's to make
 */
export const storeReply = async (
  db: SystemDb,
  vault: Vault,
  { caller, key, claimedAt }: ClaimedKey,
  { status, body, secret }: StoredReply & { secret: boolean },
): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_record')
    .set({ state: 'done', status, body: secret ? vault.seal(PURPOSE, body) : body, sealed: secret })
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('state', '=', 'running')
    .where('started_at', '=', claimedAt)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw StillRunning()
}

/** Frees a key whose request was refused in a way that is not kept (400, 401, 403, 422, 429, 5xx). */
export const releaseKey = async (db: SystemDb, { caller, key, claimedAt }: ClaimedKey): Promise<void> => {
  await db
    .deleteFrom('idempotency_record')
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('state', '=', 'running')
    .where('started_at', '=', claimedAt)
    .execute()
}

/** Gives what was kept while the clock was ahead its day from now on: forgotten at once, a repeat would be done again. */
export const repairFutureKeys = async (db: SystemDb, now: string): Promise<void> => {
  await db
    .updateTable('idempotency_record')
    .set({ expires_at: plusSeconds(now, KEPT_SECONDS) })
    .where('expires_at', '>', plusSeconds(now, KEPT_SECONDS + CLOCK_SLACK_SECONDS))
    .execute()
}

/** Forgets at most `limit` entries past their day. @returns how many */
export const sweepKeys = async (db: SystemDb, now: string, limit: number): Promise<number> => {
  const old = db.selectFrom('idempotency_record').select(['caller', 'key']).where('expires_at', '<=', now).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_record')
    .where(({ eb, refTuple }) => eb(refTuple('caller', 'key'), 'in', old.$asTuple('caller', 'key')))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
