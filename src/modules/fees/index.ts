import type { Logger } from 'pino'
import { jobKind, type Module } from '#kernel/contract/module.ts'
import { feeScheduleEndpoints } from './endpoints.ts'
import { priceEndpoints } from './price-endpoints.ts'
import { billingRunEndpoints } from './run-endpoint.ts'
import { goOn, goOnJob } from './run.ts'
import { feeTables } from './tables.ts'

export { firstCharges } from './first.ts'
export { discountFirst, type FirstCharge, type FirstChild } from './first-discounts.ts'
export { continueFees, recurringFeesOf } from './group-fees.ts'
export { feesOfStudent } from './of-student.ts'

export const feesModule = ({ log }: { log: Logger }): Module => ({
  name: 'fees',
  tags: {
    'fee-schedules': 'What students are charged for, how much and how often.',
    prices: 'What a student pays for a month, and why.',
  },
  tables: feeTables,
  persons: [
    {
      of: 'student',
      table: 'fee_charge',
      column: 'student_id',
      once: [
        ['fee_schedule_id', 'month'],
        ['fee_schedule_id', 'term_starts_on'],
      ],
      // Both were billed: their invoices stay, and nobody is billed again.
      twice: 'dropped',
    },
  ],
  reads: {
    billing: ['invoice', 'invoice_line'],
    branches: ['branch'],
    courses: ['course'],
    groups: ['enrollment', 'group'],
    people: ['guardian_link', 'student'],
    sessions: ['session'],
  },
  endpoints: [...feeScheduleEndpoints, ...priceEndpoints, ...billingRunEndpoints(log)],
  jobs: [jobKind(goOnJob, { handle: goOn(log) })],
})
