import type { Migration } from '#db/schema-kit.ts'

/** What guards sign-in: failed attempts, the tokens that mails carry, and which refresh tokens were just rotated. */
export const identityTokens: Migration = {
  async up(db, kit) {
    const { id, text, instant, json } = kit

    // For any address that somebody tried, known or not.
    await db.schema
      .createTable('login_guard')
      .addColumn('email_key', text, (c) => c.primaryKey())
      // The instants of the attempts that failed or are still being checked, oldest first.
      .addColumn('failures', json, (c) => c.notNull())
      .addColumn('locked_until', instant)
      .addColumn('touched_at', instant, (c) => c.notNull())
      .execute()
    await kit.index(db, 'login_guard', ['touched_at'])

    // One of a kind for each user: only the newest is good.
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

    // A refresh token names its session, so that also one from long ago is known for what it is.
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
