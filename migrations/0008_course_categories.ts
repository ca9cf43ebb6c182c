import type { Migration } from '#db/schema-kit.ts'

/** The tree of course categories. */
export const courseCategories: Migration = {
  async up(db, kit) {
    await kit
      .tenantTable(db, 'course_category')
      .addColumn('parent_id', kit.id)
      .addColumn('name', kit.text, (c) => c.notNull())
      .addColumn('slug', kit.text, (c) => c.notNull())
      .addColumn('sort_order', kit.integer, (c) => c.notNull())
      .addColumn('is_active', kit.flag, (c) => c.notNull())
      .addColumn('created_at', kit.instant, (c) => c.notNull())
      .addColumn('updated_at', kit.instant, (c) => c.notNull())
      .$call(kit.belongsTo('parent_id', 'course_category'))
      .execute()
    await kit.unique(db, 'course_category', ['tenant_id', 'slug'])
    await kit.index(db, 'course_category', ['tenant_id', 'parent_id'])
  },
}
