import type { SystemDb } from '#kernel/tables.ts'
import './tables.ts'

/** Jobs that have not ended well, counted by kind and state: for whoever watches the program. */
export const unfinishedJobs = (db: SystemDb) =>
  db
    .selectFrom('job')
    .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('count')])
    .where('state', 'in', ['queued', 'running', 'dead'])
    .groupBy(['kind', 'state'])
    .execute()

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
