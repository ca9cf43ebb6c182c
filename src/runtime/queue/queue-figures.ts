import { compiled } from '#db/queries/compiled.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { jobsInState, type OpenState } from './jobs-in-state.ts'
import { readPauses } from './paused-jobs.ts'

/** The jobs of one kind that have not ended well. */
export interface QueueFigures {
  /** The kind of job. */
  name: string
  /** Since when no job of this kind starts; null: they do. */
  pausedAt: string | null
  /** Why; null: they do, or nobody was asked. */
  pauseReason: string | null
  /** Jobs that wait, also for a later time or because their kind is paused. */
  queued: number
  running: number
  /** Jobs that failed for good: they are not tried again by themselves. */
  failed: number
  /** When the job was made that has waited longest; null: none waits. */
  oldestQueuedAt: string | null
}

const NOTHING = { pausedAt: null, pauseReason: null, queued: 0, running: 0, failed: 0, oldestQueuedAt: null } as const

const countedIn = (state: OpenState) =>
  compiled((db) =>
    jobsInState(db, state)
      .select((eb) => ['kind', eb.fn.countAll<number>().as('jobs'), eb.fn.min('created_at').as('oldest')])
      .groupBy('kind'),
  )
const counted = {
  queued: countedIn('queued'),
  paused: countedIn('paused'),
  running: countedIn('running'),
  dead: countedIn('dead'),
}

/**
 * Counts the jobs that wait, run or failed for good, by kind. What has ended well is not read, however much it is.
 * @param kinds those that appear even without a job
 * @returns them by name
 */
export const queueFigures = async (db: SystemDb, kinds: readonly string[]): Promise<QueueFigures[]> => {
  const figures = new Map<string, QueueFigures>()
  const of = (name: string): QueueFigures => {
    const known = figures.get(name) ?? { ...NOTHING, name }
    figures.set(name, known)
    return known
  }
  for (const name of kinds) of(name)
  for (const { kind, jobs, oldest } of await counted.queued(db, {})) {
    Object.assign(of(kind), { queued: jobs, oldestQueuedAt: oldest })
  }
  for (const { kind, jobs, oldest } of await counted.paused(db, {})) {
    const figure = of(kind)
    figure.queued += jobs
    if (figure.oldestQueuedAt === null || oldest < figure.oldestQueuedAt) figure.oldestQueuedAt = oldest
  }
  for (const { kind, paused_at, reason } of await readPauses(db)) {
    Object.assign(of(kind), { pausedAt: paused_at, pauseReason: reason })
  }
  for (const { kind, jobs } of await counted.running(db, {})) of(kind).running = jobs
  for (const { kind, jobs } of await counted.dead(db, {})) of(kind).failed = jobs
  return [...figures.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * Puts jobs of a kind that failed for good back into the queue, due now, with all their attempts.
 * @param limit how many at most; the oldest first
 * @returns how many
 */
export const retryFailed = async (
  { everywhere: db, now }: { everywhere: SystemDb; now: string },
  kind: string,
  limit: number,
): Promise<number> => {
  const failed = db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'dead')
    .where('kind', '=', kind)
    .orderBy('id')
    .limit(limit)
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ state: 'queued', attempts: 0, run_at: now, finished_at: null })
    .where('id', 'in', failed)
    // Another request may have put them back meanwhile.
    .where('state', '=', 'dead')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
