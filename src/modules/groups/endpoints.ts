import { change, read } from '#kernel/contract/endpoint.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { conflictsHeader, conflictsOfGroup } from '#modules/schedule-conflicts/index.ts'
import { readRecord } from '#runtime/records/records.ts'
import { deleteEnrollment, EnrollmentInUse } from './delete-enrollment.ts'
import {
  AlreadyEnrolled,
  CannotEnroll,
  changeEnrollment,
  completeEnrollment,
  dropEnrollment,
  enroll,
  enrollMany,
  sinceNow,
  enrollmentRecord,
  GroupFull,
  listEnrollments,
  listEnrollmentsOfGroup,
  listEnrollmentsOfStudent,
  moveEnrollment,
  NotActive,
} from './enrollments.ts'
import { changeGroup, rehearseChange, type AlignLessons } from './change.ts'
import { createGroup, deleteGroup, GroupInUse, listGroups, readGroup } from './groups.ts'
import {
  Drop,
  Enrolled,
  Enrollment,
  EnrollmentChanges,
  EnrollmentMove,
  EnrollmentQuery,
  Group,
  GroupChanges,
  GroupConsequences,
  GroupEnrollment,
  GroupEnrollmentQuery,
  GroupQuery,
  NewEnrollment,
  NewEnrollments,
  NewGroup,
} from './schemas.ts'

export const groupEndpoints = (alignLessons: AlignLessons) => [
  read({
    id: 'groups.list',
    path: '/groups',
    summary: 'List groups, newest first',
    description:
      '`q` searches the name by the same rules as the list of students. A teacher sees the groups taught or substituted (a cancelled session makes no substitute), under a teacher’s role for one branch those of that branch; inactive staff see none.',
    access: 'groups.read',
    tool: {
      name: 'groups_find',
      title: 'Find groups',
      description:
        'Lists groups (classes), newest first, ten at a time. Narrow it with q, courseId, branchId, teacherStaffId or status. Gives the groupId that other tools take.',
    },
    query: GroupQuery,
    reply: pageOf(Group),
    handle: listGroups,
  }),
  change({
    id: 'groups.create',
    method: 'POST',
    path: '/groups',
    summary: 'Open a group',
    description:
      'Fee, currency and capacity are the course’s unless given; null is no fee and no limit. Planned and active groups count against the plan’s maxGroups.',
    access: 'groups.write',
    body: NewGroup,
    status: 201,
    reply: Group,
    fails: [NotFound, QuotaExceeded],
    replyHeaders: conflictsHeader,
    handle: ({ tx, body }) => createGroup(tx, body),
    headersAfter: ({ reply, ...dbs }) => conflictsOfGroup(dbs, reply.id),
  }),
  read({
    id: 'groups.read',
    path: '/groups/{id}',
    summary: 'Read a group',
    access: 'groups.read',
    reply: Group,
    handle: ({ db, params }) => readGroup(db, params.id),
  }),
  change({
    id: 'groups.update',
    method: 'PATCH',
    path: '/groups/{id}',
    summary: 'Change a group',
    description:
      'Enrollments keep their price, and a lower capacity sends nobody away. A group that becomes planned or active again counts against the plan’s maxGroups. ' +
      'With startsOn, endsOn and status its sessions change at once: those outside, and of a completed or cancelled group those still to come, are removed when nothing hangs on them, else cancelled; those that are missing are made, and those that such a change had cancelled come back. Held sessions stay, and those that somebody cancelled. The students, their guardians and the teacher are told once, of what is still to come. A group that is completed completes its enrollments. The audit entry says how many in `followed`.',
    access: 'groups.write',
    body: GroupChanges,
    reply: Group,
    fails: [VersionConflict, QuotaExceeded],
    replyHeaders: conflictsHeader,
    handle: ({ tx, params, body }) => changeGroup(tx, { id: params.id, alignLessons }, body),
    headersAfter: ({ reply, ...dbs }) => conflictsOfGroup(dbs, reply.id),
  }),
  change({
    id: 'groups.rehearse',
    method: 'POST',
    path: '/groups/{id}/rehearsal',
    summary: 'Ask what would follow from a change of a group',
    description: 'Takes what PATCH /groups/{id} takes, is refused as that is, and changes nothing.',
    access: 'groups.write',
    body: GroupChanges,
    reply: GroupConsequences,
    fails: [VersionConflict, QuotaExceeded],
    handle: ({ tx, params, body }) => rehearseChange(tx, { id: params.id, alignLessons }, body),
  }),
  change({
    id: 'groups.delete',
    method: 'DELETE',
    path: '/groups/{id}',
    summary: 'Delete a group in which nobody was enrolled and nothing held',
    description: 'Its schedule and the sessions that were never held go with it.',
    access: 'groups.write',
    reply: Ok,
    fails: [GroupInUse],
    handle: ({ tx, params }) => deleteGroup(tx, params.id),
  }),
  read({
    id: 'groups.enrollments',
    path: '/groups/{id}/enrollments',
    summary: 'List the students of a group, last enrolled first',
    access: 'enrollments.read',
    tool: {
      name: 'roster_list',
      title: 'List who is in a group',
      description:
        'Lists the students of one group with their enrollments, last enrolled first. Use status active for those who are in it now. Gives the enrollmentId for enrollment_drop.',
      params: { id: 'groupId' },
    },
    query: GroupEnrollmentQuery,
    reply: pageOf(GroupEnrollment),
    handle: listEnrollmentsOfGroup,
  }),
]

