import type { Migration } from '#db/schema-kit.ts'

/** Sign-in sessions. */
export const identity: Migration = {
  async up(db, kit) {
    const { id, text, instant } = kit
    await db.schema
      .createTable('auth_session')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('tenant_id', id, (c) => c.references('tenant.id'))
      .addColumn('client', text, (c) => c.notNull())
      .addColumn('ip', text)
      .addColumn('user_agent', text)
      .addColumn('token_hash', text, (c) => c.notNull().unique())
      .addColumn('previous_hash', text)
      .addColumn('rotated_at', instant)
      .addColumn('expires_at', instant, (c) => c.notNull())
      .addColumn('ends_at', instant, (c) => c.notNull())
      .addColumn('revoked_at', instant)
      .addColumn('impersonator_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('last_used_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('auth_session', 'client', ['web', 'mobile']))
      .execute()
    await kit.index(db, 'auth_session', ['user_id', 'created_at', 'id'])
    await kit.index(db, 'auth_session', ['previous_hash'])
  },
}
