import type { ScopedDb } from '#kernel/contract/tables.ts'
import '#modules/sessions/index.ts'

/** The sessions of a person, with what everybody wants to know of each. */
export const shownSessions = (whole: ScopedDb) =>
  whole
    .selectFrom('session')
    .innerJoin('group', 'group.id', 'session.group_id')
    .innerJoin('course', 'course.id', 'group.course_id')
    .select(['session.id as sessionId', 'session.group_id as groupId', 'group.name as groupName', 'group.room'])
    .select([
      'course.id as courseId',
      'course.name as courseName',
      'session.status',
      'session.cancel_reason as cancelReason',
    ])
    .select(['session.scheduled_start as scheduledStart', 'session.scheduled_end as scheduledEnd'])
