/**
 * Migrations that no version has: each changes a table that others refer to, that is searched, or that is append-only.
 */
import type { Migration } from '#db/schema-kit.ts'

export const PLANTED: Readonly<Record<string, Migration>> = {
  '9001_sponsors': {
    rebuilds: true,
    up: async (db, kit) => {
      await db.schema.alterTable('student').addColumn('sponsor_id', kit.id).execute()
      const states = ['lead', 'active', 'paused', 'graduated', 'withdrawn', 'guest']
      await kit.rebuild(db, 'student', {
        rules: [kit.oneOf('student', 'status', states), kit.belongsTo('sponsor_id', 'guardian')],
        nullable: ['last_name'],
      })
      // Without the rebuild, all rows that refer to the table would be deleted with it.
      await kit.rebuild(db, 'webhook_endpoint', { nullable: ['url'] })
    },
  },
  '9002_moved_sessions': {
    rebuilds: true,
    up: (db, kit) =>
      kit.rebuild(db, 'session', {
        rules: [
          kit.oneOf('session', 'status', ['scheduled', 'held', 'cancelled', 'moved']),
          kit.belongsTo('teacher_staff_id', 'staff', 'cascade'),
        ],
        drop: ['lesson_id'],
      }),
  },
  '9003_series': {
    rebuilds: true,
    up: async (db, kit) => {
      await db.schema
        .alterTable('invoice')
        .addColumn('series', kit.text, (column) => column.defaultTo('A'))
        .execute()
      await kit.rebuild(db, 'invoice', { notNull: ['series'] })
      const methods = ['cash', 'card', 'bank_transfer', 'cheque', 'online', 'other', 'wallet']
      await kit.rebuild(db, 'payment', { rules: [kit.oneOf('payment', 'method', methods)] })
    },
  },
  '9004_closed_institutes': {
    rebuilds: true,
    up: async (db, kit) => {
      const states = ['active', 'suspended', 'archived', 'closed']
      await kit.rebuild(db, 'tenant', { rules: [kit.oneOf('tenant', 'status', states)] })
      await kit.rebuild(db, 'user', { nullable: ['locale'] })
      await kit.rebuild(db, 'course_category', { rules: [kit.belongsTo('parent_id', 'course_category', 'cascade')] })
    },
  },
}

/** The tables that they rebuild. */
export const REBUILT = [
  'student',
  'webhook_endpoint',
  'session',
  'invoice',
  'payment',
  'tenant',
  'user',
  'course_category',
]

/** The columns that they drop. */
export const DROPPED: Readonly<Record<string, readonly string[]>> = { session: ['lesson_id'] }
