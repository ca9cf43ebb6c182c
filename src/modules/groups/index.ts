import { jobKind, type Module } from '#kernel/contract/module.ts'
import { enrollmentEndpoints, groupEndpoints } from './endpoints.ts'
import { keepDaysJob, keepDaysOn } from './keep-days.ts'
import { dropEnrollments } from './leave.ts'
import { sweepEnds, sweepEndsJob } from './sweep-ends.ts'
import type { AlignLessons } from './change.ts'
import { groupTables } from './tables.ts'

export {
  AlreadyEnrolled,
  CannotEnroll,
  enroll,
  enrollMany,
  enrollmentRecord,
  GroupFull,
  removePlaces,
  sinceNow,
  whyNotEnrolled,
} from './enrollments.ts'
export { changeGroup } from './change.ts'
export { keepDays } from './keep-days.ts'
export { countOpen, createGroup, groupRecord, isOpen, taughtGroups } from './groups.ts'
export { endOnLastDay, liftLastDay } from './leave.ts'
export { Enrollment, NewEnrollment, type Group } from './schemas.ts'

/** @param alignLessons sessions are another module's, which needs this one */
export const groupsModule = (alignLessons: AlignLessons): Module => ({
  name: 'groups',
  tags: {
    groups: 'Students who learn a course together, with a teacher, in a room.',
    enrollments: 'Which students are in which groups, and what they pay.',
  },
  events: ['enrollment.created', 'enrollment.dropped'],
  tables: groupTables,
  persons: [
    {
      of: 'student',
      table: 'enrollment',
      column: 'student_id',
      once: [['group_id']],
      where: ['status', 'active'],
      twice: 'refused',
    },
  ],
  reads: {
    attendance: ['attendance'],
    billing: ['invoice_line'],
    branches: ['branch'],
    courses: ['course'],
    exams: ['exam', 'exam_result'],
    people: ['staff', 'student'],
    sessions: ['session'],
    'waiting-lists': ['waiting_entry'],
  },
  endpoints: [...groupEndpoints(alignLessons), ...enrollmentEndpoints],
  names: [
    {
      fields: ['groupId'],
      permission: 'groups.read',
      read: (db, ids) => db.selectFrom('group').select(['id', 'name']).where('id', 'in', ids).execute(),
    },
  ],
  eventSubscribers: [dropEnrollments],
  jobs: [jobKind(sweepEndsJob, { handle: sweepEnds }), jobKind(keepDaysJob, { handle: keepDaysOn })],
  cronJobs: [{ cron: '1 * * * *', job: sweepEndsJob, atStart: true }],
})
