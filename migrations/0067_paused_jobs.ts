import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Jobs of a kind that a platform admin has paused wait apart from the others: no claim looks at them. */
export const pausedJobs: Migration = {
  rebuilds: true,
  async up(db, kit) {
    const { text, instant } = kit
    await kit.rebuild(db, 'job', {
      rules: [kit.oneOf('job', 'state', ['queued', 'paused', 'running', 'done', 'dead'])],
    })
    await kit.index(db, 'job', ['kind', 'id'], sql`state = 'paused'`)
    await db.schema
      .createTable('job_pause')
      .addColumn('kind', text, (c) => c.primaryKey())
      .addColumn('paused_at', instant, (c) => c.notNull())
      .execute()
  },
}
