import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Whom no message reaches and who has a phone: somebody of the office tells them, one of them each. */
export const calls: Migration = {
  rowsOfAValue: { source_id: 30, recipient_id: 20 },
  async up(db, kit) {
    const { id, text, instant, json } = kit
    await kit
      .tenantTable(db, 'notification_call')
      .addColumn('source_id', id, (c) => c.notNull())
      .addColumn('template_key', text, (c) => c.notNull())
      .addColumn('branch_id', id)
      .addColumn('recipient_kind', text, (c) => c.notNull())
      .addColumn('recipient_id', id, (c) => c.notNull())
      .addColumn('recipient_name', text, (c) => c.notNull())
      .addColumn('locale', text, (c) => c.notNull())
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('body', text, (c) => c.notNull())
      .addColumn('payload', json, (c) => c.notNull())
      // null: it can be told at any time.
      .addColumn('happens_at', instant)
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('how', text)
      .addColumn('told_at', instant)
      .addColumn('told_by_user_id', id)
      .addColumn('told_by_name', text)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .$call(kit.oneOf('notification_call', 'recipient_kind', ['student', 'guardian']))
      .$call(kit.oneOf('notification_call', 'locale', ['ar', 'he', 'en']))
      .$call(kit.oneOf('notification_call', 'status', ['open', 'told', 'not_needed']))
      .$call(kit.oneOf('notification_call', 'how', ['call', 'whatsapp', 'sms', 'other']))
      .execute()
    await kit.unique(db, 'notification_call', ['tenant_id', 'source_id', 'recipient_id'])
    await kit.index(db, 'notification_call', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'notification_call', ['tenant_id', 'status', 'created_at', 'id'])
    await kit.index(db, 'notification_call', ['tenant_id', 'source_id', 'created_at', 'id'])
    await kit.index(db, 'notification_call', ['tenant_id', 'recipient_id'])
    await kit.index(db, 'notification_call', ['tenant_id', 'branch_id', 'created_at', 'id'])
    // What is over is not told any more, and what is old is deleted, of all institutes at once.
    await kit.index(db, 'notification_call', ['happens_at'], sql`status = 'open'`)
    await kit.index(db, 'notification_call', ['created_at'])
  },
}
