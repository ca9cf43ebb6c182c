import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { failure, found } from '#kernel/values/errors.ts'
import { changeMany, NotADraft, voidDraft } from '#modules/billing/index.ts'
import type { VoidedRun } from './schemas.ts'

export const RunGoesOn = failure(
  'CONFLICT',
  'run_goes_on',
  'The run is still making drafts: try again when it is done.',
)

/** Invoices that one query looks up. */
const AT_ONCE = 500

interface Asked {
  id: string
  reason: string
  tenant: TenantInfo
  db: ScopedDb
  whole: ScopedDb
  begin: Begin
  requestHash: string | null
}

/** Voids the drafts of a run within the caller’s reach; what was issued since stays. @throws NotFound, RunGoesOn */
export const voidRun = async ({ id, reason, ...asked }: Asked): Promise<VoidedRun> => {
  const { db, whole } = asked
  const { finished_at: finishedAt } = found(
    await whole.selectFrom('billing_run').select('finished_at').where('id', '=', id).executeTakeFirst(),
  )
  if (finishedAt === null) throw RunGoesOn()
  const charges = await whole
    .selectFrom('fee_charge')
    .select('invoice_id')
    .distinct()
    .where('billing_run_id', '=', id)
    .orderBy('invoice_id')
    .execute()
  const ids = charges.map(({ invoice_id }) => invoice_id)
  const outcome: VoidedRun = { id, voided: [], kept: [] }
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const { done, refused } = await changeMany(
      { ...asked, db, ids: ids.slice(start, start + AT_ONCE) },
      { each: (tx, invoiceId) => voidDraft(tx, invoiceId, reason), refusals: { not_a_draft: NotADraft } },
    )
    outcome.voided.push(...done)
    for (const { id: kept, reason: why } of refused) if (why === 'not_a_draft') outcome.kept.push(kept)
  }
  return outcome
}

/** Adds the audit entry of the whole request, beside those of the invoices. */
export const noteVoidedRun = (tx: Tx, reason: string, voided: VoidedRun): VoidedRun => {
  const metadata = { reason, voided: voided.voided.length, kept: voided.kept.length }
  tx.audit({ entityType: 'billing_run', entityId: voided.id, metadata })
  return voided
}
