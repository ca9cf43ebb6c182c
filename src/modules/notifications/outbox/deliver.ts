import { compiled, compiledInTenant } from '#db/queries/compiled.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { OutsideDb, SystemDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { giveOriginalBack } from '#modules/billing/index.ts'
import { MAIL_RETRY_SECONDS } from '#modules/mail/index.ts'
import { quietSettings } from '#modules/settings/index.ts'
import { findTenant, TENANT_COLUMNS, toTenantInfo } from '#modules/tenants/index.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { bestOf, type Channels, type Message, type Outcome } from '../channels/channel.ts'
import type { OutsideChannel, Try } from '../tables.ts'
import { forgetDevices } from '../push/devices.ts'
import { findDevices, isLive, type Registered } from '../push/live-devices.ts'
import { optOutLink } from '../preferences/opt-out-link.ts'
import { REASONS } from './reasons.ts'
import { quietOf } from './quiet.ts'
import { emailKey } from '../preferences/lookup.ts'
import { attachmentsOf, type AttachmentDeps } from './attachments.ts'
import { letterheadOf, type LetterheadDeps } from './letterhead.ts'
import { enqueueAttempt, noticeStuckMails, type Attempt } from './jobs.ts'
import { DIGEST_KEY } from '../texts/language-texts.ts'
import { isCounted, uncount } from './usage.ts'

export interface DeliverDeps extends AttachmentDeps, LetterheadDeps {
  channels: Channels
  vault: Vault
  /** What links begin with. */
  baseUrl: (db: OutsideDb) => Promise<string>
  /** Seconds between the attempts, except for mails; there is one more attempt than entries. */
  backoffSeconds: readonly number[]
}

const LONGEST_REASON = 500

/** Finds what to send. There is no row if the message was sent, retried by hand or deleted in the meantime. */
const findQueued = compiled((db, { tenantId, notificationId, generation }: Omit<Attempt, 'lane' | 'round'>) =>
  db
    .selectFrom('notification')
    .innerJoin('tenant', 'tenant.id', 'notification.tenant_id')
    .leftJoin('notification_provider', (join) =>
      join
        .onRef('notification_provider.tenant_id', '=', 'notification.tenant_id')
        .onRef('notification_provider.channel', '=', 'notification.channel'),
    )
    .leftJoin('notification_preference', (join) =>
      join
        .onRef('notification_preference.tenant_id', '=', 'notification.tenant_id')
        .onRef('notification_preference.user_id', '=', 'notification.recipient_id')
        .onRef('notification_preference.channel', '=', 'notification.channel'),
    )
    .select(TENANT_COLUMNS)
    .select('tenant.settings as tenant_settings')
    .select(['notification_provider.provider', 'notification_provider.settings', 'notification_provider.secret'])
    // null: no preference is saved.
    .select('notification_preference.enabled')
    .select([
      'notification.id',
      'notification.tenant_id',
      'notification.channel',
      'notification.branch_id',
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
      'notification.tries',
      'notification.branch_id',
      'notification.happens_at',
      'notification.created_at',
    ])
    .where('notification.tenant_id', '=', tenantId)
    .where('notification.id', '=', notificationId)
    .where('notification.generation', '=', generation)
    .where('notification.status', '=', 'queued'),
)

const findOptOut = compiled((db, { tenantId, key }: { tenantId: string; key: string }) =>
  db.selectFrom('email_opt_out').select('email_key').where('tenant_id', '=', tenantId).where('email_key', '=', key),
)

type Queued = Awaited<ReturnType<typeof findQueued>>[number] & {
  devices: readonly Registered[]
  /** Whether mails to this address of somebody without an account have been stopped. */
  isOptedOut: boolean
}

export const loadQueued = async (db: SystemDb, attempt: Attempt): Promise<Queued | undefined> => {
  const [row] = await findQueued(db, attempt)
  if (!row) return undefined
  const { tenantId } = attempt
  const { channel, recipient_id: userId, recipient_kind: kind, address } = row
  const devices = channel === 'push' ? await findDevices(db, { tenantId, userId }) : []
  const mayBeOut = channel === 'email' && kind !== 'user' && address !== null
  const optOuts = mayBeOut ? await findOptOut(db, { tenantId, key: emailKey(address) }) : []
  return { ...row, devices, isOptedOut: optOuts.length > 0 }
}

/** Every mail can be stopped. */
const unsubscribeUrlOf = async (
  row: Queued,
  db: OutsideDb,
  { vault, baseUrl }: DeliverDeps,
): Promise<string | null> => {
  if (row.channel !== 'email' || row.address === null) return null
  const { tenant_id: tenantId, locale } = row
  const who = row.recipient_kind === 'user' ? { userId: row.recipient_id } : { email: row.address }
  return optOutLink(await baseUrl(db), vault, { tenantId, locale, who })
}

