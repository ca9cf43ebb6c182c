import type { Migration } from '#db/schema-kit.ts'

/** Indexes for lists of one branch with a rare status: withdrawn, cancelled, overdue. */
export const branchStatusIndexes: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'group', 'invoice']) {
      await kit.index(db, table, ['tenant_id', 'branch_id', 'status', 'created_at', 'id'])
    }
    await kit.index(db, 'staff', ['tenant_id', 'branch_id', 'is_active', 'created_at', 'id'])
  },
}
