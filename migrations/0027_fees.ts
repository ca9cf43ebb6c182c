import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * Fee schedules, and what billing runs charged by them. Invoice lines name the fee schedule and the course grant that
 * they charge. Invoices know when they were issued and voided; for earlier ones the audit log tells whether a void
 * invoice had been issued.
 */
export const fees: Migration = {
  rebuilds: true,
  rowsOfAValue: { fee_schedule_id: 2000 },
  async up(db, kit) {
    const { id, text, instant, date, integer, flag, json } = kit
    await kit
      .tenantTable(db, 'fee_schedule')
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('recurrence', text, (c) => c.notNull())
      .addColumn('course_id', id)
      .addColumn('group_id', id)
      .addColumn('due_day', integer)
      .addColumn('is_active', flag, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('fee_schedule_amount_check', sql`amount_minor >= 0`)
      .addCheckConstraint('fee_schedule_due_day_check', sql`due_day between 1 and 31`)
      .$call(kit.oneOf('fee_schedule', 'kind', ['per_group', 'per_course', 'one_off', 'registration']))
      .$call(kit.oneOf('fee_schedule', 'recurrence', ['once', 'monthly', 'per_term']))
      .$call(kit.belongsTo('course_id', 'course'))
      .$call(kit.belongsTo('group_id', 'group'))
      .execute()
    await kit.index(db, 'fee_schedule', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'fee_schedule', ['tenant_id', 'kind', 'created_at', 'id'])
    await kit.index(db, 'fee_schedule', ['tenant_id', 'is_active', 'created_at', 'id'])
    await kit.index(db, 'fee_schedule', ['tenant_id', 'course_id'], sql`course_id is not null`)
    await kit.index(db, 'fee_schedule', ['tenant_id', 'group_id'], sql`group_id is not null`)

    await kit
      .tenantTable(db, 'billing_run')
      .addColumn('month', text, (c) => c.notNull())
      .addColumn('fee_schedule_ids', json, (c) => c.notNull())
      .addColumn('branch_ids', json)
      .addColumn('request_hash', text)
      .addColumn('students', integer, (c) => c.notNull())
      .addColumn('students_done', integer, (c) => c.notNull().defaultTo(0))
      .addColumn('last_student_id', id)
      .addColumn('finished_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .execute()
    await kit.index(db, 'billing_run', ['tenant_id', 'request_hash', 'created_at'], sql`request_hash is not null`)

    await db.schema
      .createTable('fee_charge')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('fee_schedule_id', id, (c) => c.notNull())
      .addColumn('month', text, (c) => c.notNull())
      .addColumn('term_starts_on', date)
      .addColumn('billing_run_id', id, (c) => c.notNull())
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('fee_charge_pkey', ['tenant_id', 'student_id', 'fee_schedule_id', 'month'])
      .$call(kit.belongsTo('student_id', 'student'))
      .$call(kit.belongsTo('fee_schedule_id', 'fee_schedule', 'cascade'))
      .$call(kit.belongsTo('billing_run_id', 'billing_run'))
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .execute()
    const ofTerm = ['tenant_id', 'student_id', 'fee_schedule_id', 'term_starts_on']
    await kit.unique(db, 'fee_charge', ofTerm, sql`term_starts_on is not null`)
    await kit.index(db, 'fee_charge', ['tenant_id', 'fee_schedule_id'])

    await db.schema.alterTable('invoice_line').addColumn('fee_schedule_id', id).execute()
    await db.schema.alterTable('invoice_line').addColumn('course_enrollment_id', id).execute()
    await kit.rebuild(db, 'invoice_line', { rules: [kit.belongsTo('fee_schedule_id', 'fee_schedule')] })
    await kit.index(db, 'invoice_line', ['tenant_id', 'fee_schedule_id'], sql`fee_schedule_id is not null`)

    await db.schema.alterTable('invoice').addColumn('issued_at', instant).execute()
    await db.schema.alterTable('invoice').addColumn('voided_at', instant).execute()
    await sql`update invoice set voided_at = updated_at where status = 'void'`.execute(db)
    await sql`
      update invoice set issued_at = coalesce(
        (select min(entry.created_at) from audit_entry as entry
         where entry.tenant_id = invoice.tenant_id and entry.entity_id = invoice.id and entry.action = 'invoices.issue'),
        case when status <> 'void' then created_at end)
      where status <> 'draft'
    `.execute(db)
  },
}
