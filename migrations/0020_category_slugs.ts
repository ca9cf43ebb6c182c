import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** The slug of a category is stored as given, and unique without regard to case. Until now, slugs were lower case. */
export const categorySlugs: Migration = {
  async up(db, kit) {
    await db.schema
      .alterTable('course_category')
      .addColumn('slug_key', kit.text, (column) => column.notNull().defaultTo(''))
      .execute()
    await sql`update course_category set slug_key = slug`.execute(db)
    await db.schema.dropIndex('course_category_tenant_id_slug_key').execute()
    await kit.unique(db, 'course_category', ['tenant_id', 'slug_key'])
  },
}
