import { call } from './api.ts'
import { issuerCommand, listed, said } from './declare.ts'
import { minute } from './records.ts'

interface Queue {
  name: string
  queued: number
  running: number
  failed: number
  oldestQueuedAt: string | null
}

export const issuerQueues = issuerCommand({
  about: 'Say what waits, runs and failed in the job queue',
  show: async () => {
    const { data } = (await call('GET', '/platform/queues')) as { data: Queue[] }
    return listed(data, ['NAME', 'QUEUED', 'RUNNING', 'FAILED', 'OLDEST'], (queue) => [
      queue.name,
      String(queue.queued),
      String(queue.running),
      String(queue.failed),
      minute(queue.oldestQueuedAt),
    ])
  },
})

export const issuerQueueRetry = issuerCommand({
  about: 'Run the failed jobs of one kind again, at most 5,000 of them',
  usage: 'NAME',
  words: 1,
  show: async ({ words: [name = ''] }) => {
    const path = `/platform/queues/${encodeURIComponent(name)}/retry-failed`
    const reply = (await call('POST', path)) as { retried: number; failed: number }
    return said(reply, `${reply.retried} jobs run again; ${reply.failed} are left that failed.`)
  },
})