type Beside = Pick<Message, 'unsubscribeUrl' | 'attachments' | 'letterhead'>

const toMessage = (row: Queued, beside: Beside, now: string): Message => ({
  id: row.id,
  tenant: toTenantInfo(row.tenant_id, row),
  locale: row.locale,
  address: row.address,
  ...beside,
  userId: row.recipient_kind === 'user' ? row.recipient_id : null,
  title: row.title,
  body: row.body,
  templateKey: row.template_key,
  payload: row.payload,
  providerTemplate:
    row.provider_template_name === null
      ? null
      : { name: row.provider_template_name, values: row.provider_values ?? {} },
  provider:
    row.provider === null || row.settings === null || row.secret === null
      ? null
      : { provider: row.provider, settings: row.settings, secret: row.secret },
  devices: row.devices.filter((device) => isLive(device, now)),
})

/** More of them say nothing new. */
const TRIES_KEPT = 20

interface Result {
  outcome: Try['outcome']
  status: 'queued' | 'sent' | 'failed' | 'skipped'
  reason: string | null
  next: string | null
  /** See the table. */
  serverFailedAt: string | null
}

const resultOf = (
  outcome: Outcome,
  attempts: number,
  { now, waits }: { now: string; waits: readonly number[] },
): Result => {
  const { kind } = outcome
  if (kind === 'sent') return { outcome: kind, status: 'sent', reason: null, next: null, serverFailedAt: null }
  const reason = outcome.reason.slice(0, LONGEST_REASON)
  if (kind === 'kept') return { outcome: kind, status: 'queued', reason, next: null, serverFailedAt: now }
  if (kind !== 'later') return { outcome: kind, status: kind, reason, next: null, serverFailedAt: null }
  const wait = waits[attempts - 1]
  if (wait === undefined) return { outcome: 'failed', status: 'failed', reason, next: null, serverFailedAt: now }
  const next = plusSeconds(now, Math.max(wait, outcome.retryAfterSeconds ?? 0))
  return { outcome: kind, status: 'queued', reason, next, serverFailedAt: now }
}

/** A mail that fails for the fourth time has waited for half an hour: that is no passing fault. */
const TOLD_ATTEMPT = 4

/** The messages that a digest took have the status of the digest. */
const saveParts = async (tx: Tx, digestId: string, { status, reason, next }: Result): Promise<void> => {
  await tx.whole
    .updateTable('notification')
    .set({ status, reason, next_attempt_at: next, sent_at: status === 'sent' ? tx.now : null })
    .where('digest_id', '=', digestId)
    .execute()
}

interface SavedResult extends Pick<Attempt, 'notificationId' | 'generation'> {
  status: Result['status']
  reason: string | null
  attempts: number
  next: string | null
  sentAt: string | null
  serverFailedAt: string | null
  tries: readonly Try[]
}

/** Returns a row where this attempt was the message's latest. */
const saveAttempt = compiledInTenant((whole, saved: SavedResult) =>
  whole
    .updateTable('notification')
    .set({
      status: saved.status,
      reason: saved.reason,
      attempts: saved.attempts,
      next_attempt_at: saved.next,
      sent_at: saved.sentAt,
      server_failed_at: saved.serverFailedAt,
      tries: saved.tries,
    })
    .where('id', '=', saved.notificationId)
    .where('generation', '=', saved.generation)
    .where('status', '=', 'queued')
    .returning('id'),
)

/** @returns whether it failed for good */
const saveResult = async (tx: Tx, attempt: Attempt, row: Queued, result: Result): Promise<boolean> => {
  const { status, reason, next, serverFailedAt } = result
  const { notificationId, generation } = attempt
  const sentAt = status === 'sent' ? tx.now : null
  const attempts = row.attempts + 1
  const tries = [...(row.tries ?? []), { at: tx.now, outcome: result.outcome, reason }].slice(-TRIES_KEPT)
  const saved = { notificationId, generation, status, reason, attempts, next, sentAt, serverFailedAt, tries }
  if ((await saveAttempt(tx.whole, saved)).length === 0) return false
  if (row.template_key === DIGEST_KEY) await saveParts(tx, attempt.notificationId, result)
  const { round: _, ...again } = attempt
  if (next !== null) enqueueAttempt(tx, again, next)
  if (row.channel === 'email' && serverFailedAt !== null && attempts === TOLD_ATTEMPT) noticeStuckMails(tx)
  const isOver = status === 'failed' || status === 'skipped'
  if (isOver) await giveOriginalBack(tx, notificationId, row.payload)
  if (isOver && isCounted(row.template_key)) await uncount(tx, row.channel as OutsideChannel, row.created_at)
  return status === 'failed'
}

