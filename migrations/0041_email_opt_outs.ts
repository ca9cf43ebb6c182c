import type { Migration } from '#db/schema-kit.ts'

/** Email addresses that want no more mails from an institute. Members with an account have preferences instead. */
export const emailOptOuts: Migration = {
  async up(db, kit) {
    const { id, text, instant } = kit
    await db.schema
      .createTable('email_opt_out')
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      // In lower case.
      .addColumn('email_key', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('email_opt_out_pkey', ['tenant_id', 'email_key'])
      .execute()
  },
}
