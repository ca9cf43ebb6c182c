import type { Migration } from '#db/schema-kit.ts'

/** An issued invoice keeps the text below it. Those that were issued before have null: the setting of now. */
export const invoiceFooter: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('invoice').addColumn('footer', kit.text).execute()
  },
}
