import type { Migration } from '#db/schema-kit.ts'

/** Programs that registered themselves, and what members have allowed them: each grant is a session of its own. */
export const oauth: Migration = {
  rebuilds: true,
  async up(db, kit) {
    const { id, text, instant, json } = kit
    await kit.rebuild(db, 'auth_session', { rules: [kit.oneOf('auth_session', 'client', ['web', 'mobile', 'mcp'])] })
    await db.schema
      .createTable('oauth_client')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('uri', text)
      .addColumn('redirect_uris', json, (c) => c.notNull())
      .addColumn('used_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .execute()
    await kit.index(db, 'oauth_client', ['used_at', 'created_at'])
    await kit
      .tenantTable(db, 'oauth_grant')
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('membership_id', id, (c) => c.notNull())
      .addColumn('client_id', text, (c) => c.notNull())
      .addColumn('client_name', text, (c) => c.notNull())
      .addColumn('client_uri', text)
      .addColumn('redirect_uri', text, (c) => c.notNull())
      .addColumn('code_challenge', text, (c) => c.notNull())
      .addColumn('scope', text, (c) => c.notNull())
      .addColumn('resource', text, (c) => c.notNull())
      .addColumn('redeemed_at', instant)
      .addColumn('ended_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addForeignKeyConstraint('oauth_grant_id_fkey', ['id'], 'auth_session', ['id'], (c) => c.onDelete('cascade'))
      .$call(kit.belongsTo('membership_id', 'membership', 'cascade'))
      .execute()
    await kit.unique(db, 'oauth_grant', ['id'])
    await kit.index(db, 'oauth_grant', ['user_id', 'created_at', 'id'])
    await kit.index(db, 'oauth_grant', ['tenant_id', 'membership_id', 'created_at', 'id'])
  },
}
