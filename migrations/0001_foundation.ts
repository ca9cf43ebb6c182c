import type { Migration } from '#db/schema-kit.ts'
import { sql } from 'kysely'

/** Institutes, branches, users, members and roles; and the tables for audit entries, events, jobs and idempotency. */
export const foundation: Migration = {
  rowsOfAValue: {
    is_active: 100_000,
    state: 50_000,
    status: 40_000,
    actor_user_id: 20_000,
    branch_id: 20_000,
    entity_type: 20_000,
    role_id: 20_000,
    action: 5000,
    lane: 1000,
    entity_id: 10,
  },
  async up(db, kit) {
    const { id, text, instant, flag, json, integer } = kit

    await db.schema
      .createTable('user')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('email', text, (c) => c.notNull())
      // The email in lower case: emails are compared without regard to case.
      .addColumn('email_key', text, (c) => c.notNull().unique())
      .addColumn('full_name', text, (c) => c.notNull())
      .addColumn('phone', text)
      .addColumn('locale', text, (c) => c.notNull())
      .addColumn('avatar_file_id', id)
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('email_verified', flag, (c) => c.notNull())
      .addColumn('password_hash', text)
      .addColumn('is_platform_admin', flag, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('user', 'status', ['active', 'disabled']))
      .execute()

    await db.schema
      .createTable('tenant')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('slug', text, (c) => c.notNull().unique())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('default_locale', text, (c) => c.notNull())
      .addColumn('timezone', text, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('deployment_mode', text, (c) => c.notNull())
      .addColumn('auto_lock_override', text, (c) => c.notNull())
      .addColumn('locked_at', instant)
      .addColumn('locked_reason', text)
      .addColumn('locked_by_platform_admin_id', id)
      .addColumn('created_by', id)
      .addColumn('feature_overrides', json, (c) => c.notNull())
      .addColumn('settings', json, (c) => c.notNull())
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('tenant', 'status', ['active', 'suspended', 'archived']))
      .execute()

    // Counters for consecutive numbers: of students, and of the invoices of a year.
    await db.schema
      .createTable('tenant_counter')
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('value', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('tenant_counter_pkey', ['tenant_id', 'name'])
      .execute()

    await kit
      .tenantTable(db, 'branch')
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('code', text)
      .addColumn('address', json)
      .addColumn('phone', text)
      .addColumn('is_default', flag, (c) => c.notNull())
      .addColumn('is_active', flag, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .execute()
    await kit.unique(db, 'branch', ['tenant_id', 'name'])
    await kit.unique(
      db,
      'branch',
      ['tenant_id', 'is_default'],
      sql`is_default = ${sql.raw(kit.engine === 'postgres' ? 'true' : '1')}`,
    )

    await kit
      .tenantTable(db, 'role')
      .addColumn('key', text)
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('description', text)
      .addColumn('is_system', flag, (c) => c.notNull())
      .addColumn('permissions', json, (c) => c.notNull())
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .execute()
    await kit.unique(db, 'role', ['tenant_id', 'name'])
    await kit.unique(db, 'role', ['tenant_id', 'key'])

    await kit
      .tenantTable(db, 'membership')
      .addColumn('user_id', id, (c) => c.notNull().references('user.id'))
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('joined_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('membership', 'status', ['invited', 'active', 'disabled']))
      .execute()
    await kit.unique(db, 'membership', ['tenant_id', 'user_id'])
    await kit.index(db, 'membership', ['user_id'])
    await kit.index(db, 'membership', ['tenant_id', 'created_at', 'id'])

    await kit
      .tenantTable(db, 'role_assignment')
      .addColumn('membership_id', id, (c) => c.notNull())
      .addColumn('role_id', id, (c) => c.notNull())
      .addColumn('branch_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('membership_id', 'membership', 'cascade'))
      .$call(kit.belongsTo('role_id', 'role'))
      .$call(kit.belongsTo('branch_id', 'branch'))
      .execute()
    await kit.index(db, 'role_assignment', ['tenant_id', 'membership_id'])
    await kit.index(db, 'role_assignment', ['tenant_id', 'role_id'])
    await kit.index(db, 'role_assignment', ['tenant_id', 'branch_id'])

    await db.schema
      .createTable('event')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      .addColumn('type', text, (c) => c.notNull())
      .addColumn('occurred_at', instant, (c) => c.notNull())
      // The delivered bytes. They are text because a JSON column could reorder the members.
      .addColumn('body', text, (c) => c.notNull())
      .execute()

    await db.schema
      .createTable('audit_entry')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('tenant_id', id, (c) => c.references('tenant.id'))
      .addColumn('actor_user_id', id)
      .addColumn('actor_type', text, (c) => c.notNull())
      .addColumn('channel', text, (c) => c.notNull())
      .addColumn('action', text, (c) => c.notNull())
      .addColumn('entity_type', text, (c) => c.notNull())
      .addColumn('entity_id', id)
      .addColumn('before', json)
      .addColumn('after', json)
      .addColumn('metadata', json)
      .addColumn('request_id', text)
      .addColumn('ip', text)
      .addColumn('created_at', instant, (c) => c.notNull())
      .execute()
    await kit.index(db, 'audit_entry', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'audit_entry', ['tenant_id', 'entity_id', 'created_at', 'id'])
    await kit.index(db, 'audit_entry', ['created_at', 'id'])
    await kit.appendOnly(db, 'audit_entry')

    await db.schema
      .createTable('job')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('tenant_id', id)
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('lane', text, (c) => c.notNull())
      .addColumn('payload', json, (c) => c.notNull())
      .addColumn('run_at', instant, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull().defaultTo('queued'))
      .addColumn('attempts', integer, (c) => c.notNull().defaultTo(0))
      .addColumn('max_attempts', integer, (c) => c.notNull())
      .addColumn('lease_until', instant)
      // The fencing number. It increases with each claim: a worker that holds a lower number has lost the job.
      .addColumn('fence', integer, (c) => c.notNull().defaultTo(0))
      .addColumn('unique_key', text)
      .addColumn('last_error', text)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('finished_at', instant)
      .$call(kit.oneOf('job', 'state', ['queued', 'running', 'done', 'dead']))
      .execute()
    await kit.unique(db, 'job', ['unique_key'])
    await kit.index(db, 'job', ['lane', 'run_at', 'id'], sql`state = 'queued'`)
    await kit.index(db, 'job', ['lease_until', 'lane'], sql`state = 'running'`)
    await kit.index(db, 'job', ['finished_at'], sql`state in ('done', 'dead')`)

    await db.schema
      .createTable('idempotency_record')
      .addColumn('caller', text, (c) => c.notNull())
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('request_hash', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('status', integer)
      .addColumn('body', text)
      .addColumn('sealed', flag, (c) => c.notNull().defaultTo(kit.engine === 'postgres' ? false : 0))
      .addColumn('started_at', instant, (c) => c.notNull())
      .addColumn('expires_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_record_pkey', ['caller', 'key'])
      .execute()
    await kit.index(db, 'idempotency_record', ['expires_at'])

    await db.schema
      .createTable('sealed_secret')
      .addColumn('name', text, (c) => c.primaryKey())
      .addColumn('value', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .execute()
  },
}
