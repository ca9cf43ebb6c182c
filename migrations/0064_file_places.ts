import type { Migration } from '#db/schema-kit.ts'

/** Where the bytes of each file are, and where the new ones of an institute go that was moved. */
export const filePlaces: Migration = {
  async up(db, kit) {
    for (const table of ['file', 'file_upload', 'export']) {
      await db.schema
        .alterTable(table)
        .addColumn('place', kit.text, (c) => c.notNull().defaultTo('disk'))
        .execute()
    }
    await kit
      .tenantTable(db, 'file_home')
      .addColumn('place', kit.text, (c) => c.notNull())
      .addColumn('updated_at', kit.instant, (c) => c.notNull())
      .execute()
    await kit.unique(db, 'file_home', ['tenant_id'])
  },
}
