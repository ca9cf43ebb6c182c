import type { Migration } from '#db/schema-kit.ts'

/** What a request for many invoices has done before its process died, so that a repeat of it does nothing twice. */
export const invoiceSteps: Migration = {
  async up(db, kit) {
    const { id, text, instant } = kit
    await db.schema
      .createTable('invoice_step')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('request_hash', text, (c) => c.notNull())
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('invoice_step_pkey', ['tenant_id', 'request_hash', 'invoice_id'])
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .execute()
    await kit.index(db, 'invoice_step', ['tenant_id', 'invoice_id'])
    await kit.index(db, 'invoice_step', ['created_at'])
  },
}
