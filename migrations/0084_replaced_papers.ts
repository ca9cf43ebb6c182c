import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** What an invoice kept of its former payer before it was moved to another one: the paper that the former one holds. */
export const replacedPapers: Migration = {
  async up(db, kit) {
    const { id, json, text, instant } = kit
    await kit
      .tenantTable(db, 'replaced_invoice')
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addColumn('payer_guardian_id', id)
      .addColumn('kept', json, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('invoice_id', 'invoice', 'cascade'))
      .$call(kit.belongsTo('payer_guardian_id', 'guardian'))
      .execute()
    await kit.index(db, 'replaced_invoice', ['tenant_id', 'invoice_id', 'created_at', 'id'])
    await kit.index(db, 'replaced_invoice', ['tenant_id', 'payer_guardian_id'], sql`payer_guardian_id is not null`)
  },
}
