import { forNoKeyUpdate } from '#db/dialect.ts'
import { declareJob, noPayload } from '#kernel/job.ts'
import type { JobContext } from '#kernel/module.ts'
import { addDays } from '#kernel/zone.ts'
import { findTenant } from '#modules/settings/index.ts'
import { openInvoiceEvent } from './lifecycle.ts'
import type { InvoiceStatus } from './tables.ts'

export const sweepOverdueJob = declareJob('billing.sweep-overdue', noPayload)

/** Of one transaction, which holds up whoever asks for something meanwhile. */
const BATCH = 25
const WAITING = ['issued', 'partially_paid'] as const

/**
 * Makes open invoices overdue whose due date lies before today where their institute is. Works in short transactions;
 * an invoice changes only while it is still waiting, so of two sweeps at once one emits its event.
 */
export const sweepOverdue = async (context: JobContext): Promise<void> => {
  for (const status of WAITING) await sweepStatus(context, status)
}

/** An institute, none of those `seen`, with an invoice that is due somewhere on earth. Costs by what is due. */
const nextTenant = async (
  db: JobContext['everywhere'],
  { status, latest, seen }: { status: InvoiceStatus; latest: string; seen: readonly string[] },
): Promise<string | undefined> => {
  let due = db.selectFrom('invoice').select('tenant_id').where('status', '=', status).where('due_date', '<', latest)
  if (seen.length > 0) due = due.where('tenant_id', 'not in', seen)
  return (await due.orderBy('due_date').limit(1).executeTakeFirst())?.tenant_id
}

// One status at a time: that is how an index leads to what is due, whatever else there is.
const sweepStatus = async ({ db, everywhere, now, change }: JobContext, status: InvoiceStatus): Promise<void> => {
  // Nowhere on earth is it later than tomorrow.
  const latest = addDays(now.slice(0, 10), 1)
  const seen: string[] = []
  for (;;) {
    const tenantId = await nextTenant(everywhere, { status, latest, seen })
    if (tenantId === undefined) return
    seen.push(tenantId)
    const tenant = await findTenant(db, tenantId)
    if (!tenant || tenant.status === 'archived') continue
    let swept: number
    do {
      swept = await change(async (system) => {
        const tx = system.inTenant(tenant)
        const due = tx.whole
          .selectFrom('invoice')
          .select('id')
          .where('status', '=', status)
          .where('due_date', '<', tx.today)
          .orderBy('due_date')
          .orderBy('id')
          .limit(BATCH)
        const found = await forNoKeyUpdate(tx.whole, due).execute()
        if (found.length === 0) return 0
        const ids = found.map(({ id }) => id)
        const rows = await tx.whole
          .updateTable('invoice')
          .set((eb) => ({ status: 'overdue' as const, version: eb('version', '+', 1), updated_at: tx.now }))
          .where('id', 'in', ids)
          .where('status', '=', status)
          .returningAll()
          .execute()
        for (const row of rows) {
          tx.record('invoice.overdue', openInvoiceEvent(row))
          tx.audit({ entityType: 'invoice', entityId: row.id, after: { status: 'overdue', version: row.version } })
        }
        return found.length
      })
    } while (swept === BATCH)
  }
}
