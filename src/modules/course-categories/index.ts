import type { Module } from '#kernel/contract/module.ts'
import { courseCategoryEndpoints } from './endpoints.ts'
import { courseCategoryTables } from './tables.ts'

export const courseCategoriesModule: Module = {
  name: 'course-categories',
  tags: {
    'course-categories': 'The tree under which courses are filed.',
  },
  tables: courseCategoryTables,
  endpoints: courseCategoryEndpoints,
}
