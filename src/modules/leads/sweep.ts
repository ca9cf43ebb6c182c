import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { DAY_SECONDS } from './day.ts'

export const sweepRegistrationsJob = declareJob('leads.sweep-registrations', noPayload)

/** Deletes rows that are older than a day, and rows that were stored while the clock was wrong. */
export const sweepRegistrations = async ({ now, change }: JobContext): Promise<void> => {
  await sweepInBatches((limit) =>
    change(async ({ everywhere: db }) => {
      const old = db
        .selectFrom('public_registration')
        .select(['tenant_id', 'lead_id'])
        .where((eb) =>
          eb.or([
            eb('created_at', '<=', plusSeconds(now, -DAY_SECONDS)),
            eb('created_at', '>', plusSeconds(now, CLOCK_SLACK_SECONDS)),
          ]),
        )
        .limit(limit)
      const { numDeletedRows } = await db
        .deleteFrom('public_registration')
        .where(({ eb, refTuple }) => eb(refTuple('tenant_id', 'lead_id'), 'in', old.$asTuple('tenant_id', 'lead_id')))
        .executeTakeFirst()
      return Number(numDeletedRows)
    }),
  )
}
