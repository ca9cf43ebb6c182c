import type { Migration } from '#db/schema-kit.ts'

/** The registrations of the last day: what a key has left of its day, and which registration came before. */
export const publicRegistrations: Migration = {
  rowsOfAValue: { api_key_id: 300 },
  async up(db, kit) {
    const { id, text, instant } = kit
    await db.schema
      .createTable('public_registration')
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      .addColumn('lead_id', id, (c) => c.notNull())
      .addColumn('api_key_id', id, (c) => c.notNull())
      .addColumn('fingerprint', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('public_registration_pkey', ['tenant_id', 'lead_id'])
      .$call(kit.belongsTo('lead_id', 'lead', 'cascade'))
      .$call(kit.belongsTo('api_key_id', 'api_key'))
      .execute()
    await kit.unique(db, 'public_registration', ['tenant_id', 'api_key_id', 'fingerprint'])
    await kit.index(db, 'public_registration', ['tenant_id', 'api_key_id', 'created_at'])
    await kit.index(db, 'public_registration', ['created_at'])
  },
}
