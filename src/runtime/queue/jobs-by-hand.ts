import { plusSeconds } from '#kernel/time/clock.ts'
import { failure, found, NotFound } from '#kernel/values/errors.ts'
import { holderOf } from '#kernel/contract/lane.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { jobsInState, type OpenState } from './jobs-in-state.ts'

/** What an operator does with single jobs of the queue. */

export const JobHasNotFailed = failure(
  'CONFLICT',
  'job_has_not_failed',
  'This job runs now, or waits and has not failed yet: there is nothing to try again.',
)
export const JobRuns = failure('CONFLICT', 'job_runs', 'This job runs now: wait until it has ended.')

interface Change {
  everywhere: SystemDb
  now: string
}

/** A job that has not ended well. */
interface OpenJob {
  id: string
  kind: string
  tenant_id: string | null
  state: OpenState
}

/** @throws NotFound for a job that does not exist or has ended well */
const openJob = async (db: SystemDb, id: string): Promise<OpenJob> => {
  const { state, ...job } = found(
    await db.selectFrom('job').select(['id', 'kind', 'tenant_id', 'state']).where('id', '=', id).executeTakeFirst(),
  )
  if (state === 'done') throw NotFound()
  return { ...job, state }
}

/**
 * Lets a job that failed run again now, with all its attempts: one that failed for good, or that waits for its next
 * attempt. @throws NotFound, JobHasNotFailed
 */
export const retryJob = async ({ everywhere: db, now }: Change, id: string): Promise<OpenJob> => {
  const job = await openJob(db, id)
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ state: 'queued', attempts: 0, run_at: now, finished_at: null })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('state', '=', 'dead'), eb.and([eb('state', '=', 'queued'), eb('attempts', '>', 0)])]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw JobHasNotFailed()
  return job
}

/** An attempt that is due so soon comes by itself. */
const SOON_SECONDS = 60

/**
 * Lets an institute's jobs of a kind run again now, with all their attempts: those that failed at their last attempt, or
 * wait for another. Those that gave up before stay so, and one that runs goes on.
 * @param limit how many at most; the oldest first
 */
export const retryJobsOf = async (
  { everywhere: db, now }: Change,
  { kind, tenantId, limit }: { kind: string; tenantId: string; limit: number },
): Promise<void> => {
  const again = db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', kind)
    .where('tenant_id', '=', tenantId)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'dead'), eb('attempts', '>=', eb.ref('max_attempts'))]),
        eb.and([eb('state', '=', 'queued'), eb('attempts', '>', 0), eb('run_at', '>', plusSeconds(now, SOON_SECONDS))]),
      ]),
    )
    .orderBy('id')
    .limit(limit)
  await db
    .updateTable('job')
    .set({ state: 'queued', attempts: 0, run_at: now, finished_at: null })
    .where('id', 'in', again)
    // One that has begun meanwhile goes on.
    .where('state', 'in', ['dead', 'queued'])
    .execute()
}

/**
 * Ends a job without running it. Its row stays for a day as that of one that ended, so that its unique key is not used
 * again: a cron job that was dropped does not come back. @throws NotFound, JobRuns
 */
export const dropJob = async ({ everywhere: db, now }: Change, id: string): Promise<OpenJob> => {
  const job = await openJob(db, id)
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ state: 'done', finished_at: now, last_error: 'A platform admin dropped it.' })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'paused', 'dead'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw JobRuns()
  return job
}

/** The jobs of one lane that wait or run. */
export interface LaneFigures {
  lane: string
  /** Whose jobs they are; null: no institute's. */
  tenantId: string | null
  queued: number
  running: number
  oldestQueuedAt: string | null
}

/** Counts the jobs that wait or run by lane. @returns the lanes with the most waiting jobs first */
export const laneFigures = async (db: SystemDb): Promise<LaneFigures[]> => {
  const lanes = new Map<string, LaneFigures>()
  for (const state of ['queued', 'paused', 'running'] as const) {
    const counted = await jobsInState(db, state)
      .select((eb) => ['lane', eb.fn.countAll<number>().as('jobs'), eb.fn.min('created_at').as('oldest')])
      .groupBy('lane')
      .execute()
    for (const { lane, jobs, oldest } of counted) {
      const holder = holderOf(lane)
      const tenantId = holder === lane ? null : holder
      const figure = lanes.get(lane) ?? { lane, tenantId, queued: 0, running: 0, oldestQueuedAt: null }
      lanes.set(lane, figure)
      if (state === 'running') figure.running = jobs
      else {
        figure.queued += jobs
        if (figure.oldestQueuedAt === null || oldest < figure.oldestQueuedAt) figure.oldestQueuedAt = oldest
      }
    }
  }
  return [...lanes.values()].toSorted(
    (one, other) => other.queued - one.queued || other.running - one.running || (one.lane < other.lane ? -1 : 1),
  )
}
