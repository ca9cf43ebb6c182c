import type { SelectQueryBuilder } from 'kysely'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import '#modules/sessions/index.ts'

/** The sessions of a person, with what everybody wants to know of each. */
export const shownSessions = (whole: ScopedDb) =>
  whole
    .selectFrom('session')
    .innerJoin('group', 'group.id', 'session.group_id')
    .innerJoin('course', 'course.id', 'group.course_id')
    .select(['session.id as sessionId', 'session.group_id as groupId', 'group.name as groupName'])
    .select(['course.id as courseId', 'course.name as courseName', 'session.status'])
    .select(['session.scheduled_start as scheduledStart', 'session.scheduled_end as scheduledEnd'])

type Narrow = <O>(query: SelectQueryBuilder<Tables, 'session', O>) => SelectQueryBuilder<Tables, 'session', O>

/**
 * The ids of the sessions that a member of the staff gives: as a substitute, in their own groups where there is no
 * substitute, and the held ones that they really gave.
 * @param narrow limits the sessions; it is part of each of the three queries, so that each can use an index of its own
 */
export const taughtSessionIds = (whole: ScopedDb, staffId: string, narrow: Narrow) => {
  const sessions = () => narrow(whole.selectFrom('session'))
  return sessions()
    .innerJoin('group', 'group.id', 'session.group_id')
    .select('session.id')
    .where('group.teacher_staff_id', '=', staffId)
    .where('session.teacher_staff_id', 'is', null)
    .where('session.status', '!=', 'held')
    .unionAll(
      sessions()
        .select('session.id')
        .where('session.teacher_staff_id', '=', staffId)
        .where('session.status', '!=', 'held'),
    )
    .unionAll(
      sessions()
        .innerJoin('session_teacher', 'session_teacher.session_id', 'session.id')
        .select('session.id')
        .where('session_teacher.staff_id', '=', staffId)
        .where('session.status', '=', 'held'),
    )
}
