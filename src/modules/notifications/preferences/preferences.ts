import type { Caller } from '#kernel/who/actor.ts'
import { Forbidden } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { CHANNELS, type ChannelName } from '../tables.ts'
import { moveWaiting } from '../outbox/digest.ts'
import { findAccount } from '../recipients/accounts.ts'
import { DEFAULT_PREFERENCE, preferencesOf, type Preference, type PreferenceHolder } from './lookup.ts'
import type { ChannelPreference, Preferences } from '../schemas.ts'

type Account = PreferenceHolder & { accountId: string }

const shown = (preferenceOf: (channel: ChannelName) => Preference): Preferences => ({
  preferences: CHANNELS.map((channel) => ({ channel, ...preferenceOf(channel) })),
})

const ofAccount = async (whole: ScopedDb, account: Account): Promise<Preferences> => {
  const preferenceOf = await preferencesOf(whole, [account])
  return shown((channel) => preferenceOf(account, channel))
}

const accountOf = async (whole: ScopedDb, userId: string): Promise<Account> =>
  (await findAccount(whole, { userId })) ?? { userId, accountId: userId, email: null }

/** Every channel, with the default where nothing is saved. */
export const readPreferences = async (whole: ScopedDb, { actor }: Caller): Promise<Preferences> =>
  actor.type === 'user' ? ofAccount(whole, await accountOf(whole, actor.userId)) : shown(() => DEFAULT_PREFERENCE)

const savePreference = async (tx: Tx, userId: string, channel: ChannelName, { enabled, digestMode }: Preference) => {
  const saved = { enabled, digest_mode: digestMode, updated_at: tx.now }
  await tx.whole
    .insertInto('notification_preference')
    .values({ user_id: userId, channel, ...saved })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id', 'channel']).doUpdateSet(saved))
    .execute()
}

/**
 * Changes the named channels; the others stay. What waits for a digest follows: it is sent now, moved to the other
 * digest, or skipped.
 */
export const applyPreferences = async (
  tx: Tx,
  account: Account,
  wanted: readonly ChannelPreference[],
): Promise<Preferences> => {
  const { accountId: userId } = account
  const before = await ofAccount(tx.whole, account)
  const known = new Map(before.preferences.map((one) => [one.channel, one]))
  for (const { channel, ...preference } of wanted) {
    const was = known.get(channel)
    if (was?.enabled === preference.enabled && was.digestMode === preference.digestMode) continue
    await savePreference(tx, userId, channel, preference)
    await moveWaiting(tx, userId, channel, preference)
  }
  const after = await ofAccount(tx.whole, account)
  tx.audit({ entityType: 'notification_preference', entityId: userId, before, after })
  return after
}

/** As `applyPreferences`, for the caller. @throws Forbidden for an API key */
export const changePreferences = async (
  tx: Tx,
  { actor }: Caller,
  wanted: readonly ChannelPreference[],
): Promise<Preferences> => {
  if (actor.type !== 'user') throw Forbidden({ reason: 'user_only' })
  return applyPreferences(tx, await accountOf(tx.whole, actor.userId), wanted)
}
