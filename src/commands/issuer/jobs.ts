import { WrongUsage } from '../command.ts'
import { call, callAll } from './api.ts'
import { confirmed, issuerCommand, listed, said, YES } from './declare.ts'
import { isId, minute, tenantIdOf } from './records.ts'

interface Job {
  id: string
  name: string
  tenantId: string | null
  attempts: number
  maxAttempts: number
  runAt: string
  lastError: string | null
}

const ID = 'ID'

/** The address of a job. @throws WrongUsage */
const jobPath = (id: string): string => {
  if (!isId(id)) throw new WrongUsage(`${id} is no id of a job: institute vendor jobs lists them.`)
  return `/platform/jobs/${id}`
}

export const issuerJobs = issuerCommand({
  about: 'List jobs of the queue, the newest first: those that failed for good, or others',
  usage: '[--state STATE] [--queue NAME] [--tenant TENANT]',
  options: {
    state: { value: 'STATE', about: 'Without it: failed', choices: ['queued', 'paused', 'running', 'failed'] },
    queue: { value: 'NAME', about: 'Of this kind only' },
    tenant: { value: 'TENANT', about: 'Of this institute only, by its short name or id' },
  },
  show: async ({ options: { state, queue, tenant } }) => {
    const tenantId = tenant === undefined ? undefined : await tenantIdOf(tenant)
    const jobs = await callAll<Job>('/platform/jobs', { state, name: queue, tenantId })
    return listed(jobs, ['ID', 'NAME', 'TRIED', 'DUE', 'ERROR'], (job) => [
      job.id,
      job.name,
      `${job.attempts} of ${job.maxAttempts}`,
      minute(job.runAt),
      job.lastError?.replaceAll(/\s+/g, ' ') ?? '-',
    ])
  },
})

export const issuerJobRetry = issuerCommand({
  about: 'Run a job again now that failed',
  usage: ID,
  words: 1,
  show: async ({ words: [id = ''] }) => {
    const job = (await call('POST', `${jobPath(id)}/retry`)) as Job
    return said(job, `The job ${id} (${job.name}) runs again.`)
  },
})

export const issuerJobDrop = issuerCommand({
  about: 'Drop a job that waits or failed: what it was to do is never done',
  usage: `${ID} [--yes]`,
  words: 1,
  options: { yes: YES },
  show: async (invocation) => {
    const [id = ''] = invocation.words
    const path = jobPath(id)
    await confirmed(invocation, 'What this job was to do is never done.', 'drop')
    const job = (await call('DELETE', path)) as Job
    return said(job, `The job ${id} (${job.name}) is dropped.`)
  },
})
