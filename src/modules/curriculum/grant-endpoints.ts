import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import { PersonErased } from '#modules/people/index.ts'
import { dropGrant, grantCourse, grantGroup, listGrants } from './grants.ts'
import { completeLesson, LessonClosed, ownCourse, ownCourses } from './learner.ts'
import { listProgress } from './progress.ts'
import {
  CompletedLesson,
  CourseEnrollment,
  CourseEnrollmentQuery,
  CourseProgress,
  DropQuery,
  GroupGrants,
  ListedCourseEnrollment,
  NewCourseEnrollment,
  NewGroupGrants,
  OwnCourse,
  OwnCourseDetail,
} from './schemas.ts'

const flag = 'courses_video'

const COUNTS =
  'lessonCount counts the published lessons of the course, completedCount those of them that the student completed. '

const PENDING =
  'A grant is pending while a line of one of the student’s invoices carries it and the invoice, a draft too, is neither paid nor void; one that was completed stays completed.'

export const grantEndpoints = [
  read({
    id: 'course-enrollments.list',
    path: '/courses/{courseId}/enrollments',
    summary: 'List the students who were given a course',
    description: `Last given first; under a role for one branch, the students of that branch; status then goes by the invoices of that branch. ${PENDING}`,
    access: 'enrollments.read',
    flag,
    query: CourseEnrollmentQuery,
    reply: pageOf(ListedCourseEnrollment),
    handle: listGrants,
  }),
  change({
    id: 'course-enrollments.create',
    method: 'POST',
    path: '/courses/{courseId}/enrollments',
    summary: 'Give a student a course to learn on their own',
    description:
      'Courses of either delivery mode can be given, to students of every status, who keep them when their status changes. The price is the course’s fee, and the currency the course’s, unless given; without a fee or a price both are null. A currency alone takes the number of the fee as it stands. ' +
      'A student has a course once: a second time answers the grant as it is, also 201 and without an event. One that was dropped is active again, with the price of now and an event; lessons that were completed before stay completed.',
    access: 'enrollments.write',
    flag,
    body: NewCourseEnrollment,
    status: 201,
    reply: CourseEnrollment,
    fails: [NotFound, PersonErased],
    handle: ({ tx, params, body }) => grantCourse(tx, params.courseId, body),
  }),
  change({
    id: 'course-enrollments.create-many',
    method: 'POST',
    path: '/groups/{id}/course-enrollments',
    summary: 'Give a course to everybody who is in a group',
    description:
      'To each student with an active enrollment in the group now, as POST /courses/{courseId}/enrollments gives it: who joins the group later does not get it by that. Who has the course already keeps it as it is, and who had it before gets it again. Also where nobody is left to give it to, the status is 200.',
    access: 'enrollments.write',
    flag,
    body: NewGroupGrants,
    reply: GroupGrants,
    fails: [NotFound],
    handle: ({ tx, params, body }) => grantGroup(tx, params.id, body),
  }),
  change({
    id: 'course-enrollments.drop',
    method: 'DELETE',
    path: '/course-enrollments/{id}',
    summary: 'Take a course from a student',
    description: 'Also one that was completed. One that was dropped already stays as it is, without another event.',
    access: 'enrollments.write',
    flag,
    query: DropQuery,
    status: 204,
    reply: null,
    handle: ({ tx, params, query }) => dropGrant(tx, params.id, query.reason ?? null),
  }),
  read({
    id: 'curriculum.progress',
    path: '/courses/{courseId}/progress',
    summary: 'How far the students of a course are',
    description: `Those who have the course now, last given first. ${COUNTS}Under a role for one branch, the students of that branch; a teacher sees the students of their groups, in the courses of their groups.`,
    access: 'curriculum.read',
    flag,
    query: pageQuery({}),
    reply: pageOf(CourseProgress),
    handle: listProgress,
  }),
]

export const learnerEndpoints = [
  read({
    id: 'me.courses',
    path: '/me/courses',
    summary: 'The courses that the caller was given',
    description: `Last given first; not those that were dropped. Empty for somebody who is no student. ${COUNTS}`,
    access: 'tenant',
    flag,
    query: pageQuery({}),
    reply: pageOf(OwnCourse),
    handle: ownCourses,
  }),
  read({
    id: 'me.course',
    path: '/me/courses/{courseId}',
    summary: 'A course that the caller was given, with its lessons',
    description: `Lessons that are not published, and sections without published ones, are left out. ${COUNTS}A course that the caller was not given, or not any more, is 404. While the grant is pending the lessons are closed, but for those with isPreview: isOpen says which, and a closed one has body and video null.`,
    access: 'tenant',
    flag,
    reply: OwnCourseDetail,
    handle: (context) => ownCourse(context, context.params.courseId),
  }),
  change({
    id: 'me.complete-lesson',
    method: 'POST',
    path: '/me/lessons/{id}/complete',
    summary: 'Report that the caller completed a lesson',
    description:
      'A lesson that was reported before stays as it was, without another event. When every published lesson of the course is completed the caller’s grant becomes completed, which has its event once in all. ' +
      'It stays completed when lessons are published later; they can still be completed. A lesson that is not published, or of a course that the caller was not given, is 404; one that is closed, because the course is not paid, is 409. Nothing completes a course that is not paid: the next lesson reported after that does.',
    access: 'tenant',
    flag,
    reply: CompletedLesson,
    fails: [LessonClosed],
    handle: ({ tx, caller, params }) => completeLesson(tx, caller, params.id),
  }),
]
