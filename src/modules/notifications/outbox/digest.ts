import { forNoKeyUpdate } from '#db/dialect.ts'
import type { JobContext } from '#kernel/module.ts'
import { unlinked } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { ChannelName, OutsideChannel } from '../tables.ts'
import { nextDigest } from './next-digest.ts'
import { isolated } from '../texts/formats.ts'
import { findUsers, type Found } from '../recipients/people.ts'
import { REASONS } from './plan.ts'
import { preferencesOf, type Preference } from '../preferences/lookup.ts'
import { enqueueAttempt, enqueueDigest, laneOf, type DigestPayload } from './jobs.ts'
import { fillIn } from '../texts/render.ts'
import { TEXTS } from '../texts/defaults.ts'
import { DIGEST_KEY } from '../texts/language-texts.ts'
import { count, roomFor } from './usage.ts'

/** A longer digest goes out in several messages. */
const PARTS_AT_MOST = 100

/** The longest text that providers of SMS and WhatsApp take, in characters; Twilio's limit is the lowest. */
const LONGEST_TEXT = 1600
/** A push message is cut where it is longer, in bytes: what encryption and its other fields need is not for it. */
const LONGEST_PUSH = 3000

const fits = (channel: ChannelName, body: string): boolean => {
  if (channel === 'sms' || channel === 'whatsapp') return body.length <= LONGEST_TEXT
  return channel !== 'push' || Buffer.byteLength(body) <= LONGEST_PUSH
}

/** What waits for the digests of a person on a channel. */
const waitingFor = (tx: Tx, userId: string, channel: ChannelName) =>
  tx.whole
    .updateTable('notification')
    .where('recipient_id', '=', userId)
    .where('channel', '=', channel)
    .where('status', '=', 'queued')
    .where('digest_at', 'is not', null)
    .where('digest_id', 'is', null)

const skipWaiting = async (tx: Tx, userId: string, channel: ChannelName, reason: string): Promise<void> => {
  await waitingFor(tx, userId, channel)
    .set({ status: 'skipped', reason, digest_at: null, next_attempt_at: null })
    .execute()
}

/** Brings what waits in line with what the person wants now. */
export const retime = async (tx: Tx, userId: string, channel: ChannelName, preference: Preference): Promise<void> => {
  if (!preference.enabled) {
    await skipWaiting(tx, userId, channel, REASONS.off)
    return
  }
  const { timezone: zone } = tx.tenant
  const digestAt = preference.digestMode === 'immediate' ? tx.now : nextDigest(preference.digestMode, tx.now, zone)
  const { numUpdatedRows } = await waitingFor(tx, userId, channel)
    .set({ digest_at: digestAt, next_attempt_at: digestAt })
    .executeTakeFirst()
  if (numUpdatedRows > 0n) enqueueDigest(tx, { tenantId: tx.tenant.id, userId, channel, digestAt, zone })
}

interface Part {
  template_key: string
  title: string
  body: string
}

interface Reader {
  tx: Tx
  account: Found
  channel: ChannelName
}

/** One text of many messages: those of one kind stand together, each under its title. It says whom it is from. */
const wordDigest = ({ tx, account, channel }: Reader, parts: readonly Part[]) => {
  const locale = account.locale ?? tx.tenant.defaultLocale
  const { greeting, signature, digest } = TEXTS[locale]
  const groups = Map.groupBy(parts, (part) => part.template_key)
  const blocks = [...groups.values()].flat().map(({ title, body }) => `${title}\n${body}`)
  const values = {
    institute: isolated(unlinked(tx.tenant.name), locale),
    recipientName: isolated(unlinked(account.name), locale),
  }
  const filled = (text: string): string => fillIn(text, values)
  const title = filled(digest.subject)
  switch (channel) {
    case 'email':
      return { locale, title, body: [filled(greeting), digest.lead, ...blocks, filled(signature)].join('\n\n') }
    case 'sms':
    case 'whatsapp':
      // A text message has no title.
      return { locale, title, body: [title, ...blocks].join('\n\n') }
    default:
      return { locale, title, body: [digest.lead, ...blocks].join('\n\n') }
  }
}

