import type { Migration } from '#db/schema-kit.ts'

/** Protects sign-in: failed attempts, tokens in mails, and recently rotated refresh tokens. */
export const identityTokens: Migration = {
  async up(db, kit) {
    const { id, text, instant, json } = kit

    // For all addresses that were tried, whether or not they have an account.
    await db.schema
      .createTable('login_guard')
      .addColumn('email_key', text, (c) => c.primaryKey())
      // The times of the attempts that failed or are still being checked, oldest first.
      .addColumn('failures', json, (c) => c.notNull())
      .addColumn('locked_until', instant)
      .addColumn('touched_at', instant, (c) => c.notNull())
      .execute()
    await kit.index(db, 'login_guard', ['touched_at'])

    // One token per user and kind: only the newest is valid.
    await db.schema
      .createTable('email_token')
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('token_hash', text, (c) => c.notNull().unique())
      .addColumn('expires_at', instant, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('email_token_pkey', ['user_id', 'kind'])
      .$call(kit.oneOf('email_token', 'kind', ['reset_password', 'verify_email']))
      .execute()
    await kit.index(db, 'email_token', ['expires_at'])

    // A refresh token contains the id of its session, so even an old one is recognised.
    await db.schema.dropIndex('auth_session_previous_hash_idx').execute()
    await db.schema.alterTable('auth_session').dropColumn('previous_hash').execute()
    await db.schema.alterTable('auth_session').dropColumn('rotated_at').execute()
    await db.schema
      .alterTable('auth_session')
      .addColumn('recent_rotations', json, (c) => c.notNull().defaultTo('[]'))
      .execute()
    await kit.index(db, 'auth_session', ['expires_at'])
  },
}
