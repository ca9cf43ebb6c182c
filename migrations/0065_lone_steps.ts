import type { Migration } from '#db/schema-kit.ts'

/** The steps after which the version before them cannot work on the database. */
export const loneSteps: Migration = {
  async up(db, { text }) {
    await db.schema
      .createTable('schema_migration_alone')
      .addColumn('name', text, (c) => c.primaryKey())
      .execute()
  },
}
