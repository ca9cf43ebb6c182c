import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

const LONGER_THAN_26_HOURS = {
  sqlite: sql`round((julianday(scheduled_end) - julianday(scheduled_start)) * 86400000) > 26 * 3600000`,
  postgres: sql`scheduled_end - scheduled_start > interval '26 hours'`,
}

/**
 * Indexes to find the sessions of all groups at a given time. Sessions of several days are rare and are found by their
 * end.
 */
export const sessionTimes: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('session').addColumn('long_until', kit.instant).execute()
    await sql`update session set long_until = scheduled_end where ${LONGER_THAN_26_HOURS[kit.engine]}`.execute(db)
    await kit.index(db, 'session', ['tenant_id', 'scheduled_start', 'id', 'scheduled_end'])
    await kit.index(db, 'session', ['tenant_id', 'long_until'], sql`long_until is not null`)
  },
}
