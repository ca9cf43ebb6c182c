import { compiledByIds } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { ChannelName, DigestMode } from '../tables.ts'

export interface Preference {
  enabled: boolean
  digestMode: DigestMode
}

/** What applies to people who have saved no preference. */
export const DEFAULT_PREFERENCE: Preference = { enabled: true, digestMode: 'immediate' }

/** Whose preference is looked up: by their account, and by the address that mails go to. */
export interface PreferenceHolder {
  /** null: they have no active account here. */
  userId: string | null
  /** Their account, active or not. */
  accountId: string | null
  email: string | null
}

/** Finds a person's preference for a channel among those that were read. */
export type PreferenceOf = (person: PreferenceHolder, channel: ChannelName) => Preference

/** One address, however it is spelled. */
export const emailKey = (email: string): string => email.toLowerCase()

const optOuts = compiledByIds((whole, keys) =>
  whole.selectFrom('email_opt_out').select('email_key').where('email_key', 'in', keys),
)

const savedPreferences = compiledByIds((whole, userIds) =>
  whole
    .selectFrom('notification_preference')
    .select(['user_id', 'channel', 'enabled', 'digest_mode'])
    .where('user_id', 'in', userIds),
)

const optedOut = async (whole: ScopedDb, people: readonly PreferenceHolder[]): Promise<ReadonlySet<string>> => {
  const keys = people.flatMap(({ email }) => (email === null ? [] : [emailKey(email)]))
  return new Set((await optOuts(whole, keys)).map((row) => row.email_key))
}

/**
 * Reads the preferences of people. The preference that an active account has saved overrides the opt-out of its address.
 * Without an active account both apply: each of them can switch mails off.
 */
export const preferencesOf = async (whole: ScopedDb, people: readonly PreferenceHolder[]): Promise<PreferenceOf> => {
  const rows = await savedPreferences(
    whole,
    people.flatMap(({ accountId }) => accountId ?? []),
  )
  const saved = new Map(rows.map((row) => [`${row.user_id} ${row.channel}`, row]))
  const out = await optedOut(whole, people)
  return ({ userId, accountId, email }, channel) => {
    const row = saved.get(`${accountId} ${channel}`)
    const preference = row ? { enabled: row.enabled, digestMode: row.digest_mode } : DEFAULT_PREFERENCE
    const isOut = channel === 'email' && email !== null && out.has(emailKey(email))
    return isOut && (!row || userId === null) ? { ...preference, enabled: false } : preference
  }
}
