import type { Migration } from '#db/schema-kit.ts'

/** Whom a run bills though something says that they may be billed already: somebody looked, and a run that goes on knows it. */
export const billedAnyway: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('billing_run').addColumn('bill_anyway', kit.json).execute()
  },
}
