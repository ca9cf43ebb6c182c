import type { Migration } from '#db/schema-kit.ts'

/** What the plan or the licence of an institute grants lies on the institute's own row, where every request finds it. */
export const entitlements: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('tenant').addColumn('plan_features', kit.json).execute()
    await db.schema.alterTable('tenant').addColumn('plan_quotas', kit.json).execute()
    await db.schema.alterTable('tenant').addColumn('writes_end_at', kit.instant).execute()
  },
}
