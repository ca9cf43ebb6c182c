import type { Module } from '#kernel/contract/module.ts'
import { reportEndpoints } from './endpoints.ts'

export const reportsModule: Module = {
  name: 'reports',
  tags: { reports: 'Figures over a time: attendance, income, debts, enrollment, hours of teachers.' },
  reads: {
    attendance: ['attendance'],
    billing: [
      'cheque',
      'cheque_entry',
      'cheque_part',
      'credit_entry',
      'credit_note',
      'invoice',
      'invoice_line',
      'payer_account',
      'payment',
      'receipt',
      'receipt_payment',
      'refund',
    ],
    branches: ['branch'],
    courses: ['course'],
    groups: ['enrollment', 'group'],
    people: ['guardian', 'guardian_link', 'staff', 'student'],
    sessions: ['session', 'session_teacher'],
  },
  endpoints: reportEndpoints,
}
