import type { Module } from '#kernel/module.ts'
import { deliver, type DeliverDeps } from './deliver.ts'
import { DELIVER_JOB, fanOut } from './deliveries.ts'
import { webhookEndpoints, type WebhookEndpointDeps } from './endpoints.ts'
import { webhookTables } from './tables.ts'

export type WebhooksDeps = DeliverDeps & WebhookEndpointDeps

export const webhooksModule = (deps: WebhooksDeps): Module => ({
  name: 'webhooks',
  tables: webhookTables,
  endpoints: webhookEndpoints(deps),
  jobs: { [DELIVER_JOB]: { handle: deliver(deps) } },
  eventSinks: [fanOut],
})
