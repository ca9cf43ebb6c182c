import type { Owed } from '#kit/owed.ts'
import { newCategory } from '../api/examples/course-categories.ts'

export const owed: Owed = {
  tables: { course_category: { few: 'a thousand at the most, in one answer' } },
  records: { categoryId: (world) => newCategory(world), parentId: (_, record) => record('categoryId') },
}
