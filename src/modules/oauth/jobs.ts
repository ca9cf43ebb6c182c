import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type CronJob, type JobKind } from '#kernel/contract/module.ts'
import { sweepClients } from './clients.ts'
import type { OAuthDeps } from './deps.ts'

export const sweepClientsJob = declareJob('oauth.sweep', noPayload)

export const oauthJobs = ({ sessionLifetime }: OAuthDeps): readonly JobKind[] => [
  jobKind(sweepClientsJob, {
    handle: ({ finish }) => finish((tx) => sweepClients(tx, sessionLifetime.longestSeconds)),
  }),
]

export const oauthCronJobs: readonly CronJob[] = [{ cron: '37 * * * *', job: sweepClientsJob }]
