import type { Module } from '#kernel/contract/module.ts'
import { bookkeepingEndpoints } from './endpoints.ts'

/** What an accountant takes of what was charged and paid. @param version of the program */
export const bookkeepingModule = (version: string): Module => ({
  name: 'bookkeeping',
  tags: { bookkeeping: 'The journal of what was charged and paid, and files for the tax authority.' },
  reads: {
    billing: [
      'cheque',
      'credit_entry',
      'credit_note',
      'invoice',
      'invoice_line',
      'payer_account',
      'payment',
      'receipt',
      'receipt_payment',
      'refund',
      'replaced_invoice',
    ],
    branches: ['branch'],
    courses: ['course'],
    curriculum: ['course_enrollment'],
    groups: ['enrollment', 'group'],
    people: ['guardian', 'student'],
  },
  endpoints: bookkeepingEndpoints(version),
})
