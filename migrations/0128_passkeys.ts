import type { Migration } from '#db/schema-kit.ts'

/** Passkeys of accounts, and what a browser was asked to sign, once. */
export const passkeys: Migration = {
  async up(db, kit) {
    const { id, text, flag, instant } = kit
    await db.schema
      .createTable('passkey')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('credential_id', text, (c) => c.notNull().unique())
      .addColumn('public_key', text, (c) => c.notNull())
      .addColumn('rp_id', text, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('sign_count', kit.integer, (c) => c.notNull())
      .addColumn('is_synced', flag, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('last_used_at', instant)
      .execute()
    await kit.index(db, 'passkey', ['user_id', 'created_at', 'id'])
    await db.schema
      .createTable('passkey_challenge')
      .addColumn('challenge_hash', text, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.references('user.id'))
      .addColumn('expires_at', instant, (c) => c.notNull())
      .execute()
    await kit.index(db, 'passkey_challenge', ['expires_at'])
  },
}
