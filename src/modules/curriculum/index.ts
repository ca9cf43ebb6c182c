import type { Module } from '#kernel/contract/module.ts'
import { lessonEndpoints, sectionEndpoints } from './endpoints.ts'
import { grantEndpoints, learnerEndpoints } from './grant-endpoints.ts'
import { curriculumTables } from './tables.ts'

export { courseGrantsOf, type CourseGrant } from './active-grants.ts'
export { courseOfStudent, coursesOfStudent } from './learner.ts'
export { OwnCourse, OwnCourseDetail } from './schemas.ts'

export const curriculumModule: Module = {
  name: 'curriculum',
  tags: {
    curriculum: 'What a course is made of, and how far its students are.',
    sections: 'The parts of a course, in their order.',
    lessons: 'What students learn in a section: videos and texts.',
    'course-enrollments': 'Which students were given a course to learn on their own.',
  },
  events: [
    'lesson.published',
    'lesson.completed',
    'course.completed',
    'course_enrollment.created',
    'course_enrollment.dropped',
  ],
  tables: curriculumTables,
  persons: [
    { of: 'student', table: 'course_enrollment', column: 'student_id', once: [['course_id']], twice: 'refused' },
  ],
  reads: {
    billing: ['invoice', 'invoice_line'],
    courses: ['course'],
    groups: ['enrollment', 'group'],
    people: ['student'],
  },
  endpoints: [...sectionEndpoints, ...lessonEndpoints, ...grantEndpoints, ...learnerEndpoints],
}
