import type { Migration } from '#db/schema-kit.ts'

/** The vendor's side of licences: licences, the installs that run under them, what is unusual about those, and commands. */
export const licenses: Migration = {
  rowsOfAValue: { license_id: 10, license_install_id: 5 },
  async up(db, kit) {
    const { id, text, instant, integer } = kit

    await db.schema
      .createTable('license')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      .addColumn('plan_id', id, (c) => c.references('plan.id'))
      .addColumn('jti', text, (c) => c.notNull())
      // Encrypted.
      .addColumn('token', text, (c) => c.notNull())
      .addColumn('max_installs', integer, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      // The sequence number of the newest command.
      .addColumn('last_seq', integer, (c) => c.notNull().defaultTo(0))
      .addColumn('expires_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('license', 'state', ['active', 'locked']))
      .execute()
    await kit.unique(db, 'license', ['jti'])
    await kit.index(db, 'license', ['created_at', 'id'])
    await kit.index(db, 'license', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'license', ['plan_id'])

    await db.schema
      .createTable('license_install')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('license_id', id, (c) => c.notNull().references('license.id'))
      .addColumn('install_id', id, (c) => c.notNull())
      .addColumn('app_version', text, (c) => c.notNull())
      // The counter of the last heartbeat, and that of the other history when there seem to be two.
      .addColumn('heartbeat_counter', integer, (c) => c.notNull())
      .addColumn('other_counter', integer)
      .addColumn('last_nonce', text, (c) => c.notNull())
      // Pinned by the first signed heartbeat.
      .addColumn('public_key', text)
      .addColumn('max_observed_at', instant, (c) => c.notNull())
      // The install has seen all commands up to this one.
      .addColumn('acknowledged_seq', integer, (c) => c.notNull())
      .addColumn('update_channel', text)
      .addColumn('updater_last_check_at', instant)
      .addColumn('updater_last_result', text)
      .addColumn('updater_last_reason', text)
      .addColumn('updater_target_version', text)
      .addColumn('first_seen_at', instant, (c) => c.notNull())
      .addColumn('last_seen_at', instant, (c) => c.notNull())
      .addColumn('last_witness_at', instant)
      .execute()
    await kit.unique(db, 'license_install', ['license_id', 'install_id'])
    await kit.index(db, 'license_install', ['license_id', 'first_seen_at', 'id'])

    await db.schema
      .createTable('license_signal')
      .addColumn('license_install_id', id, (c) => c.notNull().references('license_install.id').onDelete('cascade'))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('severity', text, (c) => c.notNull())
      .addColumn('detail', text, (c) => c.notNull())
      .addColumn('detected_at', instant, (c) => c.notNull())
      .addColumn('last_detected_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('license_signal', 'severity', ['info', 'warning', 'critical']))
      .execute()
    // One row for a kind, however often it is met: floods add no rows.
    await kit.unique(db, 'license_signal', ['license_install_id', 'kind'])

    await db.schema
      .createTable('license_command')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('license_id', id, (c) => c.notNull().references('license.id'))
      .addColumn('seq', integer, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('issued_at', instant, (c) => c.notNull())
      .addColumn('acknowledged_at', instant)
      .$call(kit.oneOf('license_command', 'kind', ['lock', 'unlock']))
      .execute()
    await kit.unique(db, 'license_command', ['license_id', 'seq'])
  },
}
