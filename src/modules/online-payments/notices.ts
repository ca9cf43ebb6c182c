import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { found } from '#kernel/values/errors.ts'
import { existingTenant, findTenant } from '#modules/tenants/index.ts'
import type { Notice } from '#ports/payments/port.ts'
import { applyTold } from './book.ts'
import { NoticeRefused } from './failures.ts'
import { accountOf, type ProviderDeps, type ProviderRow } from './providers.ts'

export const noticeJob = declareJob('online-payments.notice', v.object({ tenantId: v.string(), noticeId: v.string() }))

export interface Received {
  provider: ProviderRow
  notice: Notice
}

/** Checks who signed a notice. @throws NotFound, NoticeRefused */
export const readNotice = async (
  { vault, ports }: ProviderDeps,
  asked: { everywhere: SystemDb; id: string; bytes: Uint8Array; request: RequestInfo; now: string },
): Promise<Received> => {
  const { everywhere, id, bytes, request, now } = asked
  const provider = found(
    await everywhere.selectFrom('payment_provider').selectAll().where('id', '=', id).executeTakeFirst(),
  )
  const notice = ports[provider.provider].readNotice(accountOf(vault, provider), {
    bytes,
    header: (name) => request.header(name),
    now,
  })
  if (notice.is === 'refused') throw NoticeRefused()
  return { provider, notice }
}

/** Keeps a notice, and lets a job act on it; the same one sent again is answered alike, and nothing follows from it. */
export const keepNotice = async (system: SystemTx, { provider, notice }: Received): Promise<void> => {
  if (notice.tells === null) return
  const tx = system.inTenant(await existingTenant(system.db, provider.tenant_id))
  const id = tx.id()
  const row = { id, provider: provider.provider, notice_id: notice.id, tells: notice.tells, done_at: null }
  const kept = await tx.whole
    .insertInto('payment_notice')
    .values({ ...row, created_at: tx.now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'provider', 'notice_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (kept) tx.enqueue(noticeJob, { tenantId: tx.tenant.id, noticeId: id })
}

/** Acts on a notice. It commits with the end of the job: a kill in between leaves both undone. */
export const actOnNotice = async ({
  payload: { tenantId, noticeId },
  finish,
}: JobContext<v.InferOutput<typeof noticeJob.payload>>): Promise<void> => {
  await finish(async (system) => {
    const tenant = await findTenant(system.db, tenantId)
    if (!tenant) return
    const { whole, now } = system.inTenant(tenant)
    const notice = await whole.selectFrom('payment_notice').selectAll().where('id', '=', noticeId).executeTakeFirst()
    if (!notice || notice.done_at !== null) return
    await applyTold(system, tenant, { provider: notice.provider, told: notice.tells })
    await whole.updateTable('payment_notice').set({ done_at: now }).where('id', '=', noticeId).execute()
  })
}
