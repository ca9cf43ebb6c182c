import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Indexes for the sweeps of old deliveries, events and jobs, and for counting dead jobs. */
export const deliverySweep: Migration = {
  async up(db, kit) {
    await db.schema.dropIndex('webhook_delivery_created_at_idx').execute()
    await kit.index(db, 'webhook_delivery', ['created_at'])
    await kit.index(db, 'event', ['occurred_at'])
    await db.schema.dropIndex('job_finished_at_idx').execute()
    await kit.index(db, 'job', ['finished_at'], sql`state = 'done'`)
    await kit.index(db, 'job', ['kind'], sql`state = 'dead'`)
  },
}
