import { jobKind, type Module } from '#kernel/module.ts'
import { invoiceEndpoints, paymentEndpoints } from './endpoints.ts'
import { sweepOverdueJob, sweepOverdue } from './sweep.ts'
import { billingTables } from './tables.ts'

export const billingModule: Module = {
  name: 'billing',
  events: ['invoice.issued', 'invoice.overdue', 'invoice.reminder_requested', 'payment.recorded'],
  tables: billingTables,
  endpoints: [...invoiceEndpoints, ...paymentEndpoints],
  jobs: [jobKind(sweepOverdueJob, { handle: sweepOverdue })],
  cronJobs: [{ cron: '0 * * * *', job: sweepOverdueJob, atStart: true }],
}
