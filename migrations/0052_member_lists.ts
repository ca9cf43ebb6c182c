import type { Migration } from '#db/schema-kit.ts'

/** Who works here is found by role: families may be a thousand times as many. */
export const memberLists: Migration = {
  async up(db, kit) {
    await kit.index(db, 'role_assignment', ['tenant_id', 'role_id', 'membership_id'])
  },
}