export const enrollmentEndpoints = [
  read({
    id: 'enrollments.list',
    path: '/enrollments',
    summary: 'List enrollments, newest first',
    access: 'enrollments.read',
    query: EnrollmentQuery,
    reply: pageOf(Enrollment),
    handle: listEnrollments,
  }),
  change({
    id: 'enrollments.create',
    method: 'POST',
    path: '/enrollments',
    summary: 'Enroll a student in a group',
    description:
      'Without a price the group’s fee applies, or 0 where it has none; without a currency the group’s. Each may be given without the other: a currency alone takes the number of the group’s fee as it stands, without converting it. A student of one branch may join a group of another, by a caller who reaches both. ' +
      'The student is on the rosters of the sessions that begin at `enrolledAt` or later: a date-time, or a day, which counts from its beginning. It lies at most 366 days back or ahead; who begins later has their place in the group from now on. Without it that is now, and while a session of the group is running, its start.',
    access: 'enrollments.write',
    tool: {
      name: 'enrollment_create',
      title: 'Enroll a student',
      description:
        "Puts one student into one group. Without priceMinor the group's fee applies. Give studentId and groupId as you found them; never guess one.",
      done: 'The student is enrolled.',
    },
    body: NewEnrollment,
    status: 201,
    reply: Enrollment,
    fails: [NotFound, CannotEnroll, AlreadyEnrolled, GroupFull],
    handle: async ({ tx, body }) => enroll(tx, { ...body, ...(await sinceNow(tx, body.groupId, body.enrolledAt)) }),
  }),
  change({
    id: 'enrollments.create-many',
    method: 'POST',
    path: '/groups/{id}/enrollments',
    summary: 'Enroll many students in a group',
    description:
      'Each as POST /enrollments does it, at the group’s fee, in the order of the request while there are places; a student who is named twice is taken once. Who cannot be enrolled is refused with the reason, and the others are enrolled all the same: also where all are refused the status is 200.',
    access: 'enrollments.write',
    body: NewEnrollments,
    reply: Enrolled,
    handle: async ({ tx, params, body }) =>
      enrollMany(tx, params.id, { ...body, ...(await sinceNow(tx, params.id, body.enrolledAt)) }),
  }),
  read({
    id: 'enrollments.read',
    path: '/enrollments/{id}',
    summary: 'Read an enrollment',
    access: 'enrollments.read',
    reply: Enrollment,
    handle: ({ db, params }) => readRecord(db, enrollmentRecord, params.id),
  }),
  change({
    id: 'enrollments.update',
    method: 'PATCH',
    path: '/enrollments/{id}',
    summary: 'Say since when a student belongs to the group',
    description:
      'Of an active enrollment, at most 366 days back or ahead, and not after its end. The student stands on the rosters of the sessions from then on; attendance that was taken before stays.',
    access: 'enrollments.write',
    body: EnrollmentChanges,
    reply: Enrollment,
    fails: [NotActive],
    handle: ({ tx, params, body }) => changeEnrollment(tx, params.id, body),
  }),
  change({
    id: 'enrollments.delete',
    method: 'DELETE',
    path: '/enrollments/{id}',
    summary: 'Take back an enrollment that was made by mistake',
    description:
      'While nothing hangs on it: no attendance, no line of an invoice, no result of an exam; else it is 409, and the details say what. One that is active emits enrollment.dropped.',
    access: 'enrollments.write',
    reply: Ok,
    fails: [EnrollmentInUse],
    handle: ({ tx, params }) => deleteEnrollment(tx, params.id),
  }),
  change({
    id: 'enrollments.drop',
    method: 'POST',
    path: '/enrollments/{id}/drop',
    summary: 'Take a student out of a group',
    description:
      'Now, or with the end of the day `endedAt`, which lies at most 366 days back or ahead and not before the day of enrolling. What lies ahead takes effect on that day, in the institute’s timezone: until then the enrollment is active, with its endedAt.',
    access: 'enrollments.write',
    tool: {
      name: 'enrollment_drop',
      title: 'Take a student out of a group',
      description: 'Ends one enrollment: the student leaves the group. It stays in the records as dropped.',
      params: { id: 'enrollmentId' },
      done: 'The student has left the group.',
      destructive: true,
    },
    body: Drop,
    bodyOptional: true,
    reply: Enrollment,
    fails: [NotActive],
    handle: ({ tx, params, body }) => dropEnrollment(tx, params.id, body),
  }),
  change({
    id: 'enrollments.move',
    method: 'POST',
    path: '/enrollments/{id}/move',
    summary: 'Move a student into another group',
    description:
      'Drops this enrollment and enrolls in the other group as POST /enrollments does it, both or neither, with the events of both: now, or with the end of the day `endedAt` and from `enrolledAt` on; where one of the two is left out, the days follow each other. It answers the new enrollment. Its price is the fee of the other group; a price that was agreed upon goes along where both groups have the same fee.',
    access: 'enrollments.write',
    body: EnrollmentMove,
    status: 201,
    reply: Enrollment,
    fails: [NotFound, NotActive, CannotEnroll, AlreadyEnrolled, GroupFull],
    handle: ({ tx, params, body }) => moveEnrollment(tx, params.id, body),
  }),
  change({
    id: 'enrollments.complete',
    method: 'POST',
    path: '/enrollments/{id}/complete',
    summary: 'Say that a student has completed the group',
    access: 'enrollments.write',
    reply: Enrollment,
    fails: [NotActive],
    handle: ({ tx, params }) => completeEnrollment(tx, params.id),
  }),
  read({
    id: 'enrollments.of-student',
    path: '/students/{id}/enrollments',
    summary: 'List a student’s enrollments, newest first',
    access: 'enrollments.read',
    tool: {
      name: 'student_enrollments_list',
      title: "List a student's enrollments",
      description: 'Lists the groups in which one student is or was, newest first, with the enrollmentId of each.',
      params: { id: 'studentId' },
    },
    query: pageQuery({}),
    reply: pageOf(Enrollment),
    fails: [Merged],
    handle: (context) => orMerged(context, listEnrollmentsOfStudent),
  }),
]
