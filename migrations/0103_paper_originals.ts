import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Of a credit note and of a refund one original is handed out, and copies after it, as of a receipt. */
export const paperOriginals: Migration = {
  rowsOfAValue: { credit_note_id: 1, refund_id: 1 },
  async up(db, kit) {
    const { id, instant } = kit
    await kit
      .tenantTable(db, 'paper_original')
      .addColumn('credit_note_id', id)
      .addColumn('refund_id', id)
      .addColumn('taken_at', instant, (c) => c.notNull())
      .addColumn('taken_by', id, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('credit_note_id', 'credit_note'))
      .$call(kit.belongsTo('refund_id', 'refund'))
      .addCheckConstraint('paper_original_of_check', sql`(credit_note_id is null) <> (refund_id is null)`)
      .execute()
    await kit.unique(db, 'paper_original', ['tenant_id', 'credit_note_id'])
    await kit.unique(db, 'paper_original', ['tenant_id', 'refund_id'])
  },
}
