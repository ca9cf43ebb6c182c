import type { Module } from '#kernel/module.ts'
import { invoiceEndpoints, paymentEndpoints } from './endpoints.ts'
import { SWEEP_JOB, sweepOverdue } from './sweep.ts'
import { billingTables } from './tables.ts'

export const billingModule: Module = {
  name: 'billing',
  tables: billingTables,
  endpoints: [...invoiceEndpoints, ...paymentEndpoints],
  jobs: { [SWEEP_JOB]: { handle: sweepOverdue } },
  ticks: [{ cron: '0 * * * *', job: SWEEP_JOB, atStart: true }],
}
