import type { Caller } from '#kernel/actor.ts'
import { Forbidden } from '#kernel/errors.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { CHANNELS, type ChannelName } from '../tables.ts'
import { retime } from '../outbox/digest.ts'
import { findAccount } from '../recipients/people.ts'
import { DEFAULT_WISH, wishesOf, type Wish, type Wishing } from './lookup.ts'
import type { Preference, Preferences } from '../schemas.ts'
import '../tables.ts'

type Account = Wishing & { accountId: string }

const shown = (wishOf: (channel: ChannelName) => Wish): Preferences => ({
  preferences: CHANNELS.map((channel) => ({ channel, ...wishOf(channel) })),
})

const ofAccount = async (whole: ScopedDb, account: Account): Promise<Preferences> => {
  const wishOf = await wishesOf(whole, [account])
  return shown((channel) => wishOf(account, channel))
}

const accountOf = async (whole: ScopedDb, userId: string): Promise<Account> =>
  (await findAccount(whole, { userId })) ?? { userId, accountId: userId, email: null }

/** Every channel, with what applies to somebody who never said. */
export const readPreferences = async (whole: ScopedDb, { actor }: Caller): Promise<Preferences> =>
  actor.type === 'user' ? ofAccount(whole, await accountOf(whole, actor.userId)) : shown(() => DEFAULT_WISH)

const savePreference = async (tx: Tx, userId: string, channel: ChannelName, { enabled, digestMode }: Wish) => {
  const said = { enabled, digest_mode: digestMode, updated_at: tx.now }
  await tx.whole
    .insertInto('notification_preference')
    .values({ user_id: userId, channel, ...said })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id', 'channel']).doUpdateSet(said))
    .execute()
}

/**
 * Changes the named channels; the others stay. What waits for a digest follows: it is sent now, moved to the other
 * digest, or skipped.
 */
export const applyWishes = async (tx: Tx, account: Account, wanted: readonly Preference[]): Promise<Preferences> => {
  const { accountId: userId } = account
  const before = await ofAccount(tx.whole, account)
  const known = new Map(before.preferences.map((one) => [one.channel, one]))
  for (const { channel, ...wish } of wanted) {
    const was = known.get(channel)
    if (was?.enabled === wish.enabled && was.digestMode === wish.digestMode) continue
    await savePreference(tx, userId, channel, wish)
    await retime(tx, userId, channel, wish)
  }
  const after = await ofAccount(tx.whole, account)
  tx.audit({ entityType: 'notification_preference', entityId: userId, before, after })
  return after
}

/** As `applyWishes`, for the caller. @throws Forbidden for an API key */
export const changePreferences = async (
  tx: Tx,
  { actor }: Caller,
  wanted: readonly Preference[],
): Promise<Preferences> => {
  if (actor.type !== 'user') throw Forbidden({ reason: 'user_only' })
  return applyWishes(tx, await accountOf(tx.whole, actor.userId), wanted)
}
