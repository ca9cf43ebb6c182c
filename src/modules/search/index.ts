import type { Module } from '#kernel/contract/module.ts'
import { searchEndpoints } from './endpoints.ts'

/** One search over records of other modules. It keeps no table. */
export const searchModule: Module = {
  name: 'search',
  tags: { search: 'One search over people, groups, courses, and papers about money.' },
  reads: {
    billing: ['credit_note', 'invoice', 'receipt', 'refund'],
    'course-categories': ['course_category'],
    courses: ['course'],
    groups: ['group'],
    people: ['guardian', 'staff', 'student'],
  },
  endpoints: searchEndpoints,
}
