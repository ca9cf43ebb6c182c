import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'
import { addDays, startOfLocalDay } from '#kernel/time/zone.ts'

/**
 * A student pauses or leaves on a day that may lie ahead: their record says so, and a sweep looks for it. A pause has its
 * first and its last instant too, by which sessions know who pauses.
 */
export const pausesAndLeaving: Migration = {
  async up(db, kit) {
    const { date, instant, text } = kit
    await db.schema.alterTable('student_pause').addColumn('begins_at', instant).execute()
    await db.schema.alterTable('student_pause').addColumn('ends_at', instant).execute()
    const pauses = await db
      .selectFrom('student_pause')
      .innerJoin('tenant', 'tenant.id', 'student_pause.tenant_id')
      .select(['student_pause.tenant_id', 'student_pause.id', 'student_pause.paused_from', 'student_pause.paused_to'])
      .select('tenant.timezone')
      .execute()
    for (const { tenant_id: tenantId, id, paused_from: from, paused_to: to, timezone } of pauses) {
      await db
        .updateTable('student_pause')
        .set({
          begins_at: startOfLocalDay(from, timezone),
          ends_at: to === null ? null : startOfLocalDay(addDays(to, 1), timezone),
        })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .execute()
    }
    for (const [column, type] of [
      ['paused_from', date],
      ['paused_to', date],
      ['left_on', date],
      ['leaving_as', text],
    ] as const) {
      await db.schema.alterTable('student').addColumn(column, type).execute()
    }
    await sql`
      update student set paused_from = (
        select max(pause.paused_from) from student_pause as pause
        where pause.tenant_id = student.tenant_id and pause.student_id = student.id and pause.paused_to is null)
      where status = 'paused'
    `.execute(db)
    await kit.index(db, 'student', ['paused_from', 'id'], sql`status = 'active' and paused_from is not null`)
    await kit.index(db, 'student', ['paused_to', 'id'], sql`status = 'paused' and paused_to is not null`)
    await kit.index(db, 'student', ['left_on', 'id'], sql`leaving_as is not null`)
  },
}
