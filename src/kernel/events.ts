/** The contract's table of events: type → payload fields and what it tells (institute-api, Events). */
const EVENTS = {
  'student.created': ['A student was added', 'studentId branchId studentNumber firstName lastName status'],
  'student.updated': ['Fields of a student changed', 'studentId changes'],
  'student.status_changed': ['A student moved to another status', 'studentId previousStatus status'],
  'enrollment.created': [
    'A student was enrolled in a group',
    'enrollmentId studentId groupId priceMinor currency status',
  ],
  'enrollment.dropped': ['A student left a group', 'enrollmentId studentId groupId reason'],
  'session.cancelled': ['A session was cancelled', 'sessionId groupId scheduledStart reason'],
  'attendance.marked': [
    'The whole roster of a session has an entry',
    'sessionId groupId markedByUserId absentStudentIds counts',
  ],
  'student.absent': ['A student was marked absent, late or excused', 'studentId sessionId groupId status occurredOn'],
  'exam.published': ['The results of an exam were published', 'examId groupId title publishedAt'],
  'progress_report.sent': ['A progress report was sent', 'progressReportId studentId sentAt'],
  'invoice.issued': ['An invoice was issued', 'invoiceId studentId number totalMinor currency dueDate status'],
  'invoice.overdue': [
    'An invoice was not paid by its due date',
    'invoiceId studentId number totalMinor paidMinor currency dueDate',
  ],
  'invoice.reminder_requested': [
    'Staff asked for a reminder of an invoice',
    'invoiceId studentId number totalMinor paidMinor currency dueDate',
  ],
  'payment.recorded': ['A payment was recorded', 'paymentId invoiceId amountMinor currency method'],
  'member.invited': ['Somebody was invited to sign in', 'invitationId email roleId invitedByUserId'],
  'lesson.published': ['A lesson was published', 'lessonId courseId sectionId title'],
  'lesson.completed': ['A student completed a lesson', 'lessonId courseId studentId'],
  'course.completed': ['A student completed a video course', 'courseId studentId lessonCount'],
  'course_enrollment.created': [
    'A student was given a video course',
    'courseEnrollmentId courseId studentId status priceMinor currency',
  ],
  'course_enrollment.dropped': [
    'A student’s video course was taken back',
    'courseEnrollmentId courseId studentId reason',
  ],
  'subscription.expiring': [
    'The subscription ends in 14, 7 or 1 days',
    'subscriptionId planCode currentPeriodEnd daysUntilExpiry',
  ],
  'subscription.expired': ['The subscription has ended', 'subscriptionId planCode currentPeriodEnd'],
  'tenant.locked': ['The institute was locked', 'subscriptionId reason source'],
  'tenant.unlocked': ['The institute was unlocked', 'subscriptionId status'],
  'license.signal': ['An install showed something unusual', 'licenseId installId kinds severity'],
  'install.update_failed': [
    'An install could not update itself',
    'licenseId installId channel appVersion targetVersion reason result',
  ],
  'lead.created': ['Somebody left their details', 'leadId source courseId groupId locale status'],
  'webhook_endpoint.secret_rotated': ['The secret of a webhook was rotated', 'endpointId previousSecretExpiresAt'],
} as const

export type EventType = keyof typeof EVENTS

export interface EventInfo {
  type: EventType
  description: string
  fields: string[]
}

export const EVENT_CATALOGUE: readonly EventInfo[] = Object.entries(EVENTS).map(([type, [description, fields]]) => ({
  type: type as EventType,
  description,
  fields: fields.split(' '),
}))
