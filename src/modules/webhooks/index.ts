import { jobKind, type Module } from '#kernel/contract/module.ts'
import { deliver, loadQueued, type DeliverDeps } from './deliver.ts'
import { deliverJob } from './deliveries.ts'
import { webhookEndpoints, type WebhookEndpointDeps } from './endpoints.ts'
import { disableQueuedJob, disableRemaining } from './endpoints-service.ts'
import { fanOut } from './fan-out.ts'
import { sweepDeliveries, sweepDeliveriesJob } from './sweep.ts'
import { webhookTables } from './tables.ts'
import { WEBHOOK } from './credentials.ts'

export { forgetResponse } from './forget.ts'

export type WebhooksDeps = DeliverDeps & WebhookEndpointDeps

/** A run that dies with its worker counts as one, though it says nothing about the delivery: allow that many. */
const DELIVERY_RUNS = 1000

export const webhooksModule = (deps: WebhooksDeps): Module => ({
  name: 'webhooks',
  tags: {
    webhooks: 'Where events are sent, and what became of each delivery.',
  },
  events: ['webhook_endpoint.secret_rotated'],
  tables: webhookTables,
  credentials: [WEBHOOK],
  reads: { runtime: ['event'] },
  endpoints: webhookEndpoints(deps),
  jobs: [
    jobKind(deliverJob, {
      load: loadQueued,
      handle: deliver(deps),
      maxAttempts: DELIVERY_RUNS,
      relaxed: true,
      endsTogether: true,
    }),
    jobKind(disableQueuedJob, { handle: disableRemaining }),
    jobKind(sweepDeliveriesJob, { handle: sweepDeliveries }),
  ],
  cronJobs: [{ cron: '43 * * * *', job: sweepDeliveriesJob }],
  eventSubscribers: [fanOut],
})
