import type { Migration } from '#db/schema-kit.ts'

/** The index of searches finds words of one and two letters by what they begin. */
export const searchBeginnings: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'guardian', 'staff', 'group']) await kit.searchIndex(db, table)
  },
}
