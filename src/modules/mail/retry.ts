import { plusSeconds } from '#kernel/clock.ts'
import type { SystemDb } from '#kernel/tables.ts'
import { sendJob } from './send.ts'

/** How many mails one call puts back. */
const AT_ONCE = 500
/** An attempt that is due so soon comes by itself. */
const SOON_SECONDS = 60

/**
 * Puts an institute's mails that the mail server did not take back into the queue, due now, with all their attempts:
 * invitations. Those that were refused for good stay; they ended before their last attempt. An attempt that runs is left
 * alone, for its job is in another state.
 */
export const retryInstituteMails = async (
  { everywhere: db, now }: { everywhere: SystemDb; now: string },
  tenantId: string,
): Promise<void> => {
  const stuck = db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', sendJob.name)
    .where('tenant_id', '=', tenantId)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'dead'), eb('attempts', '>=', eb.ref('max_attempts'))]),
        eb.and([eb('state', '=', 'queued'), eb('attempts', '>', 0), eb('run_at', '>', plusSeconds(now, SOON_SECONDS))]),
      ]),
    )
    .orderBy('id')
    .limit(AT_ONCE)
  await db
    .updateTable('job')
    .set({ state: 'queued', attempts: 0, run_at: now, finished_at: null })
    .where('id', 'in', stuck)
    // One that has begun meanwhile goes on.
    .where('state', 'in', ['dead', 'queued'])
    .execute()
}
