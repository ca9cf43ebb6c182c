import { forNoKeyUpdate } from '#db/dialect.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { unlinked } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { REACHED_BY } from '../channels/channel.ts'
import type { ChannelName } from '../tables.ts'
import { nextDigest } from './next-digest.ts'
import { findUsers } from '../recipients/accounts.ts'
import type { Found } from '../recipients/records.ts'
import { REASONS } from './reasons.ts'
import { preferencesOf, type Preference } from '../preferences/lookup.ts'
import { insertMessages, type NewRow } from './insert-messages.ts'
import { enqueueDigest, type DigestPayload } from './jobs.ts'
import { fillIn } from '../texts/render.ts'
import { TEXTS } from '../texts/defaults.ts'
import { DIGEST_KEY } from '../texts/language-texts.ts'

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

/** The messages that wait for a digest of a person on a channel. */
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

/** Applies a changed preference to the messages that wait for a digest. */
export const moveWaiting = async (
  tx: Tx,
  userId: string,
  channel: ChannelName,
  preference: Preference,
): Promise<void> => {
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

/** A message that the digest takes. */
interface Part {
  template_key: string
  title: string
  body: string
}

interface DigestOf {
  tx: Tx
  account: Found
  channel: ChannelName
}

/** The text of a digest: the messages of one kind stand together, each under its title. It names the institute. */
const textOf = ({ tx, account, channel }: DigestOf, parts: readonly Part[]) => {
  const locale = account.locale ?? tx.tenant.defaultLocale
  const { greeting, signature, digest } = TEXTS[locale]
  const groups = Map.groupBy(parts, (part) => part.template_key)
  const blocks = [...groups.values()].flat().map(({ title, body }) => `${title}\n${body}`)
  const values = {
    institute: unlinked(tx.tenant.name),
    recipientName: unlinked(account.name),
  }
  const filled = (text: string): string => fillIn(text, values, locale)
  const title = digest.subject(values.institute)
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

/** How many of the messages fit into one digest: at least one, even where that is too long for the channel by itself. */
const fitting = (of: DigestOf, due: readonly Part[]): number => {
  let most = Math.min(due.length, PARTS_AT_MOST)
  while (most > 1 && !fits(of.channel, textOf(of, due.slice(0, most)).body)) most -= 1
  return most
}

/**
 * Digests go to accounts that saved a preference for them. It overrides an opt-out of the address (see `preferencesOf`), so
 * the address is not looked up.
 */
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
    .select(['id', 'template_key', 'title', 'body'])
    .where('recipient_id', '=', userId)
    .where('channel', '=', channel)
    .where('status', '=', 'queued')
    .where('digest_at', '<=', digestAt)
    .where('digest_id', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(PARTS_AT_MOST + 1)
  // A changed preference enqueues a second job for the same digest. The lock keeps the two from taking the same messages.
  const due = await forNoKeyUpdate(tx.whole, waiting).execute()
  if (due.length === 0) return
  const of = { tx, account, channel }
  const parts = due.slice(0, fitting(of, due))
  const by = REACHED_BY[channel]
  const [sent] = await insertMessages(tx, [
    {
      source: { sourceId: null, templateKey: DIGEST_KEY, branchId: null, payload: {} },
      person: account,
      plan: {
        ...textOf(of, parts),
        channel,
        address: by === 'account' ? null : account[by],
        providerTemplateName: null,
        providerValues: null,
        digestMode: 'immediate',
      },
    },
  ])
  const { id, status, reason, sent_at } = sent as NewRow
  await tx.whole
    .updateTable('notification')
    .set({ digest_id: id, status, reason, next_attempt_at: null, sent_at })
    .where(
      'id',
      'in',
      parts.map((part) => part.id),
    )
    .execute()
  if (due.length > parts.length)
    await sendDigest(tx, { tenantId: tx.tenant.id, userId, channel, digestAt, zone: tx.tenant.timezone })
}

/**
 * Sends the messages that wait for one person on one channel as one message, if there are any. After a change of the
 * institute's time zone they wait for the next 07:00 there.
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
      await moveWaiting(tx, one.userId, one.channel, await preferenceOf(tx, one.userId, one.channel))
    } else {
      await sendDigest(tx, one)
    }
  })
}
