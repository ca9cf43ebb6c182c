import type { Locale } from '#shared/locale.ts'
import { systemClock } from '#kernel/time/clock.ts'
import type { SystemRoleKey } from '#kernel/rights/permissions.ts'
import type { ChannelName } from '#modules/notifications/tables.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'
import { startApp, type TestApp } from './app.ts'
import type { Client } from './client.ts'
import { makeInstitute, type TestInstitute } from './institute.ts'
import { startPushService } from './push-service.ts'
import { startSmtpSink, type ParsedMail } from './smtp-sink.ts'
import { META, startTextProviders, TWILIO } from './text-providers.ts'

const TOKEN_SECONDS = 100 * 24 * 3600
const FEATURES = { basic_reports: true, sms_notifications: true, whatsapp_notifications: true }

/** Somebody whom messages may reach, by what they have. */
export interface Recipient {
  /** Who they are to the institute, in words. */
  label: string
  /** As messages name them; no two have the same. */
  name: string
  locale: Locale
  email?: string
  phone?: string
  /** Their account; absent: they have none, and so neither an inbox nor a browser. */
  account?: Client & { userId: string }
}

/** A message as it reached somebody. */
export interface Arrived {
  recipient: Recipient
  channel: ChannelName
  /** As the channel says it; undefined: a text message says none. */
  locale: string | undefined
  title: string | null
  body: string
  /** A mail's other form. */
  html?: string
}

/** The channels over which somebody can be reached. */
export const reachOf = ({ email, phone, account }: Recipient): ChannelName[] => [
  ...(email === undefined ? [] : (['email'] as const)),
  ...(phone === undefined ? [] : (['sms', 'whatsapp'] as const)),
  ...(account ? (['push', 'in_app'] as const) : []),
]

/** Reads what a stand-in received since it was asked last. */
const unread = <T>(read: () => readonly T[] | Promise<readonly T[]>) => {
  let seen = 0
  return async (): Promise<T[]> => {
    const all = await read()
    const fresh = all.slice(seen)
    seen = all.length
    return fresh
  }
}

/**
 * An app whose messages leave it: over a mail server, over Twilio’s and Meta’s stand-ins, and over a push service whose
 * browsers decrypt them. The institute sends over all channels.
 */
export const startAudience = async () => {
  const sink = await startSmtpSink()
  const texting = await startTextProviders()
  const app: TestApp = await startApp({
    outbound: texting.outbound,
    openMailer: () => createSmtpMailer({ url: sink.url, from: 'office@example.org', clock: systemClock }),
    config: {
      accessTokenSeconds: TOKEN_SECONDS,
      refreshTokenSeconds: TOKEN_SECONDS,
      baseUrl: 'https://institute.example.org',
      // One failed attempt is a failed delivery.
      webhookBackoffSeconds: [],
    },
  })
  const pushing = await startPushService(() => app.clock.millis())
  const institute: TestInstitute = await makeInstitute(app, { features: FEATURES })
  await institute.owner.patch('/settings', { name: 'Al-Noor' })
  const { accountSid, token, from } = TWILIO
  await institute.owner.put('/notification-providers/sms', { provider: 'twilio', accountSid, token, from })
  const { phoneNumberId, token: metaToken } = META
  await institute.owner.put('/notification-providers/whatsapp', { provider: 'meta', phoneNumberId, token: metaToken })
  const providers = (await institute.owner.get('/notification-providers')).body
  const { publicKey } = providers.data.find(({ channel }: { channel: string }) => channel === 'push')

  const recipients: Recipient[] = []
  const endpoints = new Map<string, Recipient>()
  let phones = 0
  const add = (recipient: Recipient): Recipient => {
    recipients.push(recipient)
    return recipient
  }
  const nextPhone = (): string => `+97250100${String((phones += 1)).padStart(4, '0')}`

  /** Gives an account a name, a language, a phone number and a browser. */
  const equip = async (label: string, name: string, locale: Locale, account: Client & { userId: string }) => {
    const phone = nextPhone()
    await account.patch('/me', { fullName: name, locale, phone })
    const subscription = pushing.subscribe(publicKey)
    await account.post('/me/devices', subscription)
    const recipient = add({ label, name, locale, phone, account, email: `user-${account.userId}@example.org` })
    endpoints.set(subscription.endpoint, recipient)
    return recipient
  }

  const mails = unread<ParsedMail>(() => sink.messages())
  const texts = unread(() => texting.texted)
  const pushes = unread(() => pushing.received)

  /** @throws Error for a message to somebody who is not known */
  const known = (found: Recipient | undefined, address: string): Recipient => {
    if (!found) throw new Error(`a message went to ${address}`)
    return found
  }

  const inboxOf = async (recipient: Recipient, account: Client): Promise<Arrived[]> => {
    const { data } = (await account.get('/me/notifications?unreadOnly=true')).body
    if (data.length > 0) await account.post('/me/notifications/read-all')
    return data.map(({ locale, title, body }: Record<string, string>) => ({
      recipient,
      channel: 'in_app',
      locale,
      title,
      body,
    }))
  }

  return {
    app,
    institute,
    recipients,
    /** Why the push service refused a message that it should have taken. */
    refused: pushing.refused,
    equip,
    /** Adds a member of the institute, who has everything. */
    member: async (label: string, name: string, locale: Locale, role: SystemRoleKey, branchId?: string) =>
      equip(label, name, locale, await institute.member({ role, ...(branchId !== undefined && { branchId }) })),
    /** Adds somebody without an account, who has the named addresses. */
    stranger: (label: string, name: string, locale: Locale, has: { email?: string; phone?: true } = {}): Recipient =>
      add({
        label,
        name,
        locale,
        ...(has.email !== undefined && { email: has.email }),
        ...(has.phone && { phone: nextPhone() }),
      }),
    /** What reached anybody since it was asked last. */
    arrived: async (): Promise<Arrived[]> => {
      const found: Arrived[] = []
      for (const { envelope, headers, subject = '', text = '', html = '' } of await mails()) {
        const [address = ''] = envelope.to
        const recipient = known(
          recipients.find(({ email }) => email === address),
          address,
        )
        const locale = headers.find(({ key }) => key === 'content-language')?.value
        found.push({ recipient, channel: 'email', locale, title: subject, body: text.replaceAll('\r\n', '\n'), html })
      }
      for (const { host, to, text } of await texts()) {
        const recipient = known(
          recipients.find(({ phone }) => phone === to),
          to,
        )
        const channel = host === 'api.twilio.com' ? 'sms' : 'whatsapp'
        found.push({ recipient, channel, locale: undefined, title: null, body: text ?? '' })
      }
      for (const { endpoint, payload } of await pushes()) {
        const { locale, title, body } = payload as Record<string, string>
        found.push({
          recipient: known(endpoints.get(endpoint), endpoint),
          channel: 'push',
          locale,
          title: title as string,
          body: body as string,
        })
      }
      for (const recipient of recipients)
        if (recipient.account) found.push(...(await inboxOf(recipient, recipient.account)))
      return found
    },
    close: async (): Promise<void> => {
      await app.close()
      await sink.stop()
      texting.close()
      pushing.close()
    },
  }
}

export type Audience = Awaited<ReturnType<typeof startAudience>>
