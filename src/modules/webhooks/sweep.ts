import { plusSeconds } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { forgetEvents } from '#runtime/queue/old-events.ts'

export const sweepDeliveriesJob = declareJob('webhooks.sweep', noPayload)

const KEPT_SECONDS = 90 * 24 * 3600

/**
 * Deletes finished deliveries after 90 days, then events without deliveries of that age, and previous secrets whose
 * overlap has ended.
 */
export const sweepDeliveries = async ({ now, change }: JobContext): Promise<void> => {
  const before = plusSeconds(now, -KEPT_SECONDS)
  await sweepInBatches((limit) =>
    change(async ({ everywhere: db }) => {
      const old = db
        .selectFrom('webhook_delivery')
        .select(['tenant_id', 'id'])
        .where('created_at', '<', before)
        .where('status', '<>', 'queued')
        .limit(limit)
      const { numDeletedRows } = await db
        .deleteFrom('webhook_delivery')
        .where(({ eb, refTuple }) => eb(refTuple('tenant_id', 'id'), 'in', old.$asTuple('tenant_id', 'id')))
        .executeTakeFirst()
      return Number(numDeletedRows)
    }),
  )
  await sweepInBatches((limit) =>
    change(({ everywhere: db }) =>
      forgetEvents(db, { before, limit }, ({ exists, selectFrom }) =>
        exists(
          selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.event_id', '=', 'event.id'),
        ),
      ),
    ),
  )
  await change(({ everywhere: db }) =>
    db
      .updateTable('webhook_endpoint')
      .set({ previous_secret: null, previous_secret_expires_at: null })
      .where('previous_secret_expires_at', '<=', now)
      .execute(),
  )
}
