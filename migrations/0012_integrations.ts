import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** API keys, webhook endpoints, and deliveries. */
export const integrations: Migration = {
  rowsOfAValue: { endpoint_id: 20_000 },
  async up(db, kit) {
    const { id, text, instant, flag, json, integer } = kit

    await kit
      .tenantTable(db, 'api_key')
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('key_prefix', text, (c) => c.notNull())
      // SHA-256 of the whole key. The key itself is not stored.
      .addColumn('key_hash', text, (c) => c.notNull().unique())
      .addColumn('permissions', json, (c) => c.notNull())
      .addColumn('allowed_origins', json, (c) => c.notNull())
      .addColumn('rate_limit_per_min', integer)
      .addColumn('created_by_user_id', id, (c) => c.notNull())
      .addColumn('last_used_at', instant)
      .addColumn('expires_at', instant)
      .addColumn('revoked_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('api_key', 'kind', ['secret', 'publishable']))
      .execute()
    await kit.index(db, 'api_key', ['tenant_id', 'created_at', 'id'])

    await kit
      .tenantTable(db, 'webhook_endpoint')
      .addColumn('url', text, (c) => c.notNull())
      .addColumn('events', json, (c) => c.notNull())
      .addColumn('is_active', flag, (c) => c.notNull())
      .addColumn('failure_count', integer, (c) => c.notNull().defaultTo(0))
      .addColumn('disabled_at', instant)
      // Encrypted.
      .addColumn('secret', text, (c) => c.notNull())
      .addColumn('previous_secret', text)
      .addColumn('previous_secret_expires_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .execute()
    await kit.index(db, 'webhook_endpoint', ['tenant_id', 'created_at', 'id'])

    await kit
      .tenantTable(db, 'webhook_delivery')
      .addColumn('endpoint_id', id, (c) => c.notNull())
      .addColumn('event_id', id, (c) => c.notNull().references('event.id'))
      .addColumn('event_type', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('attempts', integer, (c) => c.notNull())
      // Increases with each replay: the result of an attempt from before is ignored.
      .addColumn('generation', integer, (c) => c.notNull())
      .addColumn('last_status_code', integer)
      .addColumn('response_excerpt', text)
      .addColumn('next_attempt_at', instant)
      .addColumn('delivered_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('endpoint_id', 'webhook_endpoint', 'cascade'))
      .$call(kit.oneOf('webhook_delivery', 'status', ['queued', 'delivered', 'failed', 'disabled']))
      .execute()
    await kit.index(db, 'webhook_delivery', ['tenant_id', 'endpoint_id', 'created_at', 'id'])
    await kit.index(db, 'webhook_delivery', ['tenant_id', 'endpoint_id', 'status', 'created_at', 'id'])
    await kit.index(db, 'webhook_delivery', ['created_at'], sql`status <> 'queued'`)
    await kit.index(db, 'webhook_delivery', ['event_id'])
  },
}
