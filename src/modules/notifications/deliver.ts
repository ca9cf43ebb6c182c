import { compiled } from '#db/compiled.ts'
import { plusSeconds } from '#kernel/clock.ts'
import type { JobContext } from '#kernel/module.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { findTenant, TENANT_COLUMNS, toTenantInfo } from '#modules/settings/index.ts'
import type { Channels, Message, Outcome, OutsideChannel } from './channel.ts'
import { REASONS } from './plan.ts'
import { enqueueAttempt, type Attempt } from './queue.ts'
import { DIGEST_KEY } from './texts/words.ts'
import { uncount } from './usage.ts'
import './tables.ts'

export interface DeliverDeps {
  channels: Channels
  /** Seconds between the attempts; there is one more attempt than entries. */
  backoffSeconds: readonly number[]
}

const LONGEST_REASON = 500

/** What to send; no row when it was sent, retried by hand or swept meanwhile. */
const findQueued = compiled((db, { tenantId, notificationId, generation }: Omit<Attempt, 'lane'>) =>
  db
    .selectFrom('notification')
    .innerJoin('tenant', 'tenant.id', 'notification.tenant_id')
    .select(TENANT_COLUMNS)
    .select([
      'notification.id',
      'notification.tenant_id',
      'notification.channel',
      'notification.locale',
      'notification.address',
      'notification.recipient_kind',
      'notification.recipient_id',
      'notification.title',
      'notification.body',
      'notification.template_key',
      'notification.payload',
      'notification.provider_template_name',
      'notification.provider_values',
      'notification.attempts',
      'notification.created_at',
    ])
    .where('notification.tenant_id', '=', tenantId)
    .where('notification.id', '=', notificationId)
    .where('notification.generation', '=', generation)
    .where('notification.status', '=', 'queued'),
)

type Queued = Awaited<ReturnType<typeof findQueued>>[number]

export const loadQueued = async (db: SystemDb, attempt: Attempt): Promise<Queued | undefined> =>
  (await findQueued(db, attempt))[0]

const toMessage = (row: Queued): Message => ({
  id: row.id,
  tenant: toTenantInfo(row.tenant_id, row),
  locale: row.locale,
  address: row.address,
  userId: row.recipient_kind === 'user' ? row.recipient_id : null,
  title: row.title,
  body: row.body,
  templateKey: row.template_key,
  payload: row.payload,
  providerTemplate:
    row.provider_template_name === null
      ? null
      : { name: row.provider_template_name, values: row.provider_values ?? {} },
})

interface Result {
  status: 'queued' | 'sent' | 'failed' | 'skipped'
  reason: string | null
  next: string | null
}

const resultOf = (
  outcome: Outcome,
  attempts: number,
  { now, backoffSeconds }: { now: string } & Pick<DeliverDeps, 'backoffSeconds'>,
): Result => {
  if (outcome.kind === 'sent') return { status: 'sent', reason: null, next: null }
  const reason = outcome.reason.slice(0, LONGEST_REASON)
  if (outcome.kind !== 'later') return { status: outcome.kind, reason, next: null }
  const wait = backoffSeconds[attempts - 1]
  return wait === undefined
    ? { status: 'failed', reason, next: null }
    : { status: 'queued', reason, next: plusSeconds(now, wait) }
}

/** The parts of a digest stand as the digest does. */
const saveParts = async (tx: Tx, digestId: string, { status, reason, next }: Result): Promise<void> => {
  await tx.whole
    .updateTable('notification')
    .set({ status, reason, next_attempt_at: next, sent_at: status === 'sent' ? tx.now : null })
    .where('digest_id', '=', digestId)
    .execute()
}

const saveResult = async (tx: Tx, attempt: Attempt, row: Queued, result: Result): Promise<void> => {
  const { status, reason, next } = result
  const { numUpdatedRows } = await tx.whole
    .updateTable('notification')
    .set({
      status,
      reason,
      attempts: row.attempts + 1,
      next_attempt_at: next,
      sent_at: status === 'sent' ? tx.now : null,
    })
    .where('id', '=', attempt.notificationId)
    .where('generation', '=', attempt.generation)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  if (row.template_key === DIGEST_KEY) await saveParts(tx, attempt.notificationId, result)
  if (next !== null) enqueueAttempt(tx, attempt, next)
  if (status === 'failed' || status === 'skipped') await uncount(tx, row.channel as OutsideChannel, row.created_at)
}

/**
 * Makes one attempt and saves what became of it in the transaction that ends the job. The other side may get a message
 * twice when this server dies between its acceptance and that transaction; the id of the message is the same then.
 */
export const deliver =
  ({ channels, backoffSeconds }: DeliverDeps) =>
  async ({
    payload: attempt,
    loaded: row,
    now,
    signal,
    finish,
  }: JobContext<Attempt, Queued | undefined>): Promise<void> => {
    if (!row) return
    const outcome: Outcome =
      row.tenant_status === 'archived'
        ? { kind: 'skipped', reason: REASONS.archived }
        : await channels[row.channel as OutsideChannel].send(toMessage(row), signal)
    await finish(async (system) => {
      const tenant = await findTenant(system.db, attempt.tenantId)
      if (!tenant) return
      const result = resultOf(outcome, row.attempts + 1, { now, backoffSeconds })
      await saveResult(system.inTenant(tenant), attempt, row, result)
    })
  }
