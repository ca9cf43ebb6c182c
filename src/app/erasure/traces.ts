import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { eraseEntries, eraseEntriesOfAccount, eraseEvents, eraseReplies } from '#runtime/change/erase-logged.ts'
import { deleteJobs, eraseEndedJobs } from '#runtime/queue/erase-jobs.ts'
import { emailKey, eraseAccount } from '#modules/identity/index.ts'
import { sendJob } from '#modules/mail/index.ts'
import { forgetDevices, forgetTold } from '#modules/notifications/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { forgetResponse } from '#modules/webhooks/index.ts'

/**
 * Goes through what was written beside the records, in which a person is found by reading alone, after the transaction
 * that erased them: nobody waits for it. Each page is a transaction of its own, and a run that is cut off begins again.
 */

export const eraseTracesJob = declareJob(
  'people.erase-traces',
  v.object({
    tenantId: v.string(),
    /** The record, those that were merged into it, and memberships and invitations that ended with it. */
    ids: v.array(v.string()),
    /** Records that were of the person alone. */
    ownIds: v.array(v.string()),
    /** Accounts that nobody else uses. */
    userIds: v.array(v.string()),
    /** What stands in place of the name. */
    name: v.string(),
    /** Hashes of their addresses, by which mails that wait are known. */
    mails: v.array(v.string()),
  }),
)
type Traces = v.InferOutput<typeof eraseTracesJob.payload>

/** By which mails to an address are known, so that the job itself does not keep it. */
export const hashOfAddress = (email: string): string => createHash('sha256').update(emailKey(email)).digest('hex')

/** Mails that wait: those of the institute, and where the account goes those of the account. */
const deleteMails = ({ everywhere }: SystemTx, { tenantId, userIds, mails }: Traces): Promise<void> =>
  deleteJobs(everywhere, sendJob.name, ({ to, tenantId: of }) => {
    const isOurs = of === tenantId || (of === undefined && userIds.length > 0)
    return isOurs && typeof to === 'string' && mails.includes(hashOfAddress(to))
  })

/** Empties an account, unless another institute knows it too. */
const endAccount = async (
  tx: SystemTx,
  tenant: TenantInfo,
  { userId, name }: { userId: string; name: string },
): Promise<void> => {
  await forgetDevices(tx.inTenant(tenant), userId)
  const elsewhere = tx.everywhere.selectFrom('membership').select('id').where('user_id', '=', userId).limit(1)
  if (await elsewhere.executeTakeFirst()) return
  await eraseAccount(tx, userId, name)
  await eraseEntriesOfAccount(tx.everywhere, userId)
}

export const eraseTraces = async (context: JobContext<Traces>): Promise<void> => {
  const { payload: traces, change } = context
  const { tenantId, ownIds, userIds, name } = traces
  const tenant = await findTenant(context.db, tenantId)
  if (!tenant) return
  const named = { tenantId, ids: [...traces.ids, ...userIds] }
  for (const userId of userIds) await change((tx) => endAccount(tx, tenant, { userId, name }))
  const inside = {
    whole: context.inTenant(tenant),
    change: (work: (tx: Tx) => Promise<void>) => change((tx) => work(tx.inTenant(tenant))),
  }
  await forgetTold(inside, new Set([...named.ids, ...ownIds]))
  await eraseEvents(context, named, (tx, eventId) => forgetResponse(tx.inTenant(tenant), eventId))
  await eraseReplies(context, named.ids)
  await change(({ everywhere }) => eraseEndedJobs(everywhere, named))
  await change((tx) => deleteMails(tx, traces))
  await eraseEntries(context, { ...named, ownIds })
}
