import type { Module } from '#kernel/contract/module.ts'
import { discountEndpoints } from './endpoints.ts'
import { discountTables } from './tables.ts'

export { readDeductions, sumOf, takeOff, withDiscounts, type Deduction, type Taken } from './of-lines.ts'

/** Discounts of students and of who pays for them, which are taken off month after month. */
export const discountsModule: Module = {
  name: 'discounts',
  tags: { discounts: 'What is taken off the fees of a student or a family, month after month.' },
  tables: discountTables,
  persons: [
    { of: 'student', table: 'discount', column: 'student_id' },
    { of: 'guardian', table: 'discount', column: 'guardian_id' },
  ],
  reads: { courses: ['course'], groups: ['group'], people: ['guardian', 'student'] },
  endpoints: discountEndpoints,
}
