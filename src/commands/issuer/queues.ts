import type { Option } from '../command.ts'
import { call } from './api.ts'
import { confirmed, issuerCommand, listed, said, YES } from './declare.ts'
import { minute } from './records.ts'

interface Queue {
  name: string
  pausedAt: string | null
  pauseReason: string | null
  queued: number
  running: number
  failed: number
  oldestQueuedAt: string | null
}

interface Lanes {
  data: {
    lane: string
    tenantId: string | null
    tenantSlug: string | null
    queued: number
    running: number
    oldestQueuedAt: string | null
  }[]
  lanes: number
}

const REASON: Option = { value: 'TEXT', required: true, about: 'Why; it stands beside the queue' }

const queuePath = (name: string, action: string) => `/platform/queues/${encodeURIComponent(name)}/${action}`

export const issuerQueues = issuerCommand({
  about: 'Say what waits, runs and failed in the job queue, and what is paused',
  show: async () => {
    const { data } = (await call('GET', '/platform/queues')) as { data: Queue[] }
    return listed(data, ['NAME', 'QUEUED', 'RUNNING', 'FAILED', 'OLDEST', 'PAUSED', 'WHY'], (queue) => [
      queue.name,
      String(queue.queued),
      String(queue.running),
      String(queue.failed),
      minute(queue.oldestQueuedAt),
      minute(queue.pausedAt),
      queue.pauseReason ?? '',
    ])
  },
})

export const issuerQueueLanes = issuerCommand({
  about: 'Say in which lanes of the job queue the most jobs wait: whose they are, and for what',
  show: async () => {
    const { data, lanes } = (await call('GET', '/platform/lanes')) as Lanes
    const shown = listed(data, ['TENANT', 'LANE', 'QUEUED', 'RUNNING', 'OLDEST'], (lane) => [
      lane.tenantSlug ?? '-',
      lane.tenantId === null ? lane.lane : lane.lane.slice(lane.tenantId.length + 1),
      String(lane.queued),
      String(lane.running),
      minute(lane.oldestQueuedAt),
    ])
    const more = lanes > data.length ? [`${lanes - data.length} more lanes have jobs that wait or run.`] : []
    return { ...shown, lines: [...shown.lines, ...more] }
  },
})

export const issuerQueuePause = issuerCommand({
  about: 'Start no job of one kind, in any institute, until it is resumed',
  usage: 'NAME --reason TEXT [--yes]',
  words: 1,
  options: { reason: REASON, yes: YES },
  show: async (invocation) => {
    const {
      words: [name = ''],
      options: { reason },
    } = invocation
    await confirmed(invocation, `No job ${name} starts until you resume it, in no institute.`, name)
    const queue = (await call('POST', queuePath(name, 'pause'), { reason })) as Queue
    return said(queue, `${name} is paused: ${queue.queued} jobs wait, ${queue.running} run on to their end.`)
  },
})

export const issuerQueueResume = issuerCommand({
  about: 'Let the jobs of a paused kind start again',
  usage: 'NAME',
  words: 1,
  show: async ({ words: [name = ''] }) => {
    const queue = (await call('POST', queuePath(name, 'resume'))) as Queue
    return said(queue, `${name} is not paused: ${queue.queued} jobs wait for their turn.`)
  },
})

export const issuerQueueRetry = issuerCommand({
  about: 'Run the failed jobs of one kind again, at most 5,000 of them',
  usage: 'NAME',
  words: 1,
  show: async ({ words: [name = ''] }) => {
    const reply = (await call('POST', queuePath(name, 'retry-failed'))) as { retried: number; failed: number }
    return said(reply, `${reply.retried} jobs run again; ${reply.failed} are left that failed.`)
  },
})
