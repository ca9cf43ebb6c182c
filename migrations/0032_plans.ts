import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * The vendor's plans, and which institute has which. Students who count against a plan's maxStudents are counted as they
 * come and go: a count of 200,000 rows with each new student would take longer than adding the student.
 */
export const plans: Migration = {
  rowsOfAValue: { plan_id: 1000 },
  async up(db, kit) {
    const { id, text, instant, integer, flag, json } = kit
    await db.schema
      .createTable('plan')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('code', text, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('price_minor', integer, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('interval', text, (c) => c.notNull())
      .addColumn('features', json, (c) => c.notNull())
      .addColumn('quotas', json, (c) => c.notNull())
      .addColumn('archived_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('plan_price_check', sql`price_minor >= 0`)
      .$call(kit.oneOf('plan', 'interval', ['monthly', 'yearly']))
      .execute()
    await kit.unique(db, 'plan', ['code'])
    await kit.index(db, 'plan', ['created_at', 'id'])

    await db.schema
      .createTable('subscription')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      .addColumn('plan_id', id, (c) => c.notNull().references('plan.id'))
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('current_period_start', instant, (c) => c.notNull())
      .addColumn('current_period_end', instant, (c) => c.notNull())
      .addColumn('cancelled_at', instant)
      .addColumn('replaced_at', instant)
      .addColumn('noticed_days', integer)
      .addColumn('auto_locked_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('subscription_cancelled_check', sql`(status = 'cancelled') = (cancelled_at is not null)`)
      .addCheckConstraint('subscription_replaced_check', sql`replaced_at is null or status = 'cancelled'`)
      .addCheckConstraint('subscription_period_check', sql`current_period_end > current_period_start`)
      .$call(kit.oneOf('subscription', 'status', ['trialing', 'active', 'past_due', 'cancelled', 'expired']))
      .execute()
    await kit.unique(db, 'subscription', ['tenant_id'], sql`replaced_at is null`)
    await kit.index(db, 'subscription', ['created_at', 'id'])
    await kit.index(db, 'subscription', ['status', 'created_at', 'id'])
    await kit.index(db, 'subscription', ['status', 'current_period_end'])
    await kit.index(db, 'subscription', ['current_period_end'])
    await kit.index(db, 'subscription', ['plan_id'])

    // Whoever registered on the website counts from their conversion on.
    await db.schema
      .alterTable('student')
      .addColumn('from_registration', flag, (c) => c.notNull().defaultTo(kit.engine === 'postgres' ? false : 0))
      .execute()
    await sql`
      update student set from_registration = true
      where exists (select 1 from lead
        where lead.tenant_id = student.tenant_id and lead.student_id = student.id and lead.source = 'widget')
    `.execute(db)
    await sql`
      insert into tenant_counter (tenant_id, name, value)
      select tenant_id, 'students in plan', count(*) from student
      where status in ('active', 'paused') or (status = 'lead' and not from_registration)
      group by tenant_id
    `.execute(db)
  },
}
