import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { retryJobsOf } from '#runtime/queue/jobs-by-hand.ts'
import { sendJob } from './send.ts'

/** How many mails one call puts back. */
const AT_ONCE = 500

/**
 * Sends an institute's mails again that the mail server did not take: invitations. Those that were refused for good stay
 * so; they ended before their last attempt.
 */
export const retryInstituteMails = (system: SystemTx, tenantId: string): Promise<void> =>
  retryJobsOf(system, { kind: sendJob.name, tenantId, limit: AT_ONCE })
