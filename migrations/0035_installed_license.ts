import type { Migration } from '#db/schema-kit.ts'

/** The licence of a self-hosted institute, and what its conversation with the vendor has come to: one row, or none. */
export const installedLicense: Migration = {
  async up(db, kit) {
    const { id, text, instant, integer, json } = kit
    await db.schema
      .createTable('installed_license')
      .addColumn('tenant_id', id, (c) => c.primaryKey().references('tenant.id'))
      .addColumn('install_id', id, (c) => c.notNull())
      // Encrypted.
      .addColumn('install_secret', text, (c) => c.notNull())
      .addColumn('activation', integer, (c) => c.notNull())
      .addColumn('activated_at', instant, (c) => c.notNull())
      .addColumn('license', json, (c) => c.notNull())
      .addColumn('applied', json, (c) => c.notNull())
      .addColumn('max_observed_at', instant, (c) => c.notNull())
      .addColumn('counter', integer, (c) => c.notNull())
      .addColumn('acknowledge', json, (c) => c.notNull())
      .addColumn('last_server_at', instant)
      .addColumn('last_heartbeat_at', instant)
      .addColumn('last_error', text)
      .addColumn('next_heartbeat_at', instant)
      .execute()
  },
}
