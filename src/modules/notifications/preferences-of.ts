import type { ScopedDb } from '#kernel/tables.ts'
import type { ChannelName } from './channel.ts'
import type { DigestMode } from './tables.ts'
import './tables.ts'

export interface Wish {
  enabled: boolean
  digestMode: DigestMode
}

/** What applies to people who never said, and to those without an account. */
export const DEFAULT_WISH: Wish = { enabled: true, digestMode: 'immediate' }

/** Looks up how a person wants a channel. */
export type WishOf = (userId: string | null, channel: ChannelName) => Wish

export const wishesOf = async (whole: ScopedDb, userIds: readonly string[]): Promise<WishOf> => {
  const rows =
    userIds.length === 0
      ? []
      : await whole
          .selectFrom('notification_preference')
          .select(['user_id', 'channel', 'enabled', 'digest_mode'])
          .where('user_id', 'in', userIds)
          .execute()
  const said = new Map(rows.map((row) => [`${row.user_id} ${row.channel}`, row]))
  return (userId, channel) => {
    const row = said.get(`${userId} ${channel}`)
    return row ? { enabled: row.enabled, digestMode: row.digest_mode } : DEFAULT_WISH
  }
}
