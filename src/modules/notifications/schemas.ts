import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, date, id, line, list, locale, orNull, pageQuery, prose, text, ts, uuid } from '#kernel/values/schema.ts'
import { BECAUSE } from './outbox/reasons.ts'
import { CHANNELS, OUTSIDE_CHANNELS } from './tables.ts'
import { DIGEST_MODES, NOTIFICATION_STATUSES, RECIPIENT_KINDS, TRY_OUTCOMES } from './tables.ts'

const words = {
  key: 'What the text is for: an event such as student.absent, or a name of the institute’s own.',
  channel: 'Over which channel.',
  subject: 'The subject of a mail, the title elsewhere; null: none, or the platform’s.',
  body: 'Plain text, in which {{name}} stands for a value.',
  providerTemplateName: 'The name of a template that the provider has, for example for WhatsApp; null: none.',
  isActive: 'Whether it is sent. Switched off, people whose text it is are not told.',
  isPlatformDefault: 'Whether it is the platform’s, and not the institute’s own.',
  variables:
    'What may stand in it between {{ and }}. A text under a key of the institute’s own, and `message`, take any data.name beside these.',
  templateKey: 'The key of the text.',
  title: 'One line.',
  payload: 'The ids of the records that it is about, by name.',
  readAt: 'When it was read; null: not yet.',
  enabled: 'Whether the person wants it.',
  digestMode: 'At once, or gathered in one message every day, or every Sunday, at 07:00 of the institute.',
  preferences: 'One for each channel.',
  unreadOnly: 'Whether to leave out what was read.',
  updated: 'How many became read by this.',
  unread: 'How many are unread.',
  recipient: 'Who it is for.',
  kind: 'In which record they were found: the account, if they have an active one here.',
  address: 'The email address or phone number that it goes to; null: none is needed, or there is none.',
  reason: 'Why it failed, was skipped, or is tried again; null: nothing is wrong.',
  attempts: 'How often it was tried.',
  nextAttemptAt: 'When it is tried, or the digest is due that takes it; null: it is not.',
  sentAt: 'When it was handed over; null: it was not.',
  sourceId: 'The event that it tells of, or the batch in which it was sent by hand.',
  status: 'How the message stands.',
  month: 'A month of the institute’s calendar, as YYYY-MM.',
  channels: 'The channels.',
  messages: 'How many messages were sent or are queued.',
  total: 'Over all channels.',
  limit: 'How many messages the plan allows in a month; null: no limit.',
}

export const channel = named('NotificationChannel', v.picklist(CHANNELS))
const outsideChannel = v.picklist(OUTSIDE_CHANNELS)
const status = named('NotificationStatus', v.picklist(NOTIFICATION_STATUSES))
const digestMode = named('DigestMode', v.picklist(DIGEST_MODES))
const payload = v.record(v.string(), v.string())

export const InboxEntry = named(
  'Notification',
  v.object({
    id,
    templateKey: v.string(),
    locale,
    title: v.string(),
    body: v.string(),
    payload,
    readAt: orNull(ts),
    createdAt: ts,
  }),
  { ...words, body: 'Plain text.' },
)
export type InboxEntry = v.InferOutput<typeof InboxEntry>

const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.transform((value) => value === 'true'),
)

export const InboxQuery = explained(pageQuery({ unreadOnly: v.optional(flag, 'false') }), words)

export const Read = named('NotificationsRead', v.object({ ok: v.literal(true), updated: count }), {
  ...words,
  ok: 'It is done.',
})
export const Unread = named('UnreadNotifications', v.object({ unread: count }), words)

const ChannelPreference = named(
  'NotificationPreference',
  v.object({ channel, enabled: v.boolean(), digestMode }),
  words,
)
export type ChannelPreference = v.InferOutput<typeof ChannelPreference>

export const Preferences = named('NotificationPreferences', v.object({ preferences: list(ChannelPreference) }), words)
export type Preferences = v.InferOutput<typeof Preferences>

export const NewPreferences = named(
  'NewNotificationPreferences',
  v.object({
    preferences: v.pipe(
      v.array(ChannelPreference),
      v.maxLength(CHANNELS.length, `Must have at most ${CHANNELS.length} entries.`),
      v.check((all) => new Set(all.map((one) => one.channel)).size === all.length, 'Must not name a channel twice.'),
    ),
  }),
  words,
)

