import type { Caller } from '#kernel/actor.ts'
import { Forbidden } from '#kernel/errors.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { CHANNELS, type ChannelName } from './channel.ts'
import { retime } from './digest.ts'
import { DEFAULT_WISH, wishesOf, type Wish } from './preferences-of.ts'
import type { Preference, Preferences } from './schemas.ts'
import './tables.ts'

const ofUser = async (whole: ScopedDb, userId: string | null): Promise<Preferences> => {
  const wishOf = await wishesOf(whole, userId === null ? [] : [userId])
  return {
    preferences: CHANNELS.map((channel) => ({
      channel,
      ...(userId === null ? DEFAULT_WISH : wishOf(userId, channel)),
    })),
  }
}

/** Every channel, with what applies to somebody who never said. */
export const readPreferences = (whole: ScopedDb, { actor }: Caller): Promise<Preferences> =>
  ofUser(whole, actor.type === 'user' ? actor.userId : null)

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
 * digest, or skipped. @throws Forbidden for an API key
 */
export const changePreferences = async (
  tx: Tx,
  { actor }: Caller,
  wanted: readonly Preference[],
): Promise<Preferences> => {
  if (actor.type !== 'user') throw Forbidden({ reason: 'user_only' })
  const { userId } = actor
  const before = await ofUser(tx.whole, userId)
  const known = new Map(before.preferences.map((one) => [one.channel, one]))
  for (const { channel, ...wish } of wanted) {
    const was = known.get(channel)
    if (was?.enabled === wish.enabled && was.digestMode === wish.digestMode) continue
    await savePreference(tx, userId, channel, wish)
    await retime(tx, userId, channel, wish)
  }
  const after = await ofUser(tx.whole, userId)
  tx.audit({ entityType: 'notification_preference', entityId: userId, before, after })
  return after
}
