import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'

/**
 * Repairs jobs that were created or delayed while the clock was ahead: they would wait until that time comes again, so
 * they become due now. Cron jobs that ran ahead of time are deleted, so that they run again at their proper time.
 * @param kindsByWait the kinds of jobs by their longest delay before a retry, in seconds
 */
export const repairFutureTimes = async (
  db: SystemDb,
  now: string,
  kindsByWait: ReadonlyMap<number, readonly string[]>,
): Promise<void> => {
  const latestPlausible = plusSeconds(now, CLOCK_SLACK_SECONDS)
  const waiting = db.updateTable('job').set({ run_at: now }).where('state', '=', 'queued').where('run_at', '>', now)
  await waiting.where('created_at', '>', latestPlausible).execute()
  for (const [wait, kinds] of kindsByWait) {
    const latestRetry = plusSeconds(latestPlausible, wait)
    await waiting.where('kind', 'in', kinds).where('attempts', '>', 0).where('run_at', '>', latestRetry).execute()
  }
  await db
    .deleteFrom('job')
    .where('state', '=', 'done')
    .where('unique_key', 'is not', null)
    .where('created_at', '>', latestPlausible)
    .execute()
}
