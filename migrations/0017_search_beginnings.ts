import type { Migration } from '#db/schema-kit.ts'

/** The search index also finds words of one and two letters, at the beginning of words. */
export const searchBeginnings: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'guardian', 'staff', 'group']) await kit.searchIndex(db, table)
  },
}
