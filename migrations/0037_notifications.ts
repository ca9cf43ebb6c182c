import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

const CHANNELS = ['in_app', 'email', 'sms', 'whatsapp', 'push']
const LOCALES = ['ar', 'en', 'he']

/** What people are told, over which channels, in which words, and how they want to be told. */
export const notifications: Migration = {
  rowsOfAValue: {
    recipient_id: 100,
    inbox_user_id: 100,
    channel: 40_000,
    template_key: 16_000,
    digest_id: 10,
    source_id: 100,
  },
  async up(db, kit) {
    const { id, text, instant, flag, integer, json } = kit
    await kit
      .tenantTable(db, 'notification')
      // The event, or the batch of a message that was sent by hand. People are not told of it twice on one channel.
      .addColumn('source_id', id, (c) => c.notNull())
      .addColumn('template_key', text, (c) => c.notNull())
      .addColumn('channel', text, (c) => c.notNull())
      .addColumn('locale', text, (c) => c.notNull())
      .addColumn('branch_id', id)
      // No foreign keys to people: the log outlives their records.
      .addColumn('recipient_kind', text, (c) => c.notNull())
      .addColumn('recipient_id', id, (c) => c.notNull())
      .addColumn('recipient_name', text, (c) => c.notNull())
      .addColumn('address', text)
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('body', text, (c) => c.notNull())
      .addColumn('payload', json, (c) => c.notNull())
      .addColumn('provider_template_name', text)
      .addColumn('provider_values', json)
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('attempts', integer, (c) => c.notNull())
      .addColumn('generation', integer, (c) => c.notNull())
      .addColumn('next_attempt_at', instant)
      .addColumn('sent_at', instant)
      // Whose inbox it is in; null: in none.
      .addColumn('inbox_user_id', id)
      .addColumn('read_at', instant)
      // Set: it waits for a digest; with digest_id: it went into that one.
      .addColumn('digest_at', instant)
      .addColumn('digest_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('notification', 'channel', CHANNELS))
      .$call(kit.oneOf('notification', 'locale', LOCALES))
      .$call(kit.oneOf('notification', 'recipient_kind', ['user', 'student', 'guardian', 'staff']))
      .$call(kit.oneOf('notification', 'status', ['queued', 'sent', 'failed', 'skipped']))
      .execute()
    await kit.unique(db, 'notification', ['tenant_id', 'source_id', 'recipient_id', 'channel'])
    await kit.index(db, 'notification', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'notification', ['tenant_id', 'branch_id', 'created_at', 'id'])
    await kit.index(db, 'notification', ['tenant_id', 'status', 'created_at', 'id'])
    await kit.index(db, 'notification', ['tenant_id', 'channel', 'created_at', 'id'])
    await kit.index(db, 'notification', ['tenant_id', 'template_key', 'created_at', 'id'])
    await kit.index(
      db,
      'notification',
      ['tenant_id', 'inbox_user_id', 'created_at', 'id'],
      sql`inbox_user_id is not null`,
    )
    await db.schema
      .createIndex('notification_unread_idx')
      .on('notification')
      .columns(['tenant_id', 'inbox_user_id', 'created_at', 'id'])
      .where(sql<boolean>`inbox_user_id is not null and read_at is null`)
      .execute()
    // What a digest takes, and what a digest has forgotten.
    await kit.index(
      db,
      'notification',
      ['tenant_id', 'recipient_id', 'digest_at'],
      sql`digest_at is not null and digest_id is null`,
    )
    await kit.index(db, 'notification', ['digest_at'], sql`digest_at is not null and digest_id is null`)
    await kit.index(db, 'notification', ['tenant_id', 'digest_id'], sql`digest_id is not null`)
    await kit.index(db, 'notification', ['created_at'], sql`status <> 'queued'`)

    await kit
      .tenantTable(db, 'notification_template')
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('channel', text, (c) => c.notNull())
      .addColumn('locale', text, (c) => c.notNull())
      .addColumn('subject', text)
      .addColumn('body', text, (c) => c.notNull())
      .addColumn('provider_template_name', text)
      .addColumn('is_active', flag, (c) => c.notNull())
      // Key, channel and locale in letters that every collation orders alike: what the list is ordered by.
      .addColumn('place', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('notification_template', 'channel', CHANNELS))
      .$call(kit.oneOf('notification_template', 'locale', LOCALES))
      .execute()
    await kit.unique(db, 'notification_template', ['tenant_id', 'key', 'channel', 'locale'])
    await kit.index(db, 'notification_template', ['tenant_id', 'place'])

    await db.schema
      .createTable('notification_preference')
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('channel', text, (c) => c.notNull())
      .addColumn('enabled', flag, (c) => c.notNull())
      .addColumn('digest_mode', text, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('notification_preference_pkey', ['tenant_id', 'user_id', 'channel'])
      .$call(kit.oneOf('notification_preference', 'channel', CHANNELS))
      .$call(kit.oneOf('notification_preference', 'digest_mode', ['immediate', 'daily', 'weekly']))
      .execute()

    // How many messages each month has: what a plan's quota is compared with.
    await db.schema
      .createTable('notification_usage')
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      // YYYY-MM in the institute's time zone.
      .addColumn('month', text, (c) => c.notNull())
      .addColumn('channel', text, (c) => c.notNull())
      .addColumn('messages', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('notification_usage_pkey', ['tenant_id', 'month', 'channel'])
      .$call(kit.oneOf('notification_usage', 'channel', CHANNELS))
      .execute()
  },
}
