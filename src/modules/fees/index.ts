import type { Logger } from 'pino'
import { jobKind, type Module } from '#kernel/contract/module.ts'
import { feeScheduleEndpoints } from './endpoints.ts'
import { billingRunEndpoints } from './run-endpoint.ts'
import { goOn, goOnJob } from './run.ts'
import { feeTables } from './tables.ts'

export { firstCharges, type FirstLine } from './first.ts'
export { continueFees, recurringFeesOf } from './group-fees.ts'
export { feesOfStudent } from './of-student.ts'

export const feesModule = ({ log }: { log: Logger }): Module => ({
  name: 'fees',
  tags: { 'fee-schedules': 'What students are charged for, how much and how often.' },
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
    people: ['student'],
    sessions: ['session'],
  },
  endpoints: [...feeScheduleEndpoints, ...billingRunEndpoints(log)],
  jobs: [jobKind(goOnJob, { handle: goOn(log) })],
})
