import type { SystemDb } from '#kernel/tables.ts'
import './tables.ts'

/** Jobs that have not ended well, counted by kind and state: for whoever watches the program. */
export const unfinishedJobs = async (db: SystemDb) => {
  // One question for each state: each has an index of its own, which leaves out all that is done.
  const counted = (['queued', 'running', 'dead'] as const).map((state) =>
    db
      .selectFrom('job')
      .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('count')])
      .where('state', '=', state)
      .groupBy(['kind', 'state'])
      .execute(),
  )
  return (await Promise.all(counted)).flat()
}

/** When the job that has been due the longest was due; null: none is. */
export const oldestDueAt = async (db: SystemDb, now: string): Promise<string | null> => {
  const oldest = await db
    .selectFrom('job')
    .select('run_at')
    .where('state', '=', 'queued')
    .where('run_at', '<=', now)
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst()
  return oldest?.run_at ?? null
}
