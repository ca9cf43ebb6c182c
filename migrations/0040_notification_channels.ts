import type { Migration } from '#db/schema-kit.ts'

/** Over what an institute sends by itself, and the browsers of its people. */
export const notificationChannels: Migration = {
  rowsOfAValue: { user_id: 3 },
  async up(db, kit) {
    const { id, text, instant, json } = kit
    await kit
      .tenantTable(db, 'notification_provider')
      .addColumn('channel', text, (c) => c.notNull())
      .addColumn('provider', text, (c) => c.notNull())
      .addColumn('settings', json, (c) => c.notNull())
      .addColumn('secret', text, (c) => c.notNull())
      .addColumn('secret_set_at', instant, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('notification_provider', 'channel', ['email', 'sms', 'whatsapp', 'push']))
      .$call(kit.oneOf('notification_provider', 'provider', ['smtp', 'https', 'twilio', 'meta', 'web_push']))
      .execute()
    await kit.unique(db, 'notification_provider', ['tenant_id', 'channel'])

    await kit
      .tenantTable(db, 'push_device')
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      // An HMAC of the endpoint: the endpoint itself is sealed, because whoever knows it can send there.
      .addColumn('endpoint_tag', text, (c) => c.notNull())
      .addColumn('subscription', text, (c) => c.notNull())
      .addColumn('application_server_key', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .execute()
    await kit.unique(db, 'push_device', ['tenant_id', 'endpoint_tag'])
    await kit.index(db, 'push_device', ['tenant_id', 'user_id', 'created_at', 'id'])
  },
}
