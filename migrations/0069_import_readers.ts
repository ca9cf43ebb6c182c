import type { Migration } from '#db/schema-kit.ts'

/** An import remembers how many of the processes that read its file have ended on it. */
export const importReaders: Migration = {
  async up(db, { integer }) {
    await db.schema
      .alterTable('import')
      .addColumn('readers_ended', integer, (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
