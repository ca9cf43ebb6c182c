import * as v from 'valibot'
import { isDate } from '#kernel/time/zone.ts'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  date,
  day,
  emptyable,
  expectedVersion,
  id,
  instant,
  integer,
  list,
  orNull,
  pageQuery,
  prose,
  searched,
  title,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { ENROLLMENT_STATUSES, GROUP_STATUSES } from './tables.ts'

const words = {
  courseId: 'The course that the group learns.',
  courseName: 'The name of the course.',
  branchId: 'The branch in which it learns.',
  feeMinor: 'What the group costs, in the smallest unit of the currency; null: nothing.',
  startsOn: 'No session lies before this day; null: not set.',
  endsOn: 'No session lies after this day; null: not set.',
  enrolledCount: 'How many students are actively enrolled.',
  enrolledAt: 'Since when the student belongs to the group.',
  droppedAt: 'When it ended before its time; null: it did not.',
  endedAt: 'When it ended, or will; null: no end is known.',
  studentNumber: 'The number of the student.',
  studentId: 'The student.',
  groupId: 'The group.',
  priceMinor: 'What the student pays, in the smallest unit of the currency; the group’s fee where it is left out.',
}

/** Words of what is sent. */
const givenWords = {
  ...words,
  enrolledAt:
    'Since when the student belongs to the group: a date-time, or a day (YYYY-MM-DD); where it is left out, now, or the start of the session of the group that is running.',
  endedAt: 'The last day in the group, as YYYY-MM-DD; where it is left out, it ends now.',
}

/** A day, which counts from its beginning, or an instant. */
const since = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (value) => isDate(value) || v.is(instant, value),
    'Must be a date as YYYY-MM-DD, or a date-time with an offset.',
  ),
  v.transform((value) => (isDate(value) ? value : v.parse(instant, value))),
)

const status = named('GroupStatus', v.picklist(GROUP_STATUSES))
const enrollmentStatus = named('EnrollmentStatus', v.picklist(ENROLLMENT_STATUSES))
const amount = integer(0, 1_000_000_000_000)

export const Group = named(
  'Group',
  v.object({
    id,
    courseId: id,
    courseName: v.string(),
    branchId: id,
    name: v.string(),
    teacherStaffId: orNull(id),
    room: orNull(v.string()),
    capacity: orNull(count),
    feeMinor: orNull(count),
    currency,
    status,
    startsOn: orNull(day),
    endsOn: orNull(day),
    enrolledCount: count,
    version: count,
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Group = v.InferOutput<typeof Group>

const writable = v.object({
  courseId: uuid,
  branchId: uuid,
  name: title(150),
  teacherStaffId: v.nullable(uuid),
  room: v.nullable(emptyable(100)),
  capacity: v.nullable(integer(1, 100_000)),
  feeMinor: v.nullable(amount),
  currency,
  startsOn: v.nullable(date),
  endsOn: v.nullable(date),
  status,
})

export const NewGroup = named(
  'NewGroup',
  v.object({
    ...v.partial(writable).entries,
    courseId: uuid,
    branchId: uuid,
    name: title(150),
  }),
  words,
)
export const GroupChanges = named(
  'GroupChanges',
  v.object({ ...v.partial(writable).entries, version: expectedVersion }),
  words,
)
export const GroupConsequences = named(
  'GroupConsequences',
  v.object({ removed: count, cancelled: count, restored: count, created: count, completedEnrollments: count }),
  {
    removed: 'How many sessions go: they are still to come, and nothing hangs on them.',
    cancelled: 'How many sessions are cancelled.',
    restored: 'How many sessions that had been cancelled take place after all.',
    created: 'How many sessions are made.',
    completedEnrollments: 'How many enrollments are completed with the group.',
  },
)

export const GroupQuery = explained(
  pageQuery({
    courseId: v.optional(uuid),
    branchId: v.optional(uuid),
    teacherStaffId: v.optional(uuid),
    status: v.optional(status),
    q: v.optional(searched(200)),
  }),
  words,
)

export const Enrollment = named(
  'Enrollment',
  v.object({
    id,
    studentId: id,
    groupId: id,
    status: enrollmentStatus,
    priceMinor: count,
    currency,
    enrolledAt: ts,
    droppedAt: orNull(ts),
    endedAt: orNull(ts),
  }),
  words,
)
export type Enrollment = v.InferOutput<typeof Enrollment>

export const GroupEnrollment = named(
  'GroupEnrollment',
  v.object({
    id,
    studentId: id,
    studentNumber: v.string(),
    firstName: v.string(),
    lastName: v.string(),
    status: enrollmentStatus,
    priceMinor: count,
    currency,
    enrolledAt: ts,
    droppedAt: orNull(ts),
    endedAt: orNull(ts),
  }),
  words,
)

export const NewEnrollment = named(
  'NewEnrollment',
  v.object({
    studentId: uuid,
    groupId: uuid,
    priceMinor: v.optional(amount),
    currency: v.optional(currency),
    enrolledAt: v.optional(since),
  }),
  givenWords,
)

export const EnrollmentChanges = named('EnrollmentChanges', v.object({ enrolledAt: since }), {
  enrolledAt: 'Since when the student belongs to the group: a date-time, or a day (YYYY-MM-DD) from its beginning.',
})

export const NewEnrollments = named(
  'NewEnrollments',
  v.object({
    studentIds: v.pipe(
      list(uuid),
      v.minLength(1, 'Must name a student.'),
      v.maxLength(200, 'Must name at most 200 students.'),
    ),
    enrolledAt: v.optional(since),
  }),
  { ...givenWords, studentIds: 'The students, in the order in which they get the free places.' },
)

const ENROLLMENT_REFUSALS = ['not_found', 'cannot_enroll', 'already_enrolled', 'group_full'] as const
export type EnrollmentRefusal = (typeof ENROLLMENT_REFUSALS)[number]

export const Enrolled = named(
  'Enrolled',
  v.object({
    enrolled: list(Enrollment),
    refused: list(
      named('RefusedEnrollment', v.object({ studentId: id, reason: v.picklist(ENROLLMENT_REFUSALS) }), {
        ...words,
        reason: 'Why: the `details.reason` with which POST /enrollments refuses the student, or `not_found`.',
      }),
    ),
  }),
  { enrolled: 'Those who were enrolled, in the order of the request.', refused: 'Those who were not, and why.' },
)
export const EnrollmentQuery = pageQuery({
  studentId: v.optional(uuid),
  groupId: v.optional(uuid),
  status: v.optional(enrollmentStatus),
})
export const GroupEnrollmentQuery = pageQuery({ status: v.optional(enrollmentStatus) })
export const EnrollmentMove = named(
  'EnrollmentMove',
  v.object({
    groupId: uuid,
    reason: v.optional(prose(500)),
    endedAt: v.optional(date),
    enrolledAt: v.optional(since),
  }),
  givenWords,
)

export const Drop = named(
  'EnrollmentDrop',
  v.object({ reason: v.optional(prose(500)), endedAt: v.optional(date) }),
  givenWords,
)
