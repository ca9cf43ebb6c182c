import { inboxOf } from '#modules/mail/index.ts'
import type { ChannelName } from '../tables.ts'

/** What counts as one place that messages go to: an inbox, whatever stands behind a plus in its address; a telephone; an account. */
export const paceKey = (channel: ChannelName, address: string): string =>
  `to:${channel}:${channel === 'email' ? inboxOf(address) : address}`
