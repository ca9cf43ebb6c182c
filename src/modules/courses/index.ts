import type { Module } from '#kernel/contract/module.ts'
import { courseEndpoints } from './endpoints.ts'
import { courseTables } from './tables.ts'

export { countActive as countActiveCourses, courseRecord } from './service.ts'
export { DELIVERY_MODES } from './tables.ts'

export const coursesModule: Module = {
  name: 'courses',
  tags: {
    courses: 'What can be learned.',
  },
  tables: courseTables,
  reads: { 'course-categories': ['course_category'] },
  endpoints: courseEndpoints,
  names: [
    {
      fields: ['courseId'],
      permission: 'courses.read',
      read: (db, ids) => db.selectFrom('course').select(['id', 'name']).where('id', 'in', ids).execute(),
    },
  ],
}
