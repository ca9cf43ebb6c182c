import { compiledByIds } from '#db/compiled.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { ChannelName } from '../tables.ts'
import type { DigestMode } from '../tables.ts'
import '../tables.ts'

export interface Wish {
  enabled: boolean
  digestMode: DigestMode
}

/** What applies to people who never said. */
export const DEFAULT_WISH: Wish = { enabled: true, digestMode: 'immediate' }

/** Who wishes: somebody by their account, else by the address on their record. */
export interface Wishing {
  /** null: they have no active account here. */
  userId: string | null
  /** Their account, active or not. */
  accountId: string | null
  email: string | null
}

/** Looks up how a person wants a channel. */
export type WishOf = (person: Wishing, channel: ChannelName) => Wish

/** One address, however it is spelled. */
export const emailKey = (email: string): string => email.toLowerCase()

const optOuts = compiledByIds((whole, keys) =>
  whole.selectFrom('email_opt_out').select('email_key').where('email_key', 'in', keys),
)

const preferences = compiledByIds((whole, userIds) =>
  whole
    .selectFrom('notification_preference')
    .select(['user_id', 'channel', 'enabled', 'digest_mode'])
    .where('user_id', 'in', userIds),
)

const optedOut = async (whole: ScopedDb, people: readonly Wishing[]): Promise<ReadonlySet<string>> => {
  const keys = people.flatMap(({ email }) => (email === null ? [] : [emailKey(email)]))
  return new Set((await optOuts(whole, keys)).map((row) => row.email_key))
}

/**
 * What an active account has said counts for more than what was said for its address. Who has left hears nothing of
 * what either has switched off.
 */
export const wishesOf = async (whole: ScopedDb, people: readonly Wishing[]): Promise<WishOf> => {
  const rows = await preferences(
    whole,
    people.flatMap(({ accountId }) => accountId ?? []),
  )
  const said = new Map(rows.map((row) => [`${row.user_id} ${row.channel}`, row]))
  const out = await optedOut(whole, people)
  return ({ userId, accountId, email }, channel) => {
    const row = said.get(`${accountId} ${channel}`)
    const wish = row ? { enabled: row.enabled, digestMode: row.digest_mode } : DEFAULT_WISH
    const isOut = channel === 'email' && email !== null && out.has(emailKey(email))
    return isOut && (!row || userId === null) ? { ...wish, enabled: false } : wish
  }
}
