import { plusSeconds } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { ROWS_AT_ONCE, sweepInBatches } from '#runtime/change/batches.ts'
import { forgetEnded } from '../push/live-devices.ts'
import { enqueueDigestOnce } from './jobs.ts'

export const sweepNotificationsJob = declareJob('notifications.sweep', noPayload)

/** The log says what happened to which child, so it is deleted after half a year. */
export const KEPT_DAYS = 180
const DAY_SECONDS = 24 * 3600
/** A message that is due for so long was inserted while its digest ran, and the digest has not taken it. */
const LATE_SECONDS = 3600

/**
 * Deletes messages that are older than 180 days, also in inboxes, and browsers whose session has ended. Enqueues digests
 * for the messages that earlier digests have not taken.
 */
export const sweepNotifications = async ({ now, change }: JobContext): Promise<void> => {
  const before = plusSeconds(now, -KEPT_DAYS * DAY_SECONDS)
  await sweepInBatches((limit) =>
    change(async ({ everywhere: db }) => {
      const old = db
        .selectFrom('notification')
        .select(['tenant_id', 'id'])
        .where('created_at', '<', before)
        .where('status', '<>', 'queued')
        .limit(limit)
      const { numDeletedRows } = await db
        .deleteFrom('notification')
        .where(({ eb, refTuple }) => eb(refTuple('tenant_id', 'id'), 'in', old.$asTuple('tenant_id', 'id')))
        .executeTakeFirst()
      return Number(numDeletedRows)
    }),
  )
  await sweepInBatches((limit) =>
    change(async ({ everywhere: db }) => {
      const old = db
        .selectFrom('notification_call')
        .select(['tenant_id', 'id'])
        // Nobody is told of what is over.
        .where(({ and, or, eb }) =>
          or([eb('created_at', '<', before), and([eb('status', '=', 'open'), eb('happens_at', '<', now)])]),
        )
        .limit(limit)
      const { numDeletedRows } = await db
        .deleteFrom('notification_call')
        .where(({ eb, refTuple }) => eb(refTuple('tenant_id', 'id'), 'in', old.$asTuple('tenant_id', 'id')))
        .executeTakeFirst()
      return Number(numDeletedRows)
    }),
  )
  await change(({ everywhere, now: then }) => forgetEnded(everywhere, then))
  await change(async (system) => {
    const late = await system.everywhere
      .selectFrom('notification')
      .select(['tenant_id', 'recipient_id', 'channel'])
      .where('digest_at', '<', plusSeconds(now, -LATE_SECONDS))
      .where('digest_at', 'is not', null)
      .where('digest_id', 'is', null)
      .where('status', '=', 'queued')
      .limit(ROWS_AT_ONCE)
      .execute()
    for (const { tenant_id: tenantId, recipient_id: userId, channel } of late) {
      const tenant = await findTenant(system.db, tenantId)
      if (tenant)
        enqueueDigestOnce(system.inTenant(tenant), { tenantId, userId, channel, digestAt: now, zone: tenant.timezone })
    }
  })
}
