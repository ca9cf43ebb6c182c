import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** What courses are made of (sections and lessons), which students may learn them on their own, and how far they are. */
export const curriculum: Migration = {
  // For the foreign keys of session.lesson_id and invoice_line.course_enrollment_id, in which nothing was stored until now.
  rebuilds: true,
  rowsOfAValue: { lesson_id: 1000, course_enrollment_id: 30, section_id: 20 },
  async up(db, kit) {
    const { id, text, instant, flag, integer } = kit
    await kit
      .tenantTable(db, 'section')
      .addColumn('course_id', id, (c) => c.notNull())
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('sort_order', integer, (c) => c.notNull())
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('course_id', 'course', 'cascade'))
      .execute()
    await kit.index(db, 'section', ['tenant_id', 'course_id', 'sort_order', 'id'])

    await kit
      .tenantTable(db, 'lesson')
      .addColumn('course_id', id, (c) => c.notNull())
      .addColumn('section_id', id, (c) => c.notNull())
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('description', text)
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('body', text)
      .addColumn('duration_sec', integer)
      .addColumn('sort_order', integer, (c) => c.notNull())
      .addColumn('is_preview', flag, (c) => c.notNull())
      .addColumn('published_at', instant)
      .addColumn('video_provider', text)
      .addColumn('video_key', text)
      .addColumn('video_hash', text)
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('lesson_video_check', sql`(video_provider is null) = (video_key is null)`)
      .$call(kit.oneOf('lesson', 'kind', ['video', 'text']))
      .$call(kit.belongsTo('course_id', 'course'))
      .$call(kit.belongsTo('section_id', 'section'))
      .execute()
    await kit.index(db, 'lesson', ['tenant_id', 'section_id', 'sort_order', 'id'])
    await kit.index(db, 'lesson', ['tenant_id', 'course_id', 'published_at'])

    await kit
      .tenantTable(db, 'course_enrollment')
      .addColumn('course_id', id, (c) => c.notNull())
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('granted_at', instant, (c) => c.notNull())
      .addColumn('ended_at', instant)
      .addColumn('drop_reason', text)
      // When the course was completed for the first time: the event is recorded only once.
      .addColumn('completed_at', instant)
      .addColumn('price_minor', integer)
      .addColumn('currency', text)
      .addColumn('granted_by_user_id', id, (c) => c.references('user.id'))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('course_enrollment_price_check', sql`price_minor >= 0`)
      .addCheckConstraint('course_enrollment_ended_check', sql`(status = 'active') = (ended_at is null)`)
      .$call(kit.oneOf('course_enrollment', 'status', ['active', 'completed', 'dropped']))
      .$call(kit.belongsTo('course_id', 'course'))
      .$call(kit.belongsTo('student_id', 'student'))
      .execute()
    await kit.unique(db, 'course_enrollment', ['tenant_id', 'student_id', 'course_id'])
    await kit.index(db, 'course_enrollment', ['tenant_id', 'student_id', 'created_at', 'id'])
    await kit.index(db, 'course_enrollment', ['tenant_id', 'course_id', 'created_at', 'id'])
    await kit.index(db, 'course_enrollment', ['tenant_id', 'course_id', 'status', 'created_at', 'id'])

    // The primary key begins with the grant: a student’s lessons are read together.
    await db.schema
      .createTable('lesson_completion')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('course_enrollment_id', id, (c) => c.notNull())
      .addColumn('lesson_id', id, (c) => c.notNull())
      .addColumn('completed_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('lesson_completion_pkey', ['tenant_id', 'course_enrollment_id', 'lesson_id'])
      .$call(kit.belongsTo('course_enrollment_id', 'course_enrollment'))
      .$call(kit.belongsTo('lesson_id', 'lesson'))
      .execute()
    // Whether a lesson can be deleted.
    await kit.index(db, 'lesson_completion', ['tenant_id', 'lesson_id'])

    await kit.rebuild(db, 'session', { rules: [kit.belongsTo('lesson_id', 'lesson')] })
    await kit.index(db, 'session', ['tenant_id', 'lesson_id'], sql`lesson_id is not null`)

    await kit.rebuild(db, 'invoice_line', { rules: [kit.belongsTo('course_enrollment_id', 'course_enrollment')] })
    const granted = sql`course_enrollment_id is not null`
    await kit.index(db, 'invoice_line', ['tenant_id', 'course_enrollment_id'], granted)
  },
}
