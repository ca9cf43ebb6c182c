import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** What each person took and paid out by hand, and their closes, in which every such movement is counted once. */
export const tills: Migration = {
  rowsOfAValue: { close_id: 30, payment_id: 1, credit_entry_id: 1 },
  async up(db, kit) {
    const { id, text, instant, integer, json } = kit
    await kit
      .tenantTable(db, 'till_close')
      .addColumn('user_id', id, (c) => c.notNull())
      .addColumn('user_name', text, (c) => c.notNull())
      // null: what was taken belongs to several branches.
      .addColumn('branch_id', id)
      .addColumn('lines', json, (c) => c.notNull())
      .addColumn('note', text)
      .addColumn('since', instant, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .execute()
    await kit.index(db, 'till_close', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'till_close', ['tenant_id', 'user_id', 'created_at', 'id'])
    await kit.index(db, 'till_close', ['tenant_id', 'branch_id', 'created_at', 'id'])
    await kit.appendOnly(db, 'till_close')

    await kit
      .tenantTable(db, 'till_entry')
      .addColumn('user_id', id, (c) => c.notNull())
      .addColumn('branch_id', id, (c) => c.notNull())
      .addColumn('method', text, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('payment_id', id)
      .addColumn('credit_entry_id', id)
      .addColumn('refund_id', id)
      // null: it is in the till still.
      .addColumn('close_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .$call(kit.belongsTo('payment_id', 'payment'))
      .$call(kit.belongsTo('credit_entry_id', 'credit_entry'))
      .$call(kit.belongsTo('refund_id', 'refund'))
      .$call(kit.belongsTo('close_id', 'till_close'))
      .$call(kit.oneOf('till_entry', 'method', ['cash', 'card', 'bank_transfer', 'cheque', 'online', 'other']))
      .execute()
    await kit.unique(db, 'till_entry', ['tenant_id', 'payment_id'], sql`payment_id is not null`)
    await kit.unique(db, 'till_entry', ['tenant_id', 'credit_entry_id'], sql`credit_entry_id is not null`)
    await kit.unique(db, 'till_entry', ['tenant_id', 'refund_id'], sql`refund_id is not null`)
    await kit.index(db, 'till_entry', ['tenant_id', 'user_id', 'created_at', 'id'], sql`close_id is null`)
    await kit.index(db, 'till_entry', ['tenant_id', 'close_id', 'created_at', 'id'], sql`close_id is not null`)
    await kit.index(db, 'till_entry', ['tenant_id', 'branch_id'])
    // Reports add up what credit notes of some days took back.
    await kit.index(db, 'credit_note', ['tenant_id', 'issue_date'])
  },
}
