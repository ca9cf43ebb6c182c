import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** A family may come with credit, and a till holds cheques of later days beside what was paid. */
export const creditBroughtAlong: Migration = {
  rebuilds: true,
  // The version before takes every opening balance for an invoice, and every entry of a till for money.
  alone: true,
  rowsOfAValue: { credit_entry_id: 1, cheque_id: 1 },
  async up(db, kit) {
    await kit.rebuild(db, 'credit_entry', {
      rules: [
        kit.oneOf('credit_entry', 'kind', ['received', 'applied', 'credited', 'refunded', 'opened']),
        (table) =>
          table.addCheckConstraint(
            'credit_entry_amount_check',
            sql`amount_minor <> 0 and ((kind in ('received', 'credited', 'opened')) = (amount_minor > 0)) = (reverses_entry_id is null)`,
          ),
      ],
    })
    await db.schema.alterTable('imported_balance').addColumn('credit_entry_id', kit.id).execute()
    await kit.rebuild(db, 'imported_balance', {
      nullable: ['invoice_id'],
      rules: [
        kit.belongsTo('credit_entry_id', 'credit_entry'),
        (table) =>
          table.addCheckConstraint('imported_balance_of_one', sql`(invoice_id is null) <> (credit_entry_id is null)`),
      ],
    })
    await kit.index(db, 'imported_balance', ['tenant_id', 'credit_entry_id'], sql`credit_entry_id is not null`)

    await db.schema.alterTable('till_entry').addColumn('cheque_id', kit.id).execute()
    await kit.rebuild(db, 'till_entry', { rules: [kit.belongsTo('cheque_id', 'cheque')] })
    await kit.index(db, 'till_entry', ['tenant_id', 'cheque_id'], sql`cheque_id is not null`)
    // null: it was closed before tills held cheques.
    await db.schema.alterTable('till_close').addColumn('cheques', kit.json).execute()
  },
}
