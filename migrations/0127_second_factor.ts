import type { Migration } from '#db/schema-kit.ts'

/** A second factor at sign-in: the app that shows codes, the codes that stand in for it, and the roles that are asked for it. */
export const secondFactor: Migration = {
  async up(db, kit) {
    const { id, text, flag, instant, engine } = kit
    const no = engine === 'postgres' ? false : 0
    await db.schema
      .createTable('second_factor')
      .addColumn('user_id', id, (c) => c.primaryKey().references('user.id'))
      .addColumn('sealed_secret', text)
      .addColumn('pending_secret', text)
      .addColumn('last_step', kit.integer)
      .addColumn('enabled_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('recovery_code')
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('code_hash', text, (c) => c.notNull())
      .addColumn('used_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('recovery_code_pkey', ['user_id', 'code_hash'])
      .execute()
    await db.schema
      .alterTable('auth_session')
      .addColumn('has_second_factor', flag, (c) => c.notNull().defaultTo(no))
      .execute()
    await db.schema
      .alterTable('role')
      .addColumn('asks_second_factor', flag, (c) => c.notNull().defaultTo(no))
      .execute()
  },
}
