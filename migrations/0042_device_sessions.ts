import type { Migration } from '#db/schema-kit.ts'

/**
 * A browser gets push messages as long as the session lives in which it was registered. Of those that are registered
 * nobody knows that session any more: they register again when the app is opened there.
 */
export const deviceSessions: Migration = {
  async up(db, kit) {
    const { id, text, instant } = kit
    await db.schema.dropTable('push_device').execute()
    await kit
      .tenantTable(db, 'push_device')
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('auth_session_id', id, (c) => c.notNull().references('auth_session.id').onDelete('cascade'))
      .addColumn('endpoint_tag', text, (c) => c.notNull())
      .addColumn('subscription', text, (c) => c.notNull())
      .addColumn('application_server_key', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .execute()
    await kit.unique(db, 'push_device', ['tenant_id', 'endpoint_tag'])
    await kit.index(db, 'push_device', ['tenant_id', 'user_id', 'created_at', 'id'])
    await kit.index(db, 'push_device', ['auth_session_id'])
  },
}
