import { plusSeconds } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { REPEATED_SECONDS } from '#runtime/change/request-hash.ts'

export const sweepStepsJob = declareJob('billing.sweep-steps', noPayload)

/**
 * Claims invoices for a request in the transaction that changes them. Of two processes that work on the same request the
 * database lets one have each invoice; the other waits for its commit.
 * @param requestHash null: the request has no key, and a repeat of it is another request
 * @returns those that the request is not done with yet
 */
export const claimSteps = async (
  { whole, now }: Tx,
  requestHash: string | null,
  invoiceIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (requestHash === null) return new Set(invoiceIds)
  const rows = await whole
    .insertInto('invoice_step')
    .values(invoiceIds.map((id) => ({ request_hash: requestHash, invoice_id: id, created_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('invoice_id')
    .execute()
  return new Set(rows.map(({ invoice_id: id }) => id))
}

/** Gives back those that were refused: a repeat looks at them again. */
export const releaseSteps = async (
  { whole }: Tx,
  requestHash: string | null,
  invoiceIds: readonly string[],
): Promise<void> => {
  if (requestHash === null || invoiceIds.length === 0) return
  await whole
    .deleteFrom('invoice_step')
    .where('request_hash', '=', requestHash)
    .where('invoice_id', 'in', invoiceIds)
    .execute()
}

/** Deletes the steps of requests that nobody can repeat any more. */
export const sweepSteps = async ({ change, now }: JobContext): Promise<void> => {
  const before = plusSeconds(now, -REPEATED_SECONDS)
  await sweepInBatches((limit) =>
    change(async ({ everywhere: db }) => {
      const old = db
        .selectFrom('invoice_step')
        .select(['tenant_id', 'request_hash', 'invoice_id'])
        .where('created_at', '<=', before)
        .orderBy('created_at')
        .limit(limit)
      const { numDeletedRows } = await db
        .deleteFrom('invoice_step')
        .where(({ eb, refTuple }) =>
          eb(
            refTuple('tenant_id', 'request_hash', 'invoice_id'),
            'in',
            old.$asTuple('tenant_id', 'request_hash', 'invoice_id'),
          ),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    }),
  )
}