/** Why the message is not tried any more; undefined: it is. Its recipient may have switched it off since it was written. */
const reasonToSkip = ({ tenant_status: status, enabled, isOptedOut }: Queued): string | undefined => {
  if (status === 'archived') return REASONS.archived
  if (enabled === false) return REASONS.off
  return isOptedOut ? REASONS.optedOut : undefined
}

interface AttemptResult {
  /** What became of the message at the servers that were asked; undefined: none was yet. */
  outcome: Outcome | undefined
  /** Those that are still to be asked. */
  servers: readonly string[]
}

/** Hands the message to the next of its servers. The first round of a push message only lists its servers. */
const makeAttempt = async (
  attempt: Attempt,
  row: Queued,
  {
    db,
    inTenant,
    now,
    signal,
    change,
    ...deps
  }: DeliverDeps & Pick<JobContext, 'db' | 'inTenant' | 'now' | 'signal' | 'change'>,
): Promise<AttemptResult> => {
  const { servers: [server, ...rest] = [], soFar = null } = attempt.round ?? {}
  const add = (outcome: Outcome): Outcome => (soFar === null ? outcome : bestOf([soFar, outcome]))
  const skipped = reasonToSkip(row)
  if (skipped !== undefined) return { outcome: add({ kind: 'skipped', reason: skipped }), servers: [] }
  const channel = deps.channels[row.channel as OutsideChannel]
  const beside = {
    unsubscribeUrl: await unsubscribeUrlOf(row, db, deps),
    attachments: await attachmentsOf(row, { inTenant, signal, now, change, ...deps }),
    letterhead: await letterheadOf(row, { inTenant, signal, ...deps }),
  }
  const message = toMessage(row, beside, now)
  const servers = channel.serversOf?.(message)
  if (server === undefined && servers !== undefined && servers.size > 0) {
    return { outcome: undefined, servers: [...servers.keys()] }
  }
  const devices = server === undefined ? message.devices : (servers?.get(server) ?? [])
  return { outcome: add(await channel.send({ ...message, devices }, signal)), servers: rest }
}

/** When an attempt may be made that is due now; null: now. What was begun is ended. */
const quietUntil = async (
  { tenantId, round }: Attempt,
  row: Queued,
  { inTenant, now }: Pick<JobContext, 'inTenant' | 'now'>,
): Promise<string | null> => {
  if (round !== undefined) return null
  const mayGoAt = await quietOf(inTenant({ id: tenantId }), quietSettings(row.tenant_settings), {
    now,
    zone: row.timezone,
  })
  const at = mayGoAt(row, now)
  return at === now ? null : at
}

/** Puts an attempt off to the end of the quiet hours. */
const waitUntil = async (tx: Tx, attempt: Attempt, at: string): Promise<void> => {
  const waiting = await tx.whole
    .updateTable('notification')
    .set({ next_attempt_at: at, reason: REASONS.quiet })
    .where('id', '=', attempt.notificationId)
    .where('generation', '=', attempt.generation)
    .where('status', '=', 'queued')
    .returning('id')
    .execute()
  if (waiting.length > 0) enqueueAttempt(tx, attempt, at)
}

/**
 * Makes one attempt and saves what became of it in the transaction that ends the job. The other side may get a message
 * twice when this server dies between its acceptance and that transaction; the id of the message is the same then.
 */
export const deliver =
  (deps: DeliverDeps) =>
  async ({
    payload: attempt,
    loaded: row,
    db,
    inTenant,
    now,
    signal,
    change,
    finish,
  }: JobContext<Attempt, Queued | undefined>): Promise<void> => {
    if (!row) return
    const until = await quietUntil(attempt, row, { inTenant, now })
    if (until !== null) {
      await finish(async (system) => {
        const tenant = await findTenant(system.db, attempt.tenantId)
        if (tenant) await waitUntil(system.inTenant(tenant), attempt, until)
      })
      return
    }
    const { outcome, servers } = await makeAttempt(attempt, row, { ...deps, db, inTenant, now, signal, change })
    const attempts = row.attempts + 1
    let failed = false
    await finish(async (system) => {
      const tenant = await findTenant(system.db, attempt.tenantId)
      if (!tenant) return
      const tx = system.inTenant(tenant)
      const { gone = [], ...soFar } = outcome ?? { kind: null }
      await forgetDevices(tx, gone)
      if (soFar.kind !== null && servers.length === 0) {
        const waits = row.channel === 'email' ? MAIL_RETRY_SECONDS : deps.backoffSeconds
        failed = await saveResult(tx, attempt, row, resultOf(soFar, attempts, { now, waits }))
        return
      }
      enqueueAttempt(tx, { ...attempt, round: { servers: [...servers], soFar: soFar.kind === null ? null : soFar } })
    })
    if (!failed) return
    // The reason may quote a provider and name the recipient: it stands in the log of messages and not here.
    const { tenantId, notificationId } = attempt
    deps.log.warn({ tenantId, notificationId, channel: row.channel, attempts }, 'a message failed for good')
  }
