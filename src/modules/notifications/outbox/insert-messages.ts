import { compiledInsert } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { readSettings } from '#modules/settings/index.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { BY_EVENTS, BY_HAND, takePlaces } from '#runtime/queue/pace.ts'
import type { ChannelName, OutsideChannel } from '../tables.ts'
import { nextDigest } from './next-digest.ts'
import { enqueueAttempt, enqueueDigestOnce, laneOf } from './jobs.ts'
import { paceKey } from './pace-key.ts'
import type { Person } from '../recipients/people.ts'
import { type Planned, type Skipped } from './plan.ts'
import { REASONS } from './reasons.ts'
import { quietOf } from './quiet.ts'
import { count, isCounted, roomFor, type Counts } from './usage.ts'

/** What a message is about, the same for all its recipients. */
export interface Source {
  /** null: the message is about nothing but itself, as a digest is. */
  sourceId: string | null
  templateKey: string
  branchId: string | null
  payload: Record<string, string>
  /** The account of whoever sent it by hand; absent: nobody did. */
  byUserId?: string | null | undefined
  /** When that happens of which it tells; absent: it can be told at any time. */
  happensAt?: string | undefined
}

export interface PlannedMessage {
  source: Source
  person: Pick<Person, 'kind' | 'id' | 'name' | 'userId'>
  plan: Planned | Skipped
}

const isSkipped = (plan: Planned | Skipped): plan is Skipped => 'reason' in plan

const rowOf = (tx: Tx, { source, person, plan }: PlannedMessage) => {
  const skipped = isSkipped(plan)
  const digestAt =
    skipped || plan.digestMode === 'immediate' ? null : nextDigest(plan.digestMode, tx.now, tx.tenant.timezone)
  const isInbox = !skipped && plan.channel === 'in_app' && digestAt === null
  const id = tx.id()
  return {
    id,
    source_id: source.sourceId ?? id,
    template_key: source.templateKey,
    channel: plan.channel,
    locale: plan.locale,
    branch_id: source.branchId,
    recipient_kind: person.kind,
    recipient_id: person.id,
    recipient_name: person.name,
    address: plan.address,
    title: plan.title,
    body: plan.body,
    payload: source.payload,
    provider_template_name: plan.providerTemplateName,
    provider_values: plan.providerValues,
    status: skipped ? ('skipped' as const) : isInbox ? ('sent' as const) : ('queued' as const),
    reason: skipped ? plan.reason : null,
    attempts: 0,
    generation: 1,
    next_attempt_at: skipped || isInbox ? null : (digestAt ?? tx.now),
    sent_at: isInbox ? tx.now : null,
    server_failed_at: null,
    inbox_user_id: isInbox ? person.userId : null,
    read_at: null,
    digest_at: digestAt,
    digest_id: null,
    tries: null,
    sent_by_user_id: source.byUserId ?? null,
    happens_at: source.happensAt ?? null,
    created_at: tx.now,
  }
}

export type NewRow = ReturnType<typeof rowOf>

const insertNew = compiledInsert((whole: ScopedDb, rows: NewRow[]) =>
  whole
    .insertInto('notification')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'source_id', 'recipient_id', 'channel']).doNothing())
    .returning('id'),
)

/** Whether it goes to an outside channel now, not as part of a digest, and counts against the plan. */
const takesRoom = (row: NewRow): boolean =>
  row.status === 'queued' && row.digest_at === null && isCounted(row.template_key)

/** Queues the rows that the plan has room for; the others are skipped. */
const withinQuota = async (tx: Tx, rows: NewRow[]): Promise<NewRow[]> => {
  if (!rows.some(takesRoom)) return rows
  let room = await roomFor(tx)
  if (room === Infinity) return rows
  return rows.map((row) => {
    if (!takesRoom(row)) return row
    room -= 1
    return room >= 0 ? row : { ...row, status: 'skipped', reason: REASONS.quota, next_attempt_at: null }
  })
}

/** The inbox, telephone or account that a message goes to at once; undefined: it stays here, or waits for a digest. */
const paceKeyOf = ({ status, digest_at, channel, address, recipient_id }: NewRow): string | undefined =>
  status === 'queued' && digest_at === null ? paceKey(channel, address ?? recipient_id) : undefined

/**
 * Lets no address have more than its pace. What follows from an event comes later then; what is sent by hand to many is
 * skipped, as the log says.
 */
const withinPace = async (tx: Tx, rows: NewRow[], isByHand: boolean): Promise<NewRow[]> => {
  const keyed = rows.map((row) => ({ row, key: paceKeyOf(row) }))
  const keys = keyed.flatMap(({ key }) => key ?? [])
  const limits = isByHand ? BY_HAND : BY_EVENTS
  const places = (await takePlaces(tx, keys, limits, { orNever: isByHand })).values()
  return keyed.map(({ row, key }): NewRow => {
    if (key === undefined) return row
    const at = places.next().value as string | null
    if (at === null) return { ...row, status: 'skipped', reason: REASONS.pace, next_attempt_at: null }
    return { ...row, next_attempt_at: at }
  })
}

/** Lets what can wait be handed over when the quiet hours end. A digest is looked at when it is made. */
const afterQuietHours = async (tx: Tx, rows: NewRow[]): Promise<NewRow[]> => {
  if (!rows.some((row) => row.status === 'queued' && row.digest_at === null)) return rows
  const mayGoAt = await quietOf(tx.whole, await readSettings(tx.whole), { now: tx.now, zone: tx.tenant.timezone })
  return rows.map((row): NewRow => {
    if (row.status !== 'queued' || row.digest_at !== null) return row
    const due = row.next_attempt_at ?? tx.now
    const at = mayGoAt(row, due)
    return at === due ? row : { ...row, next_attempt_at: at, reason: REASONS.quiet }
  })
}

const outside = (channel: ChannelName): OutsideChannel => channel as OutsideChannel

interface InsertOptions {
  /** They were sent by hand, perhaps to thousands: they get a lane of their own. */
  bulk?: boolean
}

/**
 * Inserts messages and enqueues their deliveries and digests. A unique index leaves out those whose recipient already has
 * a message of the same source over the same channel.
 * @returns the inserted rows
 */
export const insertMessages = async (
  tx: Tx,
  messages: readonly PlannedMessage[],
  { bulk }: InsertOptions = {},
): Promise<NewRow[]> => {
  if (messages.length === 0) return []
  const written = messages.map((message) => rowOf(tx, message))
  const paced = await withinPace(tx, written, bulk === true)
  const rows = await afterQuietHours(tx, await withinQuota(tx, paced))
  const ids = new Set<string>()
  await inBatches(rows, async (batch) => {
    for (const { id } of await insertNew(tx.whole, batch)) ids.add(id)
  })
  const counts: Counts = {}
  const tenantId = tx.tenant.id
  const inserted = rows.filter(({ id }) => ids.has(id))
  for (const row of inserted) {
    if (row.status !== 'queued') continue
    if (row.digest_at !== null) {
      const { recipient_id: userId, channel, digest_at: digestAt } = row
      enqueueDigestOnce(tx, { tenantId, userId, channel, digestAt, zone: tx.tenant.timezone })
      continue
    }
    const channel = outside(row.channel)
    if (isCounted(row.template_key)) counts[channel] = (counts[channel] ?? 0) + 1
    const lane = laneOf(tenantId, channel, bulk)
    enqueueAttempt(tx, { tenantId, notificationId: row.id, generation: 1, lane }, row.next_attempt_at ?? undefined)
  }
  await count(tx, counts)
  return inserted
}
