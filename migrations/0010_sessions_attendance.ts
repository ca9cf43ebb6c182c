import type { Migration } from '#db/schema-kit.ts'
import { sql } from 'kysely'

/** Schedules of groups, their sessions, and attendance. */
export const sessionsAndAttendance: Migration = {
  rowsOfAValue: { session_id: 30 },
  async up(db, kit) {
    const { id, text, instant, date, integer } = kit

    await kit
      .tenantTable(db, 'schedule_rule')
      .addColumn('group_id', id, (c) => c.notNull())
      .addColumn('weekday', integer, (c) => c.notNull())
      // HH:MM in the time zone of the institute.
      .addColumn('start_time', text, (c) => c.notNull())
      .addColumn('end_time', text, (c) => c.notNull())
      .addColumn('valid_from', date, (c) => c.notNull())
      .addColumn('valid_to', date)
      .addCheckConstraint('schedule_rule_weekday_check', sql`weekday between 0 and 6`)
      .addCheckConstraint('schedule_rule_times_check', sql`end_time > start_time`)
      .addCheckConstraint('schedule_rule_validity_check', sql`valid_to >= valid_from`)
      .$call(kit.belongsTo('group_id', 'group', 'cascade'))
      .execute()
    await kit.index(db, 'schedule_rule', ['tenant_id', 'group_id'])

    await kit
      .tenantTable(db, 'session')
      .addColumn('group_id', id, (c) => c.notNull())
      .addColumn('scheduled_start', instant, (c) => c.notNull())
      .addColumn('scheduled_end', instant, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      // The substitute; null: the teacher of the group gives the session.
      .addColumn('teacher_staff_id', id)
      .addColumn('topic', text)
      .addColumn('notes', text)
      .addColumn('lesson_id', id)
      // Identifies the occurrence of the schedule: local date and start time. Both are null for a one-off session.
      .addColumn('occurrence_date', date)
      .addColumn('occurrence_slot', text)
      // When all students of the roster had an entry for the first time: the event is recorded only once.
      .addColumn('roster_complete_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('session_times_check', sql`scheduled_end > scheduled_start`)
      .addCheckConstraint('session_occurrence_check', sql`(occurrence_date is null) = (occurrence_slot is null)`)
      .$call(kit.oneOf('session', 'status', ['scheduled', 'held', 'cancelled']))
      .$call(kit.belongsTo('group_id', 'group', 'cascade'))
      .$call(kit.belongsTo('teacher_staff_id', 'staff'))
      .execute()
    await kit.unique(db, 'session', ['tenant_id', 'group_id', 'occurrence_date', 'occurrence_slot'])
    await kit.index(db, 'session', ['tenant_id', 'group_id', 'scheduled_start', 'id'])
    await kit.index(db, 'session', ['tenant_id', 'teacher_staff_id', 'group_id'], sql`teacher_staff_id is not null`)

    // The primary key begins with the session, so that the rows of one roster are next to each other and marking it
    // writes one place of the index.
    await db.schema
      .createTable('attendance')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('session_id', id, (c) => c.notNull())
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('minutes_late', integer, (c) => c.notNull())
      .addColumn('note', text)
      .addColumn('marked_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('attendance_pkey', ['tenant_id', 'session_id', 'student_id'])
      .addCheckConstraint(
        'attendance_minutes_late_check',
        sql`minutes_late = 0 or (minutes_late > 0 and status = 'late')`,
      )
      .$call(kit.oneOf('attendance', 'status', ['present', 'absent', 'late', 'excused']))
      .$call(kit.belongsTo('session_id', 'session'))
      .$call(kit.belongsTo('student_id', 'student'))
      .execute()
    // For the other kind of read: the attendance of a student, and whether a student can be deleted.
    await kit.index(db, 'attendance', ['tenant_id', 'student_id'])
  },
}
