import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Invoices, invoice lines and payments. */
export const billing: Migration = {
  rowsOfAValue: { method: 40_000, due_date: 200, invoice_id: 3 },
  async up(db, kit) {
    const { id, text, instant, date, integer, real } = kit
    await kit
      .tenantTable(db, 'invoice')
      .addColumn('branch_id', id, (c) => c.notNull())
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('number', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('issue_date', date, (c) => c.notNull())
      .addColumn('due_date', date, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('subtotal_minor', integer, (c) => c.notNull())
      .addColumn('discount_minor', integer, (c) => c.notNull())
      .addColumn('tax_minor', integer, (c) => c.notNull())
      .addColumn('total_minor', integer, (c) => c.notNull())
      .addColumn('paid_minor', integer, (c) => c.notNull().defaultTo(0))
      .addColumn('notes', text)
      .addColumn('void_reason', text)
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .$call(kit.belongsTo('student_id', 'student'))
      .$call(kit.oneOf('invoice', 'status', ['draft', 'issued', 'partially_paid', 'paid', 'overdue', 'void']))
      .addCheckConstraint('invoice_total_check', sql`subtotal_minor - discount_minor + tax_minor = total_minor`)
      .addCheckConstraint('invoice_paid_check', sql`paid_minor >= 0 and paid_minor <= total_minor`)
      .execute()
    await kit.unique(db, 'invoice', ['tenant_id', 'number'])
    await kit.index(db, 'invoice', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'invoice', ['tenant_id', 'status', 'created_at', 'id'])
    await kit.index(db, 'invoice', ['tenant_id', 'student_id', 'created_at', 'id'])
    // For the sweep of overdue invoices: its cost depends on the invoices that are due, not on all.
    await kit.index(db, 'invoice', ['due_date', 'tenant_id'], sql`status in ('issued', 'partially_paid')`)

    await kit
      .tenantTable(db, 'invoice_line')
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addColumn('position', integer, (c) => c.notNull())
      .addColumn('description', text, (c) => c.notNull())
      .addColumn('quantity', integer, (c) => c.notNull())
      .addColumn('unit_amount_minor', integer, (c) => c.notNull())
      .addColumn('discount_minor', integer, (c) => c.notNull())
      .addColumn('tax_rate_percent', real, (c) => c.notNull())
      .addColumn('tax_minor', integer, (c) => c.notNull())
      .addColumn('total_minor', integer, (c) => c.notNull())
      .addColumn('enrollment_id', id)
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .$call(kit.belongsTo('enrollment_id', 'enrollment'))
      .execute()
    await kit.index(db, 'invoice_line', ['tenant_id', 'invoice_id', 'position'])
    await kit.index(db, 'invoice_line', ['tenant_id', 'enrollment_id'])

    await kit
      .tenantTable(db, 'payment')
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('method', text, (c) => c.notNull())
      .addColumn('provider', text, (c) => c.notNull())
      .addColumn('reference', text)
      .addColumn('reason', text)
      .addColumn('reverses_payment_id', id)
      .addColumn('received_at', instant, (c) => c.notNull())
      .addColumn('received_by_user_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .$call(kit.belongsTo('reverses_payment_id', 'payment'))
      .$call(kit.oneOf('payment', 'method', ['cash', 'card', 'bank_transfer', 'cheque', 'online', 'other']))
      .addCheckConstraint(
        'payment_amount_check',
        sql`(reverses_payment_id is null and amount_minor > 0) or (reverses_payment_id is not null and amount_minor < 0)`,
      )
      .execute()
    await kit.unique(db, 'payment', ['tenant_id', 'reverses_payment_id'])
    await kit.index(db, 'payment', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'payment', ['tenant_id', 'invoice_id', 'created_at', 'id'])
    await kit.index(db, 'payment', ['tenant_id', 'method', 'created_at', 'id'])
    await kit.index(db, 'payment', ['tenant_id', 'received_at'])
    await kit.appendOnly(db, 'payment')
  },
}
