import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { found } from '#kernel/values/errors.ts'
import { pageOf, shortListQuery } from '#kernel/values/schema.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { pageFrom } from '#runtime/records/cursors.ts'
import { pauseKind, resumeKind, returnPaused } from '#runtime/queue/paused-jobs.ts'
import { queueFigures, retryFailed, type QueueFigures } from '#runtime/queue/queue-figures.ts'
import type { PlatformDeps } from './deps.ts'
import { JobQueue, QueuePause, queueName, Retried } from './queue-schemas.ts'

const access = 'platform'
const params = { name: queueName }

/** The most jobs that one request puts back: one transaction must not hold up others for long. */
const MOST_AT_ONCE = 5000

export const queueEndpoints = ({ jobKinds }: Pick<PlatformDeps, 'jobKinds'>): readonly Endpoint[] => {
  /** @throws NotFound for a kind that no version of the program has left jobs of */
  const figuresOf = async (db: SystemDb, name: string): Promise<QueueFigures> =>
    found((await queueFigures(db, jobKinds())).find((one) => one.name === name))

  return [
    openRead({
      id: 'platform-queues.list',
      path: '/platform/queues',
      summary: 'What waits, runs and failed in the job queue',
      description:
        'One queue for each kind of job, by name, all of them in one page unless `limit` is sent. Jobs that ended well are not counted.',
      access,
      query: shortListQuery,
      reply: pageOf(JobQueue),
      handle: async ({ everywhere, ...context }) =>
        pageFrom(await queueFigures(everywhere, jobKinds()), ({ name }) => name, context),
    }),
    openChange({
      id: 'platform-queues.retry-failed',
      method: 'POST',
      path: '/platform/queues/{name}/retry-failed',
      params,
      summary: 'Run the failed jobs of one kind again',
      description:
        'Puts each job that failed for good back into the queue once, with all its attempts, the oldest first and at most 5,000 in one request: while the reply’s `failed` is not 0 there are more. 404 for a kind that does not exist.',
      access,
      reply: Retried,
      handle: async ({ tx, params: { name } }) => {
        const queue = await figuresOf(tx.everywhere, name)
        const retried = await retryFailed(tx, name, MOST_AT_ONCE)
        tx.audit({ entityType: 'job_queue', entityId: null, metadata: { name, retried } })
        return { name, retried, failed: queue.failed - retried }
      },
    }),
    openChange({
      id: 'platform-queues.pause',
      method: 'POST',
      path: '/platform/queues/{name}/pause',
      params,
      summary: 'Start no job of one kind until it is resumed',
      description:
        'Jobs that run go on to their end, and new ones are still made: they wait. This holds for all institutes and processes, and until POST …/resume, also when the program starts again. For a kind that is paused already it changes nothing, the reason neither. Pause what does harm or fails again and again; whoever waits for such a job (for the mail with a link to sign in, say) waits too. 404 for a kind that does not exist.',
      access,
      body: QueuePause,
      reply: JobQueue,
      handle: async ({ tx, params: { name }, body: { reason } }) => {
        await figuresOf(tx.everywhere, name)
        await pauseKind(tx, { kind: name, reason })
        tx.audit({ entityType: 'job_queue', entityId: null, metadata: { name, reason } })
        return figuresOf(tx.everywhere, name)
      },
    }),
    openChange({
      id: 'platform-queues.resume',
      method: 'POST',
      path: '/platform/queues/{name}/resume',
      params,
      summary: 'Let the jobs of one kind start again',
      description:
        'The oldest 5,000 that waited are back in the queue at once, the others within seconds. For a kind that is not paused it changes nothing. 404 for a kind that does not exist.',
      access,
      reply: JobQueue,
      handle: async ({ tx, params: { name } }) => {
        await figuresOf(tx.everywhere, name)
        await resumeKind(tx.everywhere, name)
        await returnPaused(tx.everywhere, tx.now, MOST_AT_ONCE)
        tx.audit({ entityType: 'job_queue', entityId: null, metadata: { name } })
        return figuresOf(tx.everywhere, name)
      },
    }),
  ]
}