/** The first messages, as many as the channel takes in one; one that is too long by itself is left to the channel. */
const fitting = (reader: Reader, due: readonly Part[]): number => {
  let most = Math.min(due.length, PARTS_AT_MOST)
  while (most > 1 && !fits(reader.channel, wordDigest(reader, due.slice(0, most)).body)) most -= 1
  return most
}

/** Whoever has a digest has said so: what was said for their address does not matter. */
const preferenceOf = async (tx: Tx, accountId: string, channel: ChannelName): Promise<Preference> => {
  const person = { userId: accountId, accountId, email: null }
  return (await preferencesOf(tx.whole, [person]))(person, channel)
}

const sendDigest = async (
  tx: Tx,
  { userId, channel, digestAt }: DigestPayload & { channel: ChannelName },
): Promise<void> => {
  const [account] = await findUsers(tx.whole, [userId])
  if (!account) return skipWaiting(tx, userId, channel, REASONS.left)
  const preference = await preferenceOf(tx, userId, channel)
  if (!preference.enabled) return skipWaiting(tx, userId, channel, REASONS.off)
  const waiting = tx.whole
    .selectFrom('notification')
    .select(['id', 'template_key', 'title', 'body', 'branch_id'])
    .where('recipient_id', '=', userId)
    .where('channel', '=', channel)
    .where('status', '=', 'queued')
    .where('digest_at', '<=', digestAt)
    .where('digest_id', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(PARTS_AT_MOST + 1)
  // A changed preference makes a second job for the same digest: what one of them takes, the other does not see.
  const due = await forNoKeyUpdate(tx.whole, waiting).execute()
  if (due.length === 0) return
  const reader = { tx, account, channel }
  const parts = due.slice(0, fitting(reader, due))
  const isInbox = channel === 'in_app'
  const hasRoom = isInbox || (await roomFor(tx)) >= 1
  const status = !hasRoom ? 'skipped' : isInbox ? 'sent' : 'queued'
  const reason = hasRoom ? null : REASONS.quota
  const id = tx.id()
  const address =
    channel === 'email' ? account.email : channel === 'sms' || channel === 'whatsapp' ? account.phone : null
  await tx.whole
    .insertInto('notification')
    .values({
      id,
      source_id: id,
      template_key: DIGEST_KEY,
      channel,
      branch_id: null,
      recipient_kind: 'user',
      recipient_id: userId,
      recipient_name: account.name,
      address,
      ...wordDigest(reader, parts),
      payload: {},
      provider_template_name: null,
      provider_values: null,
      status,
      reason,
      attempts: 0,
      generation: 1,
      next_attempt_at: status === 'queued' ? tx.now : null,
      sent_at: status === 'sent' ? tx.now : null,
      inbox_user_id: status === 'sent' ? userId : null,
      read_at: null,
      digest_at: null,
      digest_id: null,
      created_at: tx.now,
    })
    .execute()
  await tx.whole
    .updateTable('notification')
    .set({ digest_id: id, status, reason, next_attempt_at: null, sent_at: status === 'sent' ? tx.now : null })
    .where(
      'id',
      'in',
      parts.map((part) => part.id),
    )
    .execute()
  if (status === 'queued') {
    await count(tx, { [channel as OutsideChannel]: 1 })
    const lane = laneOf(tx.tenant.id, channel)
    enqueueAttempt(tx, { tenantId: tx.tenant.id, notificationId: id, generation: 1, lane })
  }
  if (due.length > parts.length)
    await sendDigest(tx, { tenantId: tx.tenant.id, userId, channel, digestAt, zone: tx.tenant.timezone })
}

/**
 * Sends what waits for one person on one channel, as one message. Nothing is sent when nothing waits. A change of the
 * institute's time zone moves the digest to its 07:00 there.
 */
export const digest = async ({ payload, finish }: JobContext<DigestPayload>): Promise<void> => {
  await finish(async (system) => {
    const tenant = await findTenant(system.db, payload.tenantId)
    if (!tenant) return
    const tx = system.inTenant(tenant)
    const one = { ...payload, channel: payload.channel as ChannelName }
    if (tenant.status === 'archived') {
      await skipWaiting(tx, one.userId, one.channel, REASONS.archived)
    } else if (tenant.timezone !== payload.zone || tx.now < payload.digestAt) {
      await retime(tx, one.userId, one.channel, await preferenceOf(tx, one.userId, one.channel))
    } else {
      await sendDigest(tx, one)
    }
  })
}
