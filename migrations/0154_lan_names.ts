import type { Migration } from '#db/schema-kit.ts'

/** Names in the vendor's zone, which servers with a licence have on their own networks. */
export const lanNames: Migration = {
  async up(db, kit) {
    const { id, text, json, instant } = kit
    await db.schema
      .createTable('license_lan_name')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('license_id', id, (c) => c.notNull().references('license.id').onDelete('cascade'))
      .addColumn('license_install_id', id, (c) =>
        c.notNull().unique().references('license_install.id').onDelete('cascade'),
      )
      .addColumn('label', text, (c) => c.notNull().unique())
      .addColumn('addresses', json, (c) => c.notNull())
      .addColumn('challenge', text)
      .addColumn('challenge_until', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('asked_at', instant, (c) => c.notNull())
      .execute()
    await kit.index(db, 'license_lan_name', ['license_id', 'asked_at', 'id'])
  },
}
