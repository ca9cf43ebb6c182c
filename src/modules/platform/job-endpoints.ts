import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { shows } from '#kernel/values/fields.ts'
import { pageOf } from '#kernel/values/schema.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { dropJob, JobHasNotFailed, JobRuns, laneFigures, retryJob } from '#runtime/queue/jobs-by-hand.ts'
import { jobsInState, type OpenState } from '#runtime/queue/jobs-in-state.ts'
import { everywhereListOf, newestFirst } from '#runtime/records/lists.ts'
import { JobLanes, JobQuery, JobReply, LaneQuery, QueuedJob } from './queue-schemas.ts'

const access = 'platform'

/** The jobs in one state; their order is that of no index, so that the index of the state is read and sorted. */
const jobsIn = (shown: 'queued' | 'paused' | 'running' | 'failed', state: OpenState) =>
  everywhereListOf({
    filters: { name: 'job.kind', tenantId: 'job.tenant_id' },
    from: (db) => jobsInState(db, state).selectAll(),
    order: newestFirst('job'),
    show: shows(QueuedJob, { name: ({ kind }: { kind: string }) => kind, state: () => shown }),
  })

const listIn = {
  queued: jobsIn('queued', 'queued'),
  paused: jobsIn('paused', 'paused'),
  running: jobsIn('running', 'running'),
  failed: jobsIn('failed', 'dead'),
}

/** The short names of these institutes, by their id. */
const slugsOf = async (db: SystemDb, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('tenant').select(['id', 'slug']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, slug }) => [id, slug]))
}

export const laneEndpoint: Endpoint = openRead({
  id: 'platform-lanes.list',
  path: '/platform/lanes',
  summary: 'In which lanes the most jobs wait',
  description:
    'The queue shares its places among institutes, and those of an institute among its lanes: one for each webhook endpoint, one for each mail server, and so on. A lane in which much waits names whose work piles up, and where. At most 100 lanes; `lanes` says how many there are.',
  access,
  query: LaneQuery,
  reply: JobLanes,
  handle: async ({ everywhere, query: { limit } }) => {
    const lanes = await laneFigures(everywhere)
    const shown = lanes.slice(0, limit)
    const slugs = await slugsOf(
      everywhere,
      shown.flatMap(({ tenantId }) => tenantId ?? []),
    )
    const data = shown.map((lane) => ({ ...lane, tenantSlug: slugs.get(lane.tenantId ?? '') ?? null }))
    return { data, lanes: lanes.length }
  },
})

export const jobEndpoints: readonly Endpoint[] = [
  openRead({
    id: 'platform-jobs.list',
    path: '/platform/jobs',
    summary: 'List jobs of the queue',
    description:
      'Those that failed for good, unless `state` asks for others; the newest first. What a job is to do is not shown: it may hold addresses and secrets. Jobs that ended well are not listed.',
    access,
    query: JobQuery,
    reply: pageOf(QueuedJob),
    handle: ({ everywhere, cursors, query: { state, ...query } }) => listIn[state]({ db: everywhere, cursors, query }),
  }),
  openChange({
    id: 'platform-jobs.retry',
    method: 'POST',
    path: '/platform/jobs/{id}/retry',
    summary: 'Run a job again that failed',
    description:
      'One that failed for good, or that waits for its next attempt: it is due now, with all its attempts. Where its kind is paused it waits until that is resumed. 404 for a job that has ended well.',
    access,
    reply: JobReply,
    fails: [JobHasNotFailed],
    handle: async ({ tx, params: { id } }) => {
      const { kind: name, tenant_id: tenantId } = await retryJob(tx, id)
      tx.audit({ entityType: 'job', entityId: id, metadata: { name, tenantId } })
      return { id, name }
    },
  }),
  openChange({
    id: 'platform-jobs.drop',
    method: 'DELETE',
    path: '/platform/jobs/{id}',
    summary: 'Drop a job, so that it never runs',
    description:
      'One that waits or failed for good. What it was to do is not done, and nobody is told: a mail is not sent, a webhook is not called. A job that runs is 409; one that has ended well, or was dropped, is 404.',
    access,
    reply: JobReply,
    fails: [JobRuns],
    handle: async ({ tx, params: { id } }) => {
      const { kind: name, tenant_id: tenantId } = await dropJob(tx, id)
      tx.audit({ entityType: 'job', entityId: id, metadata: { name, tenantId } })
      return { id, name }
    },
  }),
]
