import type { SystemDb } from '#kernel/contract/tables.ts'

/** Counts the unfinished and dead jobs by kind and state, for the metrics. */
export const unfinishedJobs = async (db: SystemDb) => {
  // One query per state: each state has a partial index of its own, which leaves out finished jobs.
  const counted = (['queued', 'paused', 'running', 'dead'] as const).map((state) =>
    db
      .selectFrom('job')
      .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('count')])
      .where('state', '=', state)
      .groupBy(['kind', 'state'])
      .execute(),
  )
  return (await Promise.all(counted)).flat()
}

/** The due time of the oldest job that is due; null: no job is due. */
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
