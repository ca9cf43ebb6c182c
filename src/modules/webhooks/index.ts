import type { Module } from '#kernel/module.ts'
import { deliver, loadQueued, type DeliverDeps } from './deliver.ts'
import { DELIVER_JOB } from './deliveries.ts'
import { webhookEndpoints, type WebhookEndpointDeps } from './endpoints.ts'
import { DISABLE_JOB, disableTheRest } from './endpoints-service.ts'
import { fanOut } from './fan-out.ts'
import { SWEEP_JOB, sweepDeliveries } from './sweep.ts'
import { webhookTables } from './tables.ts'

export type WebhooksDeps = DeliverDeps & WebhookEndpointDeps

/** A run that ended with its worker counts too, and says nothing about the delivery: that many of them are forgiven. */
const DELIVERY_RUNS = 1000

export const webhooksModule = (deps: WebhooksDeps): Module => ({
  name: 'webhooks',
  tables: webhookTables,
  endpoints: webhookEndpoints(deps),
  jobs: {
    [DELIVER_JOB]: { load: loadQueued, handle: deliver(deps), maxAttempts: DELIVERY_RUNS, relaxed: true },
    [DISABLE_JOB]: { handle: disableTheRest },
    [SWEEP_JOB]: { handle: sweepDeliveries },
  },
  ticks: [{ cron: '43 * * * *', job: SWEEP_JOB }],
  eventSinks: [fanOut],
})
