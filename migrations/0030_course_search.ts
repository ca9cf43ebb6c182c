import { fold } from '#shared/text.ts'
import type { Migration } from '#db/schema-kit.ts'

/** Courses can be searched by name and code. */
export const courseSearch: Migration = {
  async up(db, kit) {
    await db.schema
      .alterTable('course')
      .addColumn('search_text', kit.text, (c) => c.notNull().defaultTo(''))
      .execute()
    // Folded as the program that runs this step folds what is typed.
    for (const { tenant_id, id, name, code } of await db.selectFrom('course').selectAll().execute()) {
      await db
        .updateTable('course')
        .set({ search_text: fold(`${name} ${code ?? ''}`) })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .execute()
    }
    await kit.searchIndex(db, 'course')
  },
}
