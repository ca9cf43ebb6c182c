import type { Schemas } from '../../api/schemas.ts'

export type EventType = Schemas['EventType']

type Subject = 'students' | 'groups' | 'marks' | 'money' | 'leads' | 'videos' | 'institute'

/** What other programs can be told of, by its subject. */
const SUBJECT_OF: Readonly<Record<EventType, Subject>> = {
  'student.created': 'students',
  'student.updated': 'students',
  'student.status_changed': 'students',
  'enrollment.created': 'groups',
  'enrollment.dropped': 'groups',
  'session.cancelled': 'groups',
  'attendance.marked': 'groups',
  'student.absent': 'groups',
  'exam.published': 'marks',
  'progress_report.sent': 'marks',
  'invoice.issued': 'money',
  'invoice.overdue': 'money',
  'invoice.reminder_requested': 'money',
  'payment.recorded': 'money',
  'lead.created': 'leads',
  'lesson.published': 'videos',
  'lesson.completed': 'videos',
  'course.completed': 'videos',
  'course_enrollment.created': 'videos',
  'course_enrollment.dropped': 'videos',
  'member.invited': 'institute',
  'subscription.expiring': 'institute',
  'subscription.expired': 'institute',
  'tenant.locked': 'institute',
  'tenant.unlocked': 'institute',
  'license.signal': 'institute',
  'install.update_failed': 'institute',
  'webhook_endpoint.secret_rotated': 'institute',
}

export const ALL_EVENTS = Object.keys(SUBJECT_OF) as EventType[]

/** The events of each subject, in the order in which they are shown. */
export const SUBJECTS: readonly { subject: Subject; events: readonly EventType[] }[] = [
  ...new Set(Object.values(SUBJECT_OF)),
].map((subject) => ({ subject, events: ALL_EVENTS.filter((event) => SUBJECT_OF[event] === subject) }))
