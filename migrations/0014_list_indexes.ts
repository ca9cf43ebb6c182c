import type { Migration } from '#db/schema-kit.ts'

/** Indexes for lists and for a sweep that sorted many rows, or read whole tables, in a large institute. */
export const listIndexes: Migration = {
  async up(db, kit) {
    await kit.index(db, 'role', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'invoice', ['tenant_id', 'branch_id', 'created_at', 'id'])
    await kit.index(db, 'payment', ['tenant_id', 'received_at', 'id'])
    await db.schema.dropIndex('payment_tenant_id_received_at_idx').execute()
    // For the sweep: SQLite cannot use a partial index over some statuses when the status is a parameter.
    await kit.index(db, 'invoice', ['status', 'due_date', 'tenant_id'])
    await db.schema.dropIndex('invoice_due_date_tenant_id_idx').execute()
  },
}