export const Template = named(
  'NotificationTemplate',
  v.object({
    id,
    key: v.string(),
    channel,
    locale,
    subject: orNull(v.string()),
    body: v.string(),
    providerTemplateName: orNull(v.string()),
    isActive: v.boolean(),
    isPlatformDefault: v.boolean(),
    variables: list(v.string()),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Template = v.InferOutput<typeof Template>

const writable = {
  subject: v.nullable(text(300)),
  body: prose(5000),
  providerTemplateName: v.nullable(text(150)),
  isActive: v.boolean(),
}

export const NewTemplate = named(
  'NewNotificationTemplate',
  v.object({
    key: text(150),
    channel,
    locale,
    subject: v.optional(text(300)),
    body: writable.body,
    providerTemplateName: v.optional(text(150)),
    isActive: v.optional(v.boolean(), true),
  }),
  words,
)
export type NewTemplate = v.InferOutput<typeof NewTemplate>

export const TemplateChanges = named('NotificationTemplateChanges', v.partial(v.object(writable)), words)
export type TemplateChanges = v.InferOutput<typeof TemplateChanges>

export const TemplateQuery = pageQuery({})

const stuckWords = {
  ...words,
  waiting: 'How many wait for their next attempt.',
  failed: 'How many were given up after the last one.',
  kept: 'How many were never tried, because there was no mailbox: they wait until somebody has them sent or dropped.',
  since: 'When the oldest of them was written.',
  reason: 'What the other side said at the last attempt, in its own words.',
}

export const StuckMessages = named(
  'StuckMessages',
  v.object({ channel: outsideChannel, waiting: count, failed: count, kept: count, since: ts, reason: v.string() }),
  stuckWords,
)
export type StuckMessages = v.InferOutput<typeof StuckMessages>

export const Stuck = named('StuckChannels', v.object({ channels: list(StuckMessages) }), {
  channels: 'The channels that have any.',
})
export const RetryStuck = named('RetryStuckMessages', v.object({ channel: outsideChannel }), words)
export const RetriedStuck = named(
  'RetriedStuckMessages',
  v.object({ waiting: count, failed: count, kept: count }),
  stuckWords,
)

const logWords = {
  ...words,
  body: 'Plain text; empty where nothing was to be sent.',
  title: 'One line; empty where nothing was to be sent.',
  readAt: 'When it was read in the app; null: it was not, or went elsewhere.',
  because:
    'The reason by name, where it is one of the institute’s own: `quiet_hours`: it waits for the end of the quiet hours, until `nextAttemptAt`; null: `reason` is what the other side said, or nothing is wrong.',
}

export const LogEntry = named(
  'NotificationLogEntry',
  v.object({
    id,
    sourceId: id,
    templateKey: v.string(),
    channel,
    locale,
    recipient: named(
      'NotificationRecipient',
      v.object({ kind: v.picklist(RECIPIENT_KINDS), id, name: v.string(), address: orNull(v.string()) }),
      { ...words, id: 'The id of that record.', name: 'What they are called.' },
    ),
    title: v.string(),
    body: v.string(),
    payload,
    status,
    reason: orNull(v.string()),
    attempts: count,
    nextAttemptAt: orNull(ts),
    sentAt: orNull(ts),
    because: orNull(v.picklist(BECAUSE)),
    readAt: orNull(ts),
    createdAt: ts,
  }),
  logWords,
)
export type LogEntry = v.InferOutput<typeof LogEntry>

export const LoggedMessage = named(
  'NotificationLogMessage',
  v.object({
    ...LogEntry.entries,
    tries: list(
      named('NotificationTry', v.object({ at: ts, outcome: v.picklist(TRY_OUTCOMES), reason: orNull(v.string()) }), {
        at: 'When it was tried.',
        outcome:
          '`sent`: it was handed over; `later`: it is tried again; `failed`, `skipped`: it is not; `kept`: it waits for a mailbox.',
        reason: 'What the other side said; null: nothing was wrong.',
      }),
    ),
  }),
  { ...logWords, tries: 'What became of each attempt, the oldest first; of many the last twenty.' },
)
export type LoggedMessage = v.InferOutput<typeof LoggedMessage>

export const LogQuery = explained(
  pageQuery({
    status: v.optional(status),
    channel: v.optional(channel),
    templateKey: v.optional(line(150)),
    recipientId: v.optional(uuid),
    sourceId: v.optional(uuid),
    sentByUserId: v.optional(uuid),
  }),
  {
    ...words,
    sourceId: 'Only what was sent together by this request (`batchId`), or tells of this event.',
    sentByUserId: 'Only what this member sent by hand.',
    recipientId: 'Only those to this recipient: an account, or a student, guardian or staff member without one.',
  },
)

const month = v.pipe(
  v.string(),
  v.check((value) => v.is(date, `${value}-01`), 'Must be a month as YYYY-MM.'),
)

export const UsageQuery = explained(v.object({ month: v.optional(month) }), words)

export const MonthlyUsage = named(
  'NotificationUsage',
  v.object({
    month: v.string(),
    channels: list(named('ChannelUsage', v.object({ channel, messages: count }), words)),
    total: count,
    limit: orNull(count),
  }),
  words,
)
export type MonthlyUsage = v.InferOutput<typeof MonthlyUsage>
