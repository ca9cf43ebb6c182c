import { shows } from '#kernel/values/fields.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { PublicCourse } from './schemas.ts'

/** Lists the public courses that are open for registration, newest first. */
export const listPublicCourses = listOf({
  from: (db) =>
    db
      .selectFrom('course')
      .innerJoin('course_category', 'course_category.id', 'course.category_id')
      .select([
        'course.id',
        'course.name',
        'course.description',
        'course.language',
        'course.delivery_mode',
        'course.created_at',
        'course_category.name as category_name',
      ])
      .where('course.is_public', '=', true)
      .where('course.is_active', '=', true),
  order: newestFirst('course'),
  show: shows(PublicCourse),
})
