import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { readRecord } from '#runtime/records/records.ts'
import { Course, CourseChanges, CourseQuery, NewCourse } from './schemas.ts'
import {
  changeCourse,
  CourseCodeTaken,
  CourseInUse,
  courseRecord,
  createCourse,
  deleteCourse,
  listCourses,
} from './service.ts'

export const courseEndpoints = [
  read({
    id: 'courses.list',
    path: '/courses',
    summary: 'List courses, newest first',
    description: '`q` searches name and code by the same rules as the list of students.',
    access: 'courses.read',
    query: CourseQuery,
    reply: pageOf(Course),
    handle: listCourses,
  }),
  change({
    id: 'courses.create',
    method: 'POST',
    path: '/courses',
    summary: 'Add a course',
    description:
      'Currency: the institute’s when left out. A code, where there is one, is unique in the institute. New courses are active, not public, and learned in groups unless the body says otherwise. Active courses count against the plan’s maxCourses.',
    access: 'courses.write',
    wholeTenant: true,
    body: NewCourse,
    status: 201,
    reply: Course,
    fails: [CourseCodeTaken, NotFound, QuotaExceeded],
    handle: ({ tx, body }) => createCourse(tx, body),
  }),
  read({
    id: 'courses.read',
    path: '/courses/{id}',
    summary: 'Read a course',
    access: 'courses.read',
    reply: Course,
    handle: ({ db, params }) => readRecord(db, courseRecord, params.id),
  }),
  change({
    id: 'courses.update',
    method: 'PATCH',
    path: '/courses/{id}',
    summary: 'Change a course',
    description:
      'Groups that took their fee, currency or capacity from the course keep what they have. A course that becomes active again counts against the plan’s maxCourses.',
    access: 'courses.write',
    wholeTenant: true,
    body: CourseChanges,
    reply: Course,
    fails: [CourseCodeTaken, QuotaExceeded],
    handle: ({ tx, params, body }) => changeCourse(tx, params.id, body),
  }),
  change({
    id: 'courses.delete',
    method: 'DELETE',
    path: '/courses/{id}',
    summary: 'Delete a course that nothing belongs to',
    description: 'With groups, lessons or students who were given it, it is 409. Sections without lessons go with it.',
    access: 'courses.write',
    wholeTenant: true,
    reply: Ok,
    fails: [CourseInUse],
    handle: ({ tx, params }) => deleteCourse(tx, params.id),
  }),
]
