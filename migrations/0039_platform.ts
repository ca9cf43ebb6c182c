import { sql } from 'kysely'
import { fold } from '#shared/text.ts'
import type { Migration } from '#db/schema-kit.ts'

/**
 * For the platform's lists: search of institutes, indexes for the filters of institutes and accounts, and for those of
 * the audit log across institutes. Also finds the sessions in which a platform admin impersonates somebody.
 */
export const platform: Migration = {
  async up(db, kit) {
    await db.schema
      .alterTable('tenant')
      .addColumn('search_text', kit.text, (c) => c.notNull().defaultTo(''))
      .execute()
    for (const { id, name, slug } of await db.selectFrom('tenant').selectAll().execute()) {
      await db
        .updateTable('tenant')
        .set({ search_text: fold(`${name} ${slug}`) })
        .where('id', '=', id)
        .execute()
    }
    await kit.searchIndex(db, 'tenant')
    await kit.index(db, 'tenant', ['created_at', 'id'])
    for (const filter of ['status', 'deployment_mode']) {
      await kit.index(db, 'tenant', [filter, 'created_at', 'id'])
    }

    await kit.index(db, 'user', ['created_at', 'id'])
    for (const filter of ['status', 'is_platform_admin']) await kit.index(db, 'user', [filter, 'created_at', 'id'])

    for (const filter of ['action', 'entity_type', 'entity_id', 'actor_user_id']) {
      await kit.index(db, 'audit_entry', [filter, 'created_at', 'id'])
    }

    await kit.index(db, 'auth_session', ['impersonator_id'], sql`impersonator_id is not null`)
  },
}
