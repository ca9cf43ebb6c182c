import type { Migration } from '#db/schema-kit.ts'

/** A billing run keeps how many it did not bill, by the reason; null: of the version before, which did not count them. */
export const runOutcomes: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('billing_run').addColumn('skipped', kit.json).execute()
    await kit.index(db, 'billing_run', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'billing_run', ['tenant_id', 'month', 'created_at', 'id'])
  },
}
