import { compiledInTenant } from '#db/queries/compiled.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { localDate } from '#kernel/time/zone.ts'
import { checkRoom, lockQuota } from '#modules/tenants/index.ts'
import { CHANNELS, type ChannelName, type OutsideChannel } from '../tables.ts'
import type { MonthlyUsage } from '../schemas.ts'
import type { EventKey } from '../texts/language-texts.ts'

// A message counts in the month in which it was queued, unless it fails or is skipped in the end. Messages in the app do not
// count.

const QUOTA = 'maxMonthlyMessages'

/**
 * Anybody on the internet can cause these. They do not count against the plan, so that nobody can use it up. events/leads.ts
 * limits them: a few messages and one summary an hour.
 */
const BY_STRANGERS: ReadonlySet<string> = new Set<EventKey>(['lead.created', 'leads.summary'])

/** Whether a message with this text counts against the plan. */
export const isCounted = (templateKey: string): boolean => !BY_STRANGERS.has(templateKey)

export const monthOf = (instant: string, { timezone }: Pick<TenantInfo, 'timezone'>): string =>
  localDate(instant, timezone).slice(0, 'YYYY-MM'.length)

export type Counts = Partial<Record<OutsideChannel, number>>

const addCount = compiledInTenant((whole, row: { month: string; channel: OutsideChannel; messages: number }) =>
  whole
    .insertInto('notification_usage')
    .values({ month: row.month, channel: row.channel, messages: row.messages })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'month', 'channel']).doUpdateSet((eb) => ({
        messages: eb('notification_usage.messages', '+', eb.ref('excluded.messages')),
      })),
    ),
)

/** Adds to the counts of a month, and locks them until the transaction ends. */
const addCounts = async ({ whole }: Pick<Tx, 'whole'>, month: string, counts: Counts): Promise<void> => {
  // In one order, so that no two transactions deadlock.
  for (const channel of CHANNELS) {
    const added = channel === 'in_app' ? 0 : (counts[channel] ?? 0)
    if (added > 0) await addCount(whole, { month, channel: channel as OutsideChannel, messages: added })
  }
}

const usedIn = async (whole: ScopedDb, month: string): Promise<{ channel: ChannelName; messages: number }[]> =>
  whole
    .selectFrom('notification_usage')
    .select(['channel', 'messages'])
    .where('month', '=', month)
    .orderBy('channel')
    .execute()

const sum = (rows: readonly { messages: number }[]): number => rows.reduce((total, { messages }) => total + messages, 0)

/** How many messages count in the month that it is at the institute. */
export const countThisMonth = async (
  whole: ScopedDb,
  now: string,
  tenant: Pick<TenantInfo, 'timezone'>,
): Promise<number> => sum(await usedIn(whole, monthOf(now, tenant)))

/**
 * How many more messages the plan allows in this month; it stays so until the transaction ends.
 * @returns Infinity without a limit
 */
export const roomFor = async (tx: Tx): Promise<number> => {
  const limit = await lockQuota(tx, QUOTA)
  return limit === null ? Infinity : Math.max(0, limit - (await countThisMonth(tx.whole, tx.now, tx.tenant)))
}

/** Counts messages that are queued now. */
export const count = (tx: Tx, counts: Counts): Promise<void> => addCounts(tx, monthOf(tx.now, tx.tenant), counts)

/** Counts one more message. @throws QuotaExceeded */
export const countOne = async (tx: Tx, channel: OutsideChannel): Promise<void> => {
  const used = (whole: ScopedDb, now: string) => countThisMonth(whole, now, tx.tenant)
  await checkRoom(tx, QUOTA, used)
  await count(tx, { [channel]: 1 })
}

/** Takes back a message that was counted when it was queued, and was not sent. */
export const uncount = async (tx: Pick<Tx, 'whole' | 'tenant'>, channel: OutsideChannel, at: string): Promise<void> => {
  await tx.whole
    .updateTable('notification_usage')
    .set((eb) => ({ messages: eb('messages', '-', 1) }))
    .where('month', '=', monthOf(at, tx.tenant))
    .where('channel', '=', channel)
    .where('messages', '>', 0)
    .execute()
}

/** The messages of a month, each channel once. */
export const readUsage = async (whole: ScopedDb, month: string, { quotas }: TenantInfo): Promise<MonthlyUsage> => {
  const used = new Map((await usedIn(whole, month)).map(({ channel, messages }) => [channel, messages]))
  const channels = CHANNELS.filter((channel) => channel !== 'in_app').map((channel) => ({
    channel,
    messages: used.get(channel) ?? 0,
  }))
  return { month, channels, total: sum(channels), limit: quotas[QUOTA] ?? null }
}
