import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'
import { newId } from '#kernel/basics/ids.ts'
import { localDate } from '#kernel/time/zone.ts'

/**
 * From when to when somebody is in force: an enrollment ends at an instant that may lie ahead, a student pauses from a
 * day to a day, a fee schedule is valid from a day to a day. A fee schedule says whose price it takes, and what it charges
 * for a part of a month.
 */
export const inForce: Migration = {
  async up(db, kit) {
    const { id, date, instant, text } = kit
    await db.schema.alterTable('enrollment').addColumn('ended_at', instant).execute()
    await sql`update enrollment set ended_at = coalesce(dropped_at, completed_at) where status <> 'active'`.execute(db)
    await kit.index(db, 'enrollment', ['ended_at', 'tenant_id'], sql`ended_at is not null and status = 'active'`)

    await kit
      .tenantTable(db, 'student_pause')
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('paused_from', date, (c) => c.notNull())
      .addColumn('paused_to', date)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .execute()
    await kit.index(db, 'student_pause', ['tenant_id', 'student_id', 'paused_from'])
    for (const tenant of await db.selectFrom('tenant').select(['id', 'timezone']).execute()) {
      for (const { id: studentId, paused_at: at } of (await pausedStudents(tenant.id).execute(db)).rows) {
        const pause = {
          id: newId(),
          tenant_id: tenant.id,
          student_id: studentId,
          paused_from: localDate(at, tenant.timezone),
          paused_to: null,
          created_at: at,
          updated_at: at,
        }
        await db.insertInto('student_pause').values(pause).execute()
      }
    }

    await db.schema
      .alterTable('fee_schedule')
      .addColumn('price', text, (c) =>
        c
          .notNull()
          .defaultTo('schedule')
          .check(sql`price in ('schedule', 'enrollment')`),
      )
      .execute()
    await db.schema.alterTable('fee_schedule').addColumn('valid_from', date).execute()
    await db.schema.alterTable('fee_schedule').addColumn('valid_to', date).execute()
    await db.schema
      .alterTable('fee_schedule')
      .addColumn('proration', text, (c) =>
        c
          .notNull()
          .defaultTo('none')
          .check(sql`proration in ('none', 'lessons', 'days')`),
      )
      .execute()
    await kit.index(db, 'fee_charge', ['tenant_id', 'billing_run_id'])
  },
}

/** Since when each student pauses who does now: since the status was changed last, as the audit log has it. */
const pausedStudents = (tenantId: string) => sql<{ id: string; paused_at: string }>`
  select student.id, coalesce(
    (select max(entry.created_at) from audit_entry as entry
     where entry.tenant_id = student.tenant_id and entry.entity_id = student.id
       and entry.action = 'students.change-status'),
    student.updated_at) as paused_at
  from student where student.tenant_id = ${tenantId} and student.status = 'paused'
`
