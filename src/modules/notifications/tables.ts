import type { Locale } from '#shared/locale.ts'
import type { Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const CHANNELS = ['in_app', 'email', 'sms', 'whatsapp', 'push'] as const
export type ChannelName = (typeof CHANNELS)[number]

/** The channels that hand messages to somebody else's server. Messages in the app are rows of the database. */
export const OUTSIDE_CHANNELS = CHANNELS.filter((channel) => channel !== 'in_app')
export type OutsideChannel = (typeof OUTSIDE_CHANNELS)[number]

export const NOTIFICATION_STATUSES = ['queued', 'sent', 'failed', 'skipped'] as const
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]

export const DIGEST_MODES = ['immediate', 'daily', 'weekly'] as const
export type DigestMode = (typeof DIGEST_MODES)[number]

/** The record in which a recipient was found: their account, if they have an active one here. */
export const RECIPIENT_KINDS = ['user', 'student', 'guardian', 'staff'] as const
export type RecipientKind = (typeof RECIPIENT_KINDS)[number]

/** Whom the office tells: members have an inbox. */
export const CALLED_KINDS = ['student', 'guardian'] as const satisfies readonly RecipientKind[]
export type CalledKind = (typeof CALLED_KINDS)[number]

export const CALL_STATUSES = ['open', 'told', 'not_needed'] as const
export const CALL_WAYS = ['call', 'whatsapp', 'sms', 'other'] as const

export const TRY_OUTCOMES = ['sent', 'later', 'failed', 'skipped', 'kept'] as const

/** What became of one attempt at a message. */
export interface Try {
  at: string
  outcome: (typeof TRY_OUTCOMES)[number]
  reason: string | null
}

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** What teachers wrote to the families of a group on the day that was written on last. */
    group_messages: {
      tenant_id: TenantId
      group_id: Fixed<string>
      /** A date of the institute's calendar. */
      day: string
      sent: number
    }
    /** One message to one person over one channel. */
    notification: {
      id: Fixed<string>
      tenant_id: TenantId
      /** The event, the batch of a message that was sent by hand, or the digest itself. */
      source_id: Fixed<string>
      template_key: Fixed<string>
      channel: Fixed<ChannelName>
      locale: Fixed<Locale>
      /** The branch that it concerns; null: the whole institute. */
      branch_id: Fixed<string | null>
      recipient_kind: Fixed<RecipientKind>
      recipient_id: Fixed<string>
      recipient_name: Fixed<string>
      /** The email address or phone number it goes to; null: the channel needs none, or there is none. */
      address: string | null
      title: Fixed<string>
      body: Fixed<string>
      /** The ids of the records that it is about. */
      payload: Json<Record<string, string>>
      provider_template_name: Fixed<string | null>
      /** The values of the variables, kept only for a provider that fills in its own template. */
      provider_values: Json<Record<string, string> | null>
      status: NotificationStatus
      /** Why it failed or was skipped, in words. */
      reason: string | null
      attempts: number
      /** Rises with every retry by hand; results of attempts from an earlier generation do not count. */
      generation: number
      next_attempt_at: string | null
      sent_at: string | null
      /** When the last attempt failed for a reason of the mail server or the provider; null: it did not. */
      server_failed_at: string | null
      /** Whose inbox shows it; null: none. */
      inbox_user_id: string | null
      read_at: string | null
      /** When the digest is due that takes it; null: it is sent by itself. */
      digest_at: string | null
      /** The digest that took it. */
      digest_id: string | null
      /** What became of each attempt, the oldest first; null: of one from before that was kept, or none. */
      tries: Json<readonly Try[] | null>
      /** The account of whoever sent it by hand; null: nobody did, or by a version that did not keep that. */
      sent_by_user_id: Fixed<string | null>
      /** When that happens of which it tells; null: it can be told at any time. */
      happens_at: Fixed<string | null>
      created_at: Fixed<string>
    }
    /** What the office tells somebody itself, whom no message reaches and who has a phone. */
    notification_call: {
      id: Fixed<string>
      tenant_id: TenantId
      /** As of a notification. */
      source_id: Fixed<string>
      template_key: Fixed<string>
      branch_id: Fixed<string | null>
      recipient_kind: Fixed<CalledKind>
      recipient_id: string
      recipient_name: Fixed<string>
      locale: Fixed<Locale>
      title: Fixed<string>
      body: Fixed<string>
      payload: Json<Record<string, string>>
      /** When that happens of which it tells; null: it can be told at any time. */
      happens_at: Fixed<string | null>
      status: (typeof CALL_STATUSES)[number]
      /** How they were told; null: they were not. */
      how: (typeof CALL_WAYS)[number] | null
      told_at: string | null
      told_by_user_id: string | null
      /** As they were called then. */
      told_by_name: string | null
      created_at: Fixed<string>
    }
    /** Texts of the institute's own, in place of the platform's or beside them. */
    notification_template: {
      id: Fixed<string>
      tenant_id: TenantId
      key: Fixed<string>
      channel: Fixed<ChannelName>
      locale: Fixed<Locale>
      subject: string | null
      body: string
      provider_template_name: string | null
      is_active: boolean
      /** Where it stands in the list; see `placeInList`. */
      place: string
      created_at: Fixed<string>
      updated_at: string
    }
    notification_preference: {
      tenant_id: TenantId
      user_id: Fixed<string>
      channel: Fixed<ChannelName>
      enabled: boolean
      digest_mode: DigestMode
      updated_at: string
    }
    /** Email addresses that want no more mails from the institute. An account's own preference counts for more. */
    email_opt_out: {
      tenant_id: TenantId
      /** The address in lower case. */
      email_key: Fixed<string>
      created_at: Fixed<string>
    }
    notification_usage: {
      tenant_id: TenantId
      /** YYYY-MM in the institute's time zone. */
      month: Fixed<string>
      channel: Fixed<ChannelName>
      messages: number
    }
    /** The institute's own providers, one for each channel. */
    notification_provider: {
      id: Fixed<string>
      tenant_id: TenantId
      channel: Fixed<OutsideChannel>
      /** Its name in providers/index.ts. */
      provider: string
      /** The fields of its declaration, without the secret. */
      settings: Json<Readonly<Record<string, unknown>>>
      /** The sealed credential. */
      secret: string
      secret_set_at: string
      created_at: Fixed<string>
      updated_at: string
    }
    /** Browsers that get push messages. */
    push_device: {
      id: Fixed<string>
      tenant_id: TenantId
      user_id: Fixed<string>
      /** The session in which it was registered; it gets messages as long as that lives. */
      auth_session_id: string
      /** Tells whether a subscription is known: an HMAC of its endpoint. */
      endpoint_tag: Fixed<string>
      /** The sealed subscription: endpoint and keys. */
      subscription: string
      application_server_key: string
      created_at: Fixed<string>
    }
  }
}

export const notificationTables: TableRules = {
  // Counted for groups that the caller was found to teach.
  group_messages: { kind: 'tenant' },
  notification: { kind: 'tenant', branch: { column: 'branch_id' } },
  notification_call: { kind: 'tenant', branch: { column: 'branch_id' } },
  notification_template: { kind: 'tenant' },
  notification_preference: { kind: 'tenant' },
  email_opt_out: { kind: 'tenant' },
  notification_usage: { kind: 'tenant' },
  notification_provider: { kind: 'tenant' },
  push_device: { kind: 'tenant', secrets: ['subscription', 'endpoint_tag'] },
}
