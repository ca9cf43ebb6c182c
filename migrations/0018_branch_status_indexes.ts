import type { Migration } from '#db/schema-kit.ts'

/** Whoever works for one branch asks for what has a rare status there: withdrawn, cancelled, overdue. */
export const branchStatusIndexes: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'group', 'invoice']) {
      await kit.index(db, table, ['tenant_id', 'branch_id', 'status', 'created_at', 'id'])
    }
    await kit.index(db, 'staff', ['tenant_id', 'branch_id', 'is_active', 'created_at', 'id'])
  },
}
