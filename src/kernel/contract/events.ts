import * as v from 'valibot'
import { explained, type Words } from '#kernel/values/named.ts'
import { count, currency, day, id, list, locale, orNull, ts } from '#kernel/values/schema.ts'

const word = v.string()

const event = <Fields extends v.ObjectEntries>(description: string, fields: Fields, meanings: Words = {}) => ({
  description,
  data: explained(v.strictObject(fields), { status: 'How it stands since.', ...meanings }),
})

/** The fields of events about an unpaid invoice. */
const openInvoice = {
  invoiceId: id,
  studentId: id,
  number: word,
  totalMinor: count,
  paidMinor: count,
  currency,
  dueDate: day,
}
const studentStatus = v.picklist(['lead', 'active', 'paused', 'graduated', 'withdrawn'])

/**
 * The contract's table of events: the description and the fields of `data` for each type. The compiler and the tests
 * check event data against it; at run time nothing does.
 */
export const EVENTS = {
  'student.created': event('A student was added', {
    studentId: id,
    branchId: id,
    studentNumber: word,
    firstName: word,
    lastName: word,
    status: studentStatus,
  }),
  'student.updated': event(
    'Fields of a student changed',
    {
      studentId: id,
      changes: v.record(word, v.tuple([v.unknown(), v.unknown()])),
    },
    { changes: 'By the name of each field that changed: its value before, and its value since.' },
  ),
  'student.status_changed': event('A student moved to another status', {
    studentId: id,
    previousStatus: studentStatus,
    status: studentStatus,
  }),
  'enrollment.created': event('A student was enrolled in a group', {
    enrollmentId: id,
    studentId: id,
    groupId: id,
    priceMinor: count,
    currency,
    status: v.literal('active'),
  }),
  'enrollment.dropped': event('A student left a group', {
    enrollmentId: id,
    studentId: id,
    groupId: id,
    reason: orNull(word),
  }),
  'session.cancelled': event('A session was cancelled', {
    sessionId: id,
    groupId: id,
    scheduledStart: ts,
    reason: word,
  }),
  'attendance.marked': event(
    'The whole roster of a session has an entry',
    {
      sessionId: id,
      groupId: id,
      markedByUserId: orNull(id),
      absentStudentIds: list(id),
      counts: v.record(word, count),
    },
    { absentStudentIds: 'The students who were marked absent.', counts: 'How many students have each status.' },
  ),
  'student.absent': event('A student was marked absent, late or excused', {
    studentId: id,
    sessionId: id,
    groupId: id,
    status: v.picklist(['absent', 'late', 'excused']),
    occurredOn: day,
  }),
  'exam.published': event('The results of an exam were published', {
    examId: id,
    groupId: id,
    title: word,
    publishedAt: ts,
  }),
  'progress_report.sent': event('A progress report was sent', {
    progressReportId: id,
    studentId: id,
    sentAt: ts,
  }),
  'invoice.issued': event('An invoice was issued', {
    invoiceId: id,
    studentId: id,
    number: word,
    totalMinor: count,
    currency,
    dueDate: day,
    status: v.picklist(['issued', 'paid']),
  }),
  'invoice.overdue': event('An invoice was not paid by its due date', openInvoice),
  'invoice.reminder_requested': event('Staff asked for a reminder of an invoice', openInvoice),
  'payment.recorded': event('A payment was recorded', {
    paymentId: id,
    invoiceId: id,
    amountMinor: count,
    currency,
    method: v.picklist(['cash', 'card', 'bank_transfer', 'cheque', 'online', 'other']),
  }),
  'cheque.bounced': event(
    'The bank did not pay a cheque',
    { chequeId: id, receiptId: id, number: word, amountMinor: count, currency, dueOn: day, reason: word },
    {
      chequeId: 'The cheque.',
      receiptId: 'The receipt on which it stands.',
      number: 'The number of the cheque.',
      dueOn: 'The day that stands on it.',
    },
  ),
  'member.invited': event('Somebody was invited to sign in', {
    invitationId: id,
    email: word,
    roleId: id,
    invitedByUserId: id,
  }),
  'lesson.published': event('A lesson was published', {
    lessonId: id,
    courseId: id,
    sectionId: id,
    title: word,
  }),
  'lesson.completed': event('A student completed a lesson', {
    lessonId: id,
    courseId: id,
    studentId: id,
  }),
  'course.completed': event(
    'A student completed a video course',
    {
      courseId: id,
      studentId: id,
      lessonCount: count,
    },
    { lessonCount: 'How many lessons the course has.' },
  ),
  'course_enrollment.created': event('A student was given a video course', {
    courseEnrollmentId: id,
    courseId: id,
    studentId: id,
    status: v.picklist(['pending', 'active']),
    priceMinor: orNull(count),
    currency: orNull(currency),
  }),
  'course_enrollment.dropped': event('A student’s video course was taken back', {
    courseEnrollmentId: id,
    courseId: id,
    studentId: id,
    reason: orNull(word),
  }),
  'subscription.expiring': event(
    'The subscription ends in 14, 7 or 1 days',
    {
      subscriptionId: id,
      planCode: word,
      currentPeriodEnd: ts,
      daysUntilExpiry: count,
    },
    { planCode: 'The plan.' },
  ),
  'subscription.expired': event(
    'The subscription has ended',
    {
      subscriptionId: id,
      planCode: word,
      currentPeriodEnd: ts,
    },
    { planCode: 'The plan.' },
  ),
  'tenant.locked': event(
    'The institute was locked',
    {
      subscriptionId: orNull(id),
      reason: orNull(word),
      source: word,
    },
    { source: 'Who locked it: `manual`, or the automatic lock.' },
  ),
  'tenant.unlocked': event('The institute was unlocked', {
    subscriptionId: orNull(id),
    status: word,
  }),
  'license.signal': event(
    'An install showed something unusual',
    {
      licenseId: id,
      installId: id,
      kinds: list(word),
      severity: word,
    },
    { kinds: 'What is unusual.', severity: 'How serious it is.' },
  ),
  'install.update_failed': event(
    'An install could not update itself',
    {
      licenseId: id,
      installId: id,
      channel: orNull(word),
      appVersion: word,
      targetVersion: orNull(word),
      reason: orNull(word),
      result: word,
    },
    {
      channel: 'Where its updates come from; null: it does not say.',
      appVersion: 'The version that it runs.',
      targetVersion: 'The version that it tried; null: it does not say.',
      reason: 'Why it failed; null: it does not say.',
      result: 'What became of it.',
    },
  ),
  'lead.created': event('Somebody left their details', {
    leadId: id,
    source: word,
    courseId: orNull(id),
    groupId: orNull(id),
    locale,
    status: word,
  }),
  'webhook_endpoint.secret_rotated': event('The secret of a webhook was rotated', {
    endpointId: id,
    previousSecretExpiresAt: orNull(ts),
  }),
} as const

export type EventType = keyof typeof EVENTS

/** The type of `data` for each event type. */
export type EventData = { [T in EventType]: v.InferOutput<(typeof EVENTS)[T]['data']> }

export interface EventInfo {
  type: EventType
  description: string
  fields: string[]
}

/** Only messages to people follow from these: no webhook is sent, because the contract's catalogue does not have them. */
const INTERNAL: readonly EventType[] = ['cheque.bounced']

/** The events that webhooks may be sent for. */
export const PUBLIC_EVENTS = (Object.keys(EVENTS) as EventType[]).filter((type) => !INTERNAL.includes(type))

export const EVENT_CATALOGUE: readonly EventInfo[] = PUBLIC_EVENTS.map((type) => ({
  type,
  description: EVENTS[type].description,
  fields: Object.keys(EVENTS[type].data.entries),
}))
