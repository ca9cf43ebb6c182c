import type { Migration } from '#db/schema-kit.ts'

/** Parents who live apart: of each guardian of a student, whether they see the lessons, and whether they see the money. */
export const whatGuardiansSee: Migration = {
  async up(db, kit) {
    const isTrue = kit.engine === 'postgres' ? true : 1
    for (const column of ['sees_learning', 'sees_money']) {
      await db.schema
        .alterTable('guardian_link')
        .addColumn(column, kit.flag, (c) => c.notNull().defaultTo(isTrue))
        .execute()
    }
  },
}
