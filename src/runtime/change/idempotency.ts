import { compiled } from '#db/queries/compiled.ts'
import { KeyReused, StillRunning } from '#kernel/values/errors.ts'
import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { Vault } from '#runtime/secrets/vault.ts'

/** A stored reply is kept for a day. */
const KEPT_SECONDS = 24 * 3600
/**
 * The lease of a key whose request is running, which its process renews (renewKey): a request whose process died blocks
 * its repeats no longer than this, so that nobody waits longer for a dead process than for a database that fails over.
 * Where a process cannot renew in time, a repeat makes the change and the first request nothing (storeReply).
 */
const LEASE_SECONDS = 9
export const RENEW_MILLIS = 2_500
const PURPOSE = 'idempotent-reply'

export interface KeyedRequest {
  /** The owner of the key: an API key, or a user in one institute. Each owner has keys of its own. */
  caller: string
  key: string
  /** A hash of the method, the path, the query and the body. */
  hash: string
}

/** A request that has claimed its key. When its lease has expired, a repeat may take the key over. */
export interface ClaimedKey extends KeyedRequest {
  /** When the key was claimed. */
  claimedAt: string
}

export interface StoredReply {
  status: number
  /** The exact text of the body; empty: no body. */
  body: string
}

const insertKey = compiled((db, values: KeyedRequest & { now: string; expiresAt: string }) =>
  db
    .insertInto('idempotency_record')
    .values({
      caller: values.caller,
      key: values.key,
      request_hash: values.hash,
      state: 'running',
      status: null,
      body: null,
      sealed: false,
      started_at: values.now,
      expires_at: values.expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key'),
)

/**
 * Claims the key for this request, or returns the stored reply of the first request with it. Call it at the start of
 * the transaction that makes the change: of two concurrent requests, the database lets one claim the key.
 * @throws KeyReused when the key was used with another request; StillRunning while the first request is running
 */
export const claimKey = async (
  db: SystemDb,
  vault: Vault,
  { caller, key, hash }: KeyedRequest,
  now: string,
): Promise<StoredReply | undefined> => {
  const claim = () => insertKey(db, { caller, key, hash, now, expiresAt: plusSeconds(now, LEASE_SECONDS) })
  if ((await claim()).length > 0) return undefined
  // Free the key if its entry has expired, or the lease of its request.
  await db
    .deleteFrom('idempotency_record')
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', now),
        // Claimed while the clock was wrong. If that request is still running, it notices at its end that it lost the
        // key.
        eb.and([
          eb('state', '=', 'running'),
          eb('started_at', '>', plusSeconds(now, LEASE_SECONDS + CLOCK_SLACK_SECONDS)),
        ]),
      ]),
    )
    .execute()
  if ((await claim()).length > 0) return undefined
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

const endKey = compiled(
  (db, values: Omit<ClaimedKey, 'hash'> & { status: number; body: string; sealed: boolean; expiresAt: string }) =>
    db
      .updateTable('idempotency_record')
      .set({
        state: 'done',
        status: values.status,
        body: values.body,
        sealed: values.sealed,
        expires_at: values.expiresAt,
      })
      .where('caller', '=', values.caller)
      .where('key', '=', values.key)
      .where('state', '=', 'running')
      .where('started_at', '=', values.claimedAt)
      .returning('key'),
)

/** Renews the lease of a key whose request is running. */
export const renewKey = async (db: SystemDb, { caller, key, claimedAt }: ClaimedKey, now: string): Promise<void> => {
  await db
    .updateTable('idempotency_record')
    .set({ expires_at: plusSeconds(now, LEASE_SECONDS) })
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('state', '=', 'running')
    .where('started_at', '=', claimedAt)
    .execute()
}

/**
 * Stores the reply in the same transaction as the change. A `secret` reply is encrypted.
 * @throws StillRunning when a repeat has taken the key over; then the repeat makes the change
 */
export const storeReply = async (
  db: SystemDb,
  vault: Vault,
  { caller, key, claimedAt }: ClaimedKey,
  { status, body, secret }: StoredReply & { secret: boolean },
): Promise<void> => {
  const stored = secret ? vault.seal(PURPOSE, body) : body
  const expiresAt = plusSeconds(claimedAt, KEPT_SECONDS)
  const ended = await endKey(db, { caller, key, claimedAt, status, body: stored, sealed: secret, expiresAt })
  if (ended.length === 0) throw StillRunning()
}

/** Frees a key after a refusal that is not stored (400, 401, 403, 422, 428, 429, 5xx). */
export const releaseKey = async (db: SystemDb, { caller, key, claimedAt }: ClaimedKey): Promise<void> => {
  await db
    .deleteFrom('idempotency_record')
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('state', '=', 'running')
    .where('started_at', '=', claimedAt)
    .execute()
}

/**
 * Frees the keys of requests whose process died, for a program that starts and that no other process runs beside: their
 * repeats need not wait for the end of their leases.
 */
export const freeLostKeys = async (db: SystemDb, now: string): Promise<void> => {
  await db
    .deleteFrom('idempotency_record')
    // The column has an index, so that the stored replies are not read.
    .where('expires_at', '<=', plusSeconds(now, LEASE_SECONDS))
    .where('state', '=', 'running')
    .execute()
}

/**
 * Repairs entries that were stored while the clock was ahead: they now expire in a day. Deleting them at once would let
 * a repeat make its change again.
 */
export const repairFutureKeys = async (db: SystemDb, now: string): Promise<void> => {
  await db
    .updateTable('idempotency_record')
    .set({ expires_at: plusSeconds(now, KEPT_SECONDS) })
    .where('expires_at', '>', plusSeconds(now, KEPT_SECONDS + CLOCK_SLACK_SECONDS))
    .execute()
}

/** Deletes at most `limit` expired entries. @returns how many it deleted */
export const sweepKeys = async (db: SystemDb, now: string, limit: number): Promise<number> => {
  const old = db.selectFrom('idempotency_record').select(['caller', 'key']).where('expires_at', '<=', now).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_record')
    .where(({ eb, refTuple }) => eb(refTuple('caller', 'key'), 'in', old.$asTuple('caller', 'key')))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
