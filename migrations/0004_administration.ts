import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Invitations; indexes for the filters of the audit log; whether the currency of an institute can still change. */
export const administration: Migration = {
  async up(db, kit) {
    const { id, text, instant, flag } = kit

    await kit
      .tenantTable(db, 'invitation')
      .addColumn('membership_id', id, (c) => c.notNull())
      .addColumn('token_hash', text, (c) => c.notNull())
      .addColumn('invited_by_user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('expires_at', instant, (c) => c.notNull())
      .addColumn('accepted_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('membership_id', 'membership', 'cascade'))
      .execute()
    await kit.unique(db, 'invitation', ['token_hash'])
    await kit.unique(db, 'invitation', ['tenant_id', 'membership_id'])

    // A member can have a role once for the whole institute, and once for each branch.
    await kit.unique(db, 'role_assignment', ['tenant_id', 'membership_id', 'role_id', 'branch_id'])
    await kit.unique(db, 'role_assignment', ['tenant_id', 'membership_id', 'role_id'], sql`branch_id is null`)

    for (const filter of ['action', 'entity_type', 'actor_user_id']) {
      await kit.index(db, 'audit_entry', ['tenant_id', filter, 'created_at', 'id'])
    }

    await db.schema
      .alterTable('tenant')
      .addColumn('currency_fixed', flag, (c) => c.notNull().defaultTo(kit.engine === 'postgres' ? false : 0))
      .execute()
  },
}
