import type { Channels } from './channel.ts'
import { emailOver, type EmailDeps } from './email.ts'
import { pushOver, type PushDeps } from '../push/push.ts'
import { textOver, type TextDeps } from './text.ts'

export type ChannelDeps = EmailDeps & PushDeps & TextDeps

/** Every channel that leaves this server. */
export const channelsOver = (deps: ChannelDeps): Channels => ({
  email: emailOver(deps),
  sms: textOver('sms', deps),
  whatsapp: textOver('whatsapp', deps),
  push: pushOver(deps),
})
