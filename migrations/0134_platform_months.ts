import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * Figures of the vendor: when an institute was closed for good, and what is counted of each month. And whether an account
 * has a second factor, for those who manage the members of its institutes.
 */
export const platformMonths: Migration = {
  async up(db, kit) {
    const { text, integer, json, instant, flag } = kit
    const [no, yes] = kit.engine === 'sqlite' ? [0, 1] : [false, true]
    await db.schema
      .alterTable('user')
      .addColumn('has_second_factor', flag, (c) => c.notNull().defaultTo(no))
      .execute()
    await sql`
      update "user" set has_second_factor = ${yes}
      where id in (select user_id from second_factor where enabled_at is not null) or id in (select user_id from passkey)
    `.execute(db)
    await db.schema.alterTable('tenant').addColumn('archived_at', instant).execute()
    // Nothing is changed in an institute that is closed, and its log says when it was. One whose log is silent was closed
    // when its record was last written.
    await sql`
      update tenant set archived_at = coalesce(
        (select min(entry.created_at) from audit_entry as entry
          where entry.tenant_id = tenant.id and entry.action = 'platform-tenants.archive' and entry.entity_id = tenant.id),
        tenant.updated_at)
      where tenant.status = 'archived'
    `.execute(db)
    await kit.index(db, 'tenant', ['archived_at', 'id'])
    await kit.index(db, 'tenant', ['locked_at', 'id'])
    await kit.index(db, 'subscription', ['cancelled_at', 'id'])
    await db.schema
      .createTable('platform_month')
      .addColumn('month', text, (c) => c.primaryKey())
      .addColumn('students', integer, (c) => c.notNull())
      .addColumn('recurring', json, (c) => c.notNull())
      .addColumn('counted_at', instant, (c) => c.notNull())
      .execute()
  },
}
