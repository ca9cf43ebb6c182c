import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { canBeCalled, type FindUnreached, type UnreachedBecause } from '#runtime/queue/reached.ts'
import { REACHED_BY, type Channels } from '../channels/channel.ts'
import { reasonToSkip, usableChannels, type Rules } from '../outbox/plan.ts'
import { REASONS } from '../outbox/reasons.ts'
import { preferencesOf } from '../preferences/lookup.ts'
import { CHANNELS, type ChannelName } from '../tables.ts'
import { textsOf } from '../texts/choose-text.ts'
import { accountsOf, peopleOf, type Person } from './people.ts'
import { findGuardians, findStudents } from './records.ts'

/** The channels over which something goes out now: mails that only wait for a mailbox reach nobody. */
export const channelsNow = async (
  whole: ScopedDb,
  tenant: TenantInfo,
  channels: Channels,
): Promise<ReadonlySet<ChannelName>> => {
  const usable = await usableChannels(whole, tenant, channels)
  const now = new Set<ChannelName>()
  for (const channel of usable) {
    if (channel === 'in_app' || (await (channels[channel].goesOut?.(whole, tenant) ?? true))) now.add(channel)
  }
  return now
}

/** The accounts that have a browser which takes messages. */
const accountsWithBrowser = async (whole: ScopedDb, people: readonly Person[]): Promise<ReadonlySet<string>> => {
  const ids = people.flatMap(({ userId }) => userId ?? [])
  if (ids.length === 0) return new Set()
  const devices = await whole.selectFrom('push_device').select('user_id').where('user_id', 'in', ids).execute()
  return new Set(devices.map((row) => row.user_id))
}

interface Known extends Rules {
  channels: readonly ChannelName[]
  now: ReadonlySet<ChannelName>
  withBrowser: ReadonlySet<string>
}

/** Why nothing reaches the person; undefined: something does. */
const becauseOf = (key: string, person: Person, known: Known): UnreachedBecause | undefined => {
  const { channels, now, withBrowser, ...rules } = known
  const reasons = new Set<string>()
  for (const channel of channels) {
    // Of those that are not set up, mail alone is one that every office expects.
    if (!now.has(channel) && channel !== 'email') continue
    if (REACHED_BY[channel] === 'account' && person.userId === null) continue
    if (channel === 'push' && !withBrowser.has(person.userId ?? '')) continue
    const reason = reasonToSkip(rules, key, person, channel)
    if (reason === null && now.has(channel)) return undefined
    reasons.add(reason ?? REASONS.notSetUp)
  }
  if (reasons.has(REASONS.off) || reasons.has(REASONS.optedOut)) return 'opted_out'
  if (reasons.has(REASONS.notSetUp)) return 'not_set_up'
  return reasons.has(REASONS.textOff) ? 'text_off' : 'no_address'
}

/** A receipt goes by mail alone. */
const channelsOf = (key: string): readonly ChannelName[] => (key === 'receipt.sent' ? ['email'] : CHANNELS)

/** Those whom a text reaches over none of these channels that works now, and why, by their ids. */
export const unreachedBy = async (
  { whole, tenant }: { whole: ScopedDb; tenant: TenantInfo },
  { text, people, over }: { text: string; people: readonly Person[]; over: readonly ChannelName[] },
  channels: Channels,
): Promise<Map<string, UnreachedBecause>> => {
  const known: Known = {
    texts: await textsOf(whole, [text], tenant.defaultLocale),
    preferenceOf: await preferencesOf(whole, people),
    channels: over,
    now: await channelsNow(whole, tenant, channels),
    withBrowser: await accountsWithBrowser(whole, people),
  }
  return new Map(
    people.flatMap((person) => {
      const because = becauseOf(text, person, known)
      return because === undefined ? [] : [[person.id, because] as const]
    }),
  )
}

/** Finds whom a message reaches over no channel that works now. */
export const findUnreachedOver =
  (channels: Channels): FindUnreached =>
  async ({ whole, tenant }, text, asked) => {
    const idsOf = (kind: (typeof asked)[number]['kind']) => asked.filter((one) => one.kind === kind).map(({ id }) => id)
    const found = [...(await findGuardians(whole, idsOf('guardian'))), ...(await findStudents(whole, idsOf('student')))]
    const accounts = await accountsOf(whole, found)
    const people = new Map(found.map((one) => [one.id, peopleOf(accounts, [one], tenant.defaultLocale)[0] as Person]))
    const message = { text, people: [...people.values()], over: channelsOf(text) }
    const unreached = await unreachedBy({ whole, tenant }, message, channels)
    return new Map(
      [...people].flatMap(([id, person]) => {
        const because = unreached.get(person.id)
        if (because === undefined) return []
        const canCall = person.kind !== 'user' && canBeCalled(because, person.phone)
        return [[id, { name: person.name, because, canCall }] as const]
      }),
    )
  }
