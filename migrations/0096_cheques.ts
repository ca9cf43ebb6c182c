import { sql } from 'kysely'
import type { AnyDb, Migration, SchemaKit } from '#db/schema-kit.ts'

/** What a cheque says, and whom it is from on which receipt: nobody changes it once it is taken. */
const WRITTEN = [
  'id',
  'tenant_id',
  'branch_id',
  'receipt_id',
  'bank',
  'bank_branch',
  'account',
  'number',
  'amount_minor',
  'currency',
  'due_on',
  'created_at',
]

/** Makes the database refuse to delete a cheque, and to change what is written on it: only what becomes of it changes. */
const keepWritten = async (db: AnyDb, { engine }: SchemaKit): Promise<void> => {
  const differs = (operator: string) => WRITTEN.map((column) => `new.${column} ${operator} old.${column}`).join(' or ')
  const statements =
    engine === 'sqlite'
      ? [
          `create trigger "cheque_no_delete" before delete on "cheque" begin select raise(abort, 'cheque is append-only'); end`,
          `create trigger "cheque_no_rewrite" before update on "cheque" when ${differs('is not')} begin select raise(abort, 'cheque is append-only'); end`,
        ]
      : [
          `create trigger "cheque_no_delete" before delete or truncate on "cheque" for each statement execute function refuse_change()`,
          `create trigger "cheque_no_rewrite" before update on "cheque" for each row when (${differs('is distinct from')}) execute function refuse_change()`,
        ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/**
 * Cheques, which are held until their day and are a payment of their receipt then; what each is to pay, and what it paid;
 * and the lists with which they are taken to the bank.
 */
export const cheques: Migration = {
  rowsOfAValue: {
    receipt_id: 12,
    deposit_id: 20,
    invoice_id: 2,
    guardian_id: 12,
    student_id: 12,
    cheque_id: 1,
    payment_id: 1,
    credit_entry_id: 1,
  },
  async up(db, kit) {
    const { id, text, instant, integer, date } = kit
    await kit
      .tenantTable(db, 'cheque_deposit')
      .addColumn('branch_id', id, (c) => c.notNull())
      .addColumn('number', text, (c) => c.notNull())
      .addColumn('bank_account', text, (c) => c.notNull())
      .addColumn('deposited_on', date, (c) => c.notNull())
      .addColumn('by_user_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .execute()
    await kit.unique(db, 'cheque_deposit', ['tenant_id', 'number'])
    await kit.index(db, 'cheque_deposit', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'cheque_deposit', ['tenant_id', 'branch_id', 'created_at', 'id'])
    await kit.appendOnly(db, 'cheque_deposit')

    await kit
      .tenantTable(db, 'cheque')
      .addColumn('branch_id', id, (c) => c.notNull())
      .addColumn('receipt_id', id, (c) => c.notNull())
      .addColumn('guardian_id', id)
      .addColumn('student_id', id)
      .addColumn('bank', text, (c) => c.notNull())
      .addColumn('bank_branch', text, (c) => c.notNull())
      .addColumn('account', text, (c) => c.notNull())
      .addColumn('number', text, (c) => c.notNull())
      .addColumn('same_as', text, (c) => c.notNull())
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('due_on', date, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('deposit_id', id)
      .addColumn('fee_invoice_id', id)
      .addColumn('replaced_by_receipt_id', id)
      .addColumn('by_user_id', id)
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addColumn('search_text', text, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .$call(kit.belongsTo('receipt_id', 'receipt'))
      .$call(kit.belongsTo('guardian_id', 'guardian'))
      .$call(kit.belongsTo('student_id', 'student'))
      .$call(kit.belongsTo('deposit_id', 'cheque_deposit'))
      .$call(kit.belongsTo('fee_invoice_id', 'invoice'))
      .$call(kit.belongsTo('replaced_by_receipt_id', 'receipt'))
      .$call(kit.oneOf('cheque', 'status', ['held', 'due', 'deposited', 'cleared', 'bounced', 'returned', 'replaced']))
      .addCheckConstraint('cheque_holder_check', sql`(guardian_id is null) <> (student_id is null)`)
      .addCheckConstraint('cheque_amount_check', sql`amount_minor > 0`)
      .execute()
    // A cheque that was given back, or given for another one, may be brought again.
    await kit.unique(db, 'cheque', ['tenant_id', 'same_as'], sql`status not in ('returned', 'replaced')`)
    await kit.index(db, 'cheque', ['tenant_id', 'due_on', 'id'])
    await kit.index(db, 'cheque', ['tenant_id', 'status', 'due_on', 'id'])
    await kit.index(db, 'cheque', ['tenant_id', 'branch_id', 'due_on', 'id'])
    await kit.index(db, 'cheque', ['tenant_id', 'receipt_id'])
    await kit.index(db, 'cheque', ['tenant_id', 'guardian_id', 'due_on', 'id'], sql`guardian_id is not null`)
    await kit.index(db, 'cheque', ['tenant_id', 'student_id', 'due_on', 'id'], sql`student_id is not null`)
    await kit.index(db, 'cheque', ['tenant_id', 'deposit_id', 'due_on', 'id'], sql`deposit_id is not null`)
    await kit.index(db, 'cheque', ['tenant_id', 'fee_invoice_id'], sql`fee_invoice_id is not null`)
    await kit.index(db, 'cheque', ['tenant_id', 'replaced_by_receipt_id'], sql`replaced_by_receipt_id is not null`)
    // What the sweep follows, through all institutes.
    await kit.index(db, 'cheque', ['status', 'due_on', 'tenant_id', 'id'])
    await kit.searchIndex(db, 'cheque')
    await keepWritten(db, kit)

    await kit
      .tenantTable(db, 'cheque_part')
      .addColumn('cheque_id', id, (c) => c.notNull())
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('cheque_id', 'cheque'))
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .addCheckConstraint('cheque_part_amount_check', sql`amount_minor > 0`)
      .execute()
    await kit.index(db, 'cheque_part', ['tenant_id', 'cheque_id'])
    await kit.index(db, 'cheque_part', ['tenant_id', 'invoice_id'])
    await kit.appendOnly(db, 'cheque_part')

    await kit
      .tenantTable(db, 'cheque_entry')
      .addColumn('cheque_id', id, (c) => c.notNull())
      .addColumn('payment_id', id)
      .addColumn('credit_entry_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('cheque_id', 'cheque'))
      .$call(kit.belongsTo('payment_id', 'payment'))
      .$call(kit.belongsTo('credit_entry_id', 'credit_entry'))
      .addCheckConstraint('cheque_entry_of_check', sql`(payment_id is null) <> (credit_entry_id is null)`)
      .execute()
    await kit.index(db, 'cheque_entry', ['tenant_id', 'cheque_id'])
    await kit.unique(db, 'cheque_entry', ['tenant_id', 'payment_id'], sql`payment_id is not null`)
    await kit.unique(db, 'cheque_entry', ['tenant_id', 'credit_entry_id'], sql`credit_entry_id is not null`)
    await kit.appendOnly(db, 'cheque_entry')
  },
}
