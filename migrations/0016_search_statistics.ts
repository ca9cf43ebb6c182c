import type { Migration } from '#db/schema-kit.ts'

/** A larger sample for search, for tables that were created before `searchable` asked for it. */
export const searchStatistics: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'guardian', 'staff', 'group']) await kit.searchSample(db, table)
  },
}
