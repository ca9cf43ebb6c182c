import { idAt } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newCourse } from '../api/examples/academics.ts'

export const owed: Owed = {
  tables: { course: { few: 'some dozens' } },
  records: { courseId: async (world, record) => newCourse(world, { categoryId: await record('categoryId') }) },
  filters: { 'courses.list': { categoryId: idAt('course_category', 1), isActive: 'false' } },
}
