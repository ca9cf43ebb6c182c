import type { Migration } from '#db/schema-kit.ts'

/** What lists and the sweep of a large institute were still sorting or going through as a whole. */
export const listIndexes: Migration = {
  async up(db, kit) {
    await kit.index(db, 'role', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'invoice', ['tenant_id', 'branch_id', 'created_at', 'id'])
    await kit.index(db, 'payment', ['tenant_id', 'received_at', 'id'])
    await db.schema.dropIndex('payment_tenant_id_received_at_idx').execute()
    // The sweep's: an index over some statuses is of no use to SQLite where the status is a parameter.
    await kit.index(db, 'invoice', ['status', 'due_date', 'tenant_id'])
    await db.schema.dropIndex('invoice_due_date_tenant_id_idx').execute()
  },
}
