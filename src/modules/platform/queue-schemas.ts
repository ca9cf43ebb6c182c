import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, integer, list, MAX_LIMIT, orNull, pageQuery, prose, text, ts, uuid } from '#kernel/values/schema.ts'

const words = {
  name: 'The kind of job.',
  pausedAt: 'Since when no job of this kind starts; null: they do.',
  pauseReason: 'Why somebody paused it; null: it is not paused, or was before anybody was asked.',
  queued: 'Jobs that wait, also for a later time or because their kind is paused.',
  running: 'Jobs that run now.',
  failed: 'Jobs that failed for good: they are not tried again by themselves.',
  oldestQueuedAt: 'When the job was made that has waited longest; null: none waits.',
}

export const JobQueue = named(
  'JobQueue',
  v.object({
    name: v.string(),
    pausedAt: orNull(ts),
    pauseReason: orNull(v.string()),
    queued: count,
    running: count,
    failed: count,
    oldestQueuedAt: orNull(ts),
  }),
  words,
)
export const queueName = text(100)
export const QueuePause = named('QueuePause', v.object({ reason: prose(500) }), {
  reason: 'Why; it stands beside the queue and in the audit log.',
})
export const Retried = named('RetriedJobs', v.object({ name: v.string(), retried: count, failed: count }), {
  name: words.name,
  retried: 'How many jobs were put back into the queue.',
  failed: 'How many are left that failed for good.',
})

export const LaneQuery = explained(v.object({ limit: v.optional(integer(1, MAX_LIMIT), MAX_LIMIT) }), {
  limit: 'How many lanes the reply names at most.',
})

const JobLane = named(
  'JobLane',
  v.object({
    lane: v.string(),
    tenantId: orNull(id),
    tenantSlug: orNull(v.string()),
    queued: count,
    running: count,
    oldestQueuedAt: orNull(ts),
  }),
  {
    ...words,
    lane: 'Its name: the institute and what its jobs do, or the kind of jobs that belong to no institute.',
    tenantId: 'Whose jobs they are; null: no institute’s.',
    tenantSlug: 'The short name of that institute; null: there is none.',
  },
)
export const JobLanes = named('JobLanes', v.object({ data: list(JobLane), lanes: count }), {
  data: 'The lanes with the most waiting jobs, these first.',
  lanes: 'How many lanes have jobs that wait or run.',
})

const state = v.picklist(['queued', 'paused', 'running', 'failed'])

const jobWords = {
  name: words.name,
  tenantId: 'The institute that the job works for; null: none.',
  state:
    'queued: it waits, also for a later time; paused: it is due, and its kind is paused; running: it runs now; failed: it failed for good.',
}

export const JobQuery = explained(
  pageQuery({ state: v.optional(state, 'failed'), name: v.optional(queueName), tenantId: v.optional(uuid) }),
  jobWords,
)

export const QueuedJob = named(
  'QueuedJob',
  v.object({
    id,
    name: v.string(),
    tenantId: orNull(id),
    lane: v.string(),
    state,
    attempts: count,
    maxAttempts: count,
    runAt: ts,
    lastError: orNull(v.string()),
    createdAt: ts,
  }),
  {
    ...jobWords,
    lane: 'The lane in which it waits.',
    attempts: 'How often it was tried.',
    maxAttempts: 'How often it is tried at most.',
    runAt: 'When it is due, or was.',
    lastError: 'Why its last attempt failed; null: none has.',
  },
)
export const JobReply = named('JobReply', v.object({ id, name: v.string() }), { name: words.name })
