import type { Migration } from '#db/schema-kit.ts'

/** Searches of institutes that grew before `searchable` asked for a larger sample. */
export const searchStatistics: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'guardian', 'staff', 'group']) await kit.searchSample(db, table)
  },
}
