import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * What payers have in credit: money that lies on no invoice, with every movement of it; the credit notes that make some of
 * it, and the refunds that pay it out.
 */
export const payerAccounts: Migration = {
  rowsOfAValue: {
    receipt_id: 1,
    invoice_id: 2,
    guardian_id: 2,
    student_id: 2,
    account_id: 8,
    credit_note_id: 1,
    refund_id: 1,
  },
  async up(db, kit) {
    const { id, text, instant, integer, date, json } = kit
    await db.schema
      .alterTable('invoice')
      .addColumn('credited_minor', integer, (c) => c.notNull().defaultTo(0))
      .execute()
    await kit
      .tenantTable(db, 'payer_account')
      .addColumn('branch_id', id, (c) => c.notNull())
      .addColumn('guardian_id', id)
      .addColumn('student_id', id)
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('credit_minor', integer, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .$call(kit.belongsTo('guardian_id', 'guardian'))
      .$call(kit.belongsTo('student_id', 'student'))
      .addCheckConstraint('payer_account_holder_check', sql`(guardian_id is null) <> (student_id is null)`)
      .addCheckConstraint('payer_account_credit_check', sql`credit_minor >= 0`)
      .execute()
    await kit.index(db, 'payer_account', ['tenant_id', 'guardian_id'], sql`guardian_id is not null`)
    await kit.index(db, 'payer_account', ['tenant_id', 'student_id'], sql`student_id is not null`)
    await kit.index(db, 'payer_account', ['tenant_id', 'branch_id'])

    await kit
      .tenantTable(db, 'credit_note')
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addColumn('number', text, (c) => c.notNull())
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('settled_minor', integer, (c) => c.notNull())
      .addColumn('lines', json, (c) => c.notNull())
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('issue_date', date, (c) => c.notNull())
      .addColumn('kept', json, (c) => c.notNull())
      .addColumn('by_user_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .addCheckConstraint(
        'credit_note_amount_check',
        sql`amount_minor > 0 and settled_minor between 0 and amount_minor`,
      )
      .execute()
    await kit.unique(db, 'credit_note', ['tenant_id', 'number'])
    await kit.index(db, 'credit_note', ['tenant_id', 'invoice_id', 'created_at', 'id'])
    await kit.index(db, 'credit_note', ['tenant_id', 'created_at', 'id'])
    await kit.appendOnly(db, 'credit_note')

    await kit
      .tenantTable(db, 'refund')
      .addColumn('branch_id', id, (c) => c.notNull())
      .addColumn('guardian_id', id)
      .addColumn('student_id', id)
      .addColumn('number', text, (c) => c.notNull())
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('method', text, (c) => c.notNull())
      .addColumn('reference', text)
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('kept', json, (c) => c.notNull())
      .addColumn('paid_at', instant, (c) => c.notNull())
      .addColumn('by_user_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .$call(kit.belongsTo('guardian_id', 'guardian'))
      .$call(kit.belongsTo('student_id', 'student'))
      .$call(kit.oneOf('refund', 'method', ['cash', 'card', 'bank_transfer', 'cheque', 'online', 'other']))
      .addCheckConstraint('refund_holder_check', sql`(guardian_id is null) <> (student_id is null)`)
      .addCheckConstraint('refund_amount_check', sql`amount_minor > 0`)
      .execute()
    await kit.unique(db, 'refund', ['tenant_id', 'number'])
    await kit.index(db, 'refund', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'refund', ['tenant_id', 'branch_id', 'created_at', 'id'])
    await kit.index(db, 'refund', ['tenant_id', 'guardian_id'], sql`guardian_id is not null`)
    await kit.index(db, 'refund', ['tenant_id', 'student_id'], sql`student_id is not null`)

    await kit
      .tenantTable(db, 'credit_entry')
      .addColumn('account_id', id, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('receipt_id', id)
      .addColumn('invoice_id', id)
      .addColumn('credit_note_id', id)
      .addColumn('refund_id', id)
      .addColumn('reverses_entry_id', id)
      .addColumn('reference', text)
      .addColumn('reason', text)
      .addColumn('at', instant, (c) => c.notNull())
      .addColumn('by_user_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('account_id', 'payer_account'))
      .$call(kit.belongsTo('receipt_id', 'receipt'))
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .$call(kit.belongsTo('credit_note_id', 'credit_note'))
      .$call(kit.belongsTo('refund_id', 'refund'))
      .$call(kit.belongsTo('reverses_entry_id', 'credit_entry'))
      .$call(kit.oneOf('credit_entry', 'kind', ['received', 'applied', 'credited', 'refunded']))
      .addCheckConstraint(
        'credit_entry_amount_check',
        sql`amount_minor <> 0 and ((kind in ('received', 'credited')) = (amount_minor > 0)) = (reverses_entry_id is null)`,
      )
      .execute()
    await kit.unique(db, 'credit_entry', ['tenant_id', 'reverses_entry_id'])
    await kit.index(db, 'credit_entry', ['tenant_id', 'account_id', 'created_at', 'id'])
    await kit.index(db, 'credit_entry', ['tenant_id', 'receipt_id'], sql`receipt_id is not null`)
    await kit.index(db, 'credit_entry', ['tenant_id', 'invoice_id'], sql`invoice_id is not null`)
    await kit.index(db, 'credit_entry', ['tenant_id', 'credit_note_id'], sql`credit_note_id is not null`)
    await kit.index(db, 'credit_entry', ['tenant_id', 'refund_id'], sql`refund_id is not null`)
    await kit.index(db, 'credit_entry', ['tenant_id', 'kind', 'at'])
    await kit.appendOnly(db, 'credit_entry')
  },
}
