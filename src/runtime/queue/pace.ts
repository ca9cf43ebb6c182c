import { failure, type ApiError, type Failure } from '#kernel/values/errors.ts'
import type { ScopedDb, SystemDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { inBatches } from '#runtime/change/batches.ts'

/*
 * How often something may be sent: of one record, to one person, to one address. The database decides it, in the
 * transaction that sends: whoever sends to the same one at the same time waits for its row.
 */

/** At most so many within any stretch of so many seconds. */
interface Limit {
  most: number
  seconds: number
}
export type Limits = readonly Limit[]

const HOUR = 3600
const DAY = 24 * HOUR

/** Of one record by hand: somebody lost it, mistyped the address, or asks for it again. */
export const OF_RECORD: Limits = [
  { most: 3, seconds: HOUR },
  { most: 6, seconds: DAY },
]
/** To one person or address, of all that people send by hand: a family of six has reminders of 24 invoices in one go. */
export const BY_HAND: Limits = [
  { most: 30, seconds: HOUR },
  { most: 100, seconds: DAY },
]
/** To one address, of all that follows from events. What is more comes later. */
export const BY_EVENTS: Limits = [{ most: 60, seconds: HOUR }]

/** Older instants decide nothing. */
const MOST_KEPT = Math.max(...[OF_RECORD, BY_HAND, BY_EVENTS].flat().map(({ most }) => most))

export const RecordSentOften = failure(
  'RATE_LIMITED',
  'record_sent_often',
  'This was sent several times within a short while: GET /notifications says whether it arrived. It can be sent again later.',
)
export const PersonSentOften = failure(
  'RATE_LIMITED',
  'person_sent_often',
  'So much was sent to this person by hand within a short while that nothing more goes now. Send it later.',
)

/** When the next one may go, in milliseconds: now, or later. @param sent when the former ones went or will go, in order */
export const nextAt = (sent: readonly number[], limits: Limits, now: number): number =>
  Math.max(now, ...limits.map(({ most, seconds }) => (sent.at(-most) ?? -Infinity) + seconds * 1000))

type Sent = Map<string, number[]>

/** Locks the rows of these keys until the transaction ends; all who lock several lock them in one order. */
const lockSent = async ({ whole, now }: Pick<Tx, 'whole' | 'now'>, keys: readonly string[]): Promise<Sent> => {
  const sent: Sent = new Map()
  const rows = [...new Set(keys)].toSorted().map((key) => ({ key, sent_millis: [], ends_at: now }))
  await inBatches(rows, async (batch) => {
    const locked = await whole
      .insertInto('send_pace')
      .values(batch)
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'key']).doUpdateSet((eb) => ({ ends_at: eb.ref('send_pace.ends_at') })),
      )
      .returning(['key', 'sent_millis'])
      .execute()
    for (const row of locked) sent.set(row.key, [...row.sent_millis])
  })
  return sent
}

const saveSent = async ({ whole }: Pick<Tx, 'whole'>, sent: Sent): Promise<void> => {
  const rows = [...sent]
    .filter(([, millis]) => millis.length > 0)
    .map(([key, millis]) => ({
      key,
      sent_millis: millis.slice(-MOST_KEPT),
      ends_at: new Date((millis.at(-1) as number) + DAY * 1000).toISOString(),
    }))
  await inBatches(rows, (batch) =>
    whole
      .insertInto('send_pace')
      .values(batch)
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'key']).doUpdateSet((eb) => ({
          sent_millis: eb.ref('excluded.sent_millis'),
          ends_at: eb.ref('excluded.ends_at'),
        })),
      )
      .execute(),
  )
}

const addSent = (millis: number[], at: number): void => {
  millis.push(at)
  millis.sort((one, other) => one - other)
}

/**
 * Gives each of several a time to go, in their order. Those that may not go now are not counted with `orNever`, and come
 * later without it.
 * @returns for each key when it goes, as an ISO instant; null: it may not go now
 */
export const takePlaces = async (
  tx: Tx,
  keys: readonly string[],
  limits: Limits,
  { orNever }: { orNever: boolean },
): Promise<(string | null)[]> => {
  if (keys.length === 0) return []
  const now = Date.parse(tx.now)
  const sent = await lockSent(tx, keys)
  const places = keys.map((key) => {
    const millis = sent.get(key) as number[]
    const at = nextAt(millis, limits, now)
    if (orNever && at > now) return null
    addSent(millis, at)
    return new Date(at).toISOString()
  })
  await saveSent(tx, sent)
  return places
}

/** When the next by hand may go to each of these keys, without counting it; those that are left out may go now. */
export const waitsFor = async (whole: ScopedDb, keys: readonly string[], now: string): Promise<Map<string, number>> => {
  const waits = new Map<string, number>()
  await inBatches([...new Set(keys)], async (batch) => {
    const rows = await whole.selectFrom('send_pace').select(['key', 'sent_millis']).where('key', 'in', batch).execute()
    for (const { key, sent_millis: millis } of rows) {
      const wait = nextAt(millis, BY_HAND, Date.parse(now)) - Date.parse(now)
      if (wait > 0) waits.set(key, wait)
    }
  })
  return waits
}

export const sentOften = (refusal: Failure, waitMillis: number): ApiError =>
  refusal(undefined, { 'Retry-After': String(Math.ceil(waitMillis / 1000)) })

/** Something that somebody sends by hand: of which record, and to which person (of which record of theirs). */
interface ByHand {
  recordId: string
  personId?: string
  /** The key of the address to which it goes at once. */
  address?: string | undefined
}

/**
 * Counts something that is sent by hand, before anything else is written. What one limit refuses does not count against
 * the others. @throws RecordSentOften, PersonSentOften, each with Retry-After
 */
export const keepPace = async (tx: Tx, { recordId, personId, address }: ByHand): Promise<void> => {
  const now = Date.parse(tx.now)
  const paces = [
    { key: `record:${recordId}`, limits: OF_RECORD, refusal: RecordSentOften },
    ...(personId === undefined ? [] : [{ key: `person:${personId}`, limits: BY_HAND, refusal: PersonSentOften }]),
    ...(address === undefined ? [] : [{ key: address, limits: BY_HAND, refusal: PersonSentOften }]),
  ]
  const keys = paces.map(({ key }) => key)
  const sent = await lockSent(tx, keys)
  for (const { key, limits, refusal } of paces) {
    const wait = nextAt(sent.get(key) as number[], limits, now) - now
    if (wait > 0) throw sentOften(refusal, wait)
  }
  for (const millis of sent.values()) addSent(millis, now)
  await saveSent(tx, sent)
}

/** Deletes what decides nothing any more. @returns how many rows */
export const sweepPaces = async (db: SystemDb, now: string, limit: number): Promise<number> => {
  const old = db
    .selectFrom('send_pace')
    .select(['tenant_id', 'key'])
    .where('ends_at', '<', now)
    .orderBy('ends_at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('send_pace')
    .where(({ eb, refTuple }) => eb(refTuple('tenant_id', 'key'), 'in', old.$asTuple('tenant_id', 'key')))
    .where('ends_at', '<', now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Forgets how often was sent by these keys. */
export const forgetPaces = async (whole: ScopedDb, keys: readonly string[]): Promise<void> => {
  if (keys.length > 0) await whole.deleteFrom('send_pace').where('key', 'in', keys).execute()
}
