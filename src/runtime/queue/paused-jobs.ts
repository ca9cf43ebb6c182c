import { compiled } from '#db/queries/compiled.ts'
import { engineOf } from '#db/dialect.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'

/** The kinds of jobs that are paused, since when and why. */
export const readPauses = (db: SystemDb) => db.selectFrom('job_pause').selectAll().execute()

/** No job of this kind starts any more; those that run go on to their end. Does nothing for a kind that is paused. */
export const pauseKind = async (
  { everywhere: db, now }: { everywhere: SystemDb; now: string },
  { kind, reason }: { kind: string; reason: string },
) => {
  await db
    .insertInto('job_pause')
    .values({ kind, paused_at: now, reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Jobs of this kind start again. Those that were laid aside come back little by little: see `returnPaused`. */
export const resumeKind = async (db: SystemDb, kind: string): Promise<void> => {
  await db.deleteFrom('job_pause').where('kind', '=', kind).execute()
}

const putBack = compiled((db, { now, limit }: { now: string; limit: number }) => {
  const free = db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'paused')
    .where('kind', 'not in', db.selectFrom('job_pause').select('kind'))
    .orderBy('kind')
    .orderBy('id')
    .limit(limit)
  return (
    db
      .updateTable('job')
      // They were due when they were laid aside, perhaps by a clock that was ahead.
      .set({ state: 'queued', run_at: now })
      .where('id', 'in', engineOf(db) === 'postgres' ? free.forUpdate().skipLocked() : free)
      .where('state', '=', 'paused')
      .returning('id')
  )
})

/**
 * Puts jobs that were laid aside, and whose kind is not paused any more, back into the queue. Also a claim that saw the
 * pause just before it ended may lay jobs aside, so every process looks from time to time.
 * @returns how many
 */
export const returnPaused = async (db: SystemDb, now: string, limit: number): Promise<number> =>
  (await putBack(db, { now, limit })).length
