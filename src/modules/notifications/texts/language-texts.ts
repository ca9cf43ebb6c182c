import type { AttendanceStatus } from '#modules/attendance/index.ts'
import type { Field } from '#modules/proposed-changes/index.ts'
import type { Problem } from '#modules/online-payments/index.ts'

/**
 * The texts of one event in one language, with {{variables}}: an institute is shown them as templates, and writes its own in
 * their place. Email has subject and mail; the app and push have subject and brief.
 */
export interface EventText {
  subject: string
  mail: string
  brief: string
}

/** What people are notified of: events of the contract, and occasions that are no events. */
export const EVENT_KEYS = [
  'student.absent',
  'invoice.issued',
  'invoice.overdue',
  'invoice.reminder_requested',
  'payment.recorded',
  'receipt.sent',
  'cheque.bounced',
  'session.cancelled',
  'session.added',
  'session.moved',
  'session.given',
  'group.lessons_changed',
  'group.continues',
  'place.offered',
  'closure.announced',
  'closures.announced',
  'closure.lifted',
  'cover.given',
  'cover.lifted',
  'cover.announced',
  'attendance.corrected',
  'exam.published',
  'progress_report.sent',
  'progress_reports.submitted',
  'progress_report.returned',
  'details.proposed',
  'details.accepted',
  'details.declined',
  'lead.created',
  'leads.summary',
  'subscription.expiring',
  'tenant.locked',
  'webhook_endpoint.disabled',
  'account.unlinked',
  'mails.stuck',
  'update.available',
  'update.installed',
  'update.failed',
  'https.failed',
  'online_payment.attention',
] as const
export type EventKey = (typeof EVENT_KEYS)[number]

/** A message that staff write themselves. */
export const MESSAGE_KEY = 'message'

/** The key of a digest. It has no template: it is made of other messages. */
export const DIGEST_KEY = 'digest'

export const DEFAULT_KEYS = [...EVENT_KEYS, MESSAGE_KEY] as const
export type DefaultKey = (typeof DEFAULT_KEYS)[number]

/** A page with one button. */
interface PageText {
  title: string
  text: string
  button: string
}

/** How mails are stopped: what stands at their end, and the pages that it leads to. */
export interface OptOutTexts {
  /** Before the link. */
  line: string
  /** The link's own words. */
  action: string
  ask: (institute: string) => PageText
  stopped: (institute: string) => PageText
  resumed: (institute: string) => PageText
}

/** Everything that messages say in one language. */
export interface LanguageTexts {
  greeting: string
  signature: string
  events: Readonly<Record<EventKey, EventText>>
  absence: Readonly<Record<Exclude<AttendanceStatus, 'present'>, string>>
  methods: Readonly<Record<'cash' | 'card' | 'bank_transfer' | 'cheque' | 'online' | 'other', string>>
  /** What became of lessons of a group: one of them, or several from a day to another. */
  lessons: Readonly<Record<'gone' | 'back', Readonly<Record<'one' | 'many', string>>>>
  /** How many lessons are left out at the end of a list of them. */
  moreLessons: string
  /** A place of a student in a group of the new year, with its first lesson or without. */
  place: Readonly<Record<'plain' | 'withLesson', string>>
  /** What holds in place of an absence that a family was told of: the student was there, or nothing is entered. */
  corrected: Readonly<Record<'present' | 'cleared', string>>
  /** What is kept of somebody, by its field. */
  fields: Readonly<Record<Field, string>>
  /** Before what was not taken over of a proposal, and before what the institute says to it. */
  proposal: Readonly<Record<'left' | 'remark', string>>
  /** What somebody at the desk has to look at of a payment by card. */
  paymentProblems: Readonly<Record<Problem, string>>
  /** Before the link by which an invoice is paid by card. */
  payByCard: string
  /** Before the link to what a message is about. */
  seeIt: string
  /** Joins the names of several children. */
  and: string
  digest: { subject: (institute: string) => string; lead: string }
  optOut: OptOutTexts
  /** By which an institute tries a provider of its own. */
  trial: { title: string; body: string }
}
