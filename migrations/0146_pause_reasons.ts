import type { Migration } from '#db/schema-kit.ts'

/** Why a platform admin has paused a kind of job; those that were paused before say nothing. */
export const pauseReasons: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('job_pause').addColumn('reason', kit.text).execute()
  },
}
