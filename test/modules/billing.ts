import { idAt, inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newPayment } from '../api/examples/billing.ts'

export const owed: Owed = {
  tables: {
    invoice: ({ branch, nthId, at }) => ({
      branch_id: branch,
      student_id: nthId('student', 'n'),
      number: `'N-' || n`,
      status: inTurn(['draft', 'issued', 'paid', 'overdue', 'void']),
      issue_date: text('2020-01-01'),
      due_date: text('2020-02-01'),
      currency: text('ILS'),
      subtotal_minor: '45000',
      discount_minor: '0',
      tax_minor: '0',
      total_minor: '45000',
      issued_at: at,
      updated_at: at,
    }),
    invoice_line: ({ nthId }) => ({
      invoice_id: nthId('invoice', 'n'),
      position: '0',
      description: text('March'),
      quantity: '1',
      unit_amount_minor: '45000',
      discount_minor: '0',
      tax_rate_percent: '0',
      tax_minor: '0',
      total_minor: '45000',
    }),
    payment: ({ nthId, at }) => ({
      invoice_id: nthId('invoice', 'n'),
      amount_minor: '100',
      currency: text('ILS'),
      method: inTurn(['cash', 'card']),
      provider: text('manual'),
      received_at: at,
    }),
  },
  records: {
    invoiceId: async (world, record) => (await newPayment(world, { studentId: await record('studentId') })).invoiceId,
  },
  filters: {
    'invoices.list': { status: 'overdue', overdue: 'true' },
    'invoices.statement': { from: '2020-01-02', to: '2020-01-13', currency: 'ILS' },
    'payments.list': {
      invoiceId: idAt('invoice', 77),
      studentId: idAt('student', 77),
      from: '2020-01-13',
      to: '2020-01-02',
      method: 'cheque',
    },
  },
}
