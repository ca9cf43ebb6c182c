import { plusSeconds } from '#kernel/time/clock.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'

/** Another worker has claimed the job meanwhile. What this worker did for the job is rolled back. */
export class LeaseLost extends Error {
  constructor() {
    super('the job was given to another worker')
    this.name = 'LeaseLost'
  }
}

interface Lost {
  now: string
  /** Leases that ended by then have expired. */
  leaseEndedBy: string
  /** A lease beyond it was taken by a worker whose clock was ahead. */
  latestLease: string
  /** Seconds to wait before the next runs, from the third on. */
  retrySeconds: readonly number[]
}

/**
 * Returns jobs whose lease has expired to the queue. Those that used up their attempts are dead. The first time a job
 * runs again at once. After that it waits as a job that failed does: a job that kills its worker leaves the program
 * time for its other work, and a program that is killed again and again does not use up the attempts of its jobs.
 */
export const requeueLost = async (
  db: SystemDb,
  { now, leaseEndedBy, latestLease, retrySeconds }: Lost,
): Promise<void> => {
  const lost = db
    .updateTable('job')
    .where('state', '=', 'running')
    .where((eb) => eb.or([eb('lease_until', '<=', leaseEndedBy), eb('lease_until', '>', latestLease)]))
  const error = 'The worker ended while it ran this job.'
  await lost
    .whereRef('attempts', '>=', 'max_attempts')
    .set({ state: 'dead', lease_until: null, finished_at: now, last_error: error })
    .execute()
  const back = lost.set({ state: 'queued', lease_until: null, last_error: error })
  await back.where('attempts', '<=', 1).execute()
  for (const [index, wait] of retrySeconds.entries()) {
    const isLast = index === retrySeconds.length - 1
    const again = back.where('attempts', isLast ? '>=' : '=', index + 2)
    await again.set({ run_at: plusSeconds(now, wait) }).execute()
  }
}
