import { forNoKeyUpdate } from '#db/dialect.ts'
import { declareJob, noPayload } from '#kernel/job.ts'
import type { JobContext } from '#kernel/module.ts'
import { addDays } from '#kernel/zone.ts'
import { findTenant } from '#modules/settings/index.ts'
import { openInvoiceEvent } from './lifecycle.ts'
import type { InvoiceStatus } from './tables.ts'

export const sweepOverdueJob = declareJob('billing.sweep-overdue', noPayload)

/** Invoices per transaction; a larger one would make other writers wait too long. */
const BATCH = 25
const WAITING = ['issued', 'partially_paid'] as const

/**
 * Marks open invoices as overdue when their due date is before today in their institute's time zone. Works in short
 * transactions; each update checks the status again, so of two concurrent sweeps only one records the event.
 */
export const sweepOverdue = async (context: JobContext): Promise<void> => {
  for (const status of WAITING) await sweepStatus(context, status)
}

/**
 * Finds an institute outside `seen` with an invoice that may be due somewhere on earth. The cost grows with the due
 * invoices only.
 */
const nextTenant = async (
  db: JobContext['everywhere'],
  { status, latest, seen }: { status: InvoiceStatus; latest: string; seen: readonly string[] },
): Promise<string | undefined> => {
  let due = db.selectFrom('invoice').select('tenant_id').where('status', '=', status).where('due_date', '<', latest)
  if (seen.length > 0) due = due.where('tenant_id', 'not in', seen)
  return (await due.orderBy('due_date').limit(1).executeTakeFirst())?.tenant_id
}

// One status at a time, so that an index finds the due invoices.
const sweepStatus = async ({ db, everywhere, now, change }: JobContext, status: InvoiceStatus): Promise<void> => {
  // No time zone is further ahead than tomorrow's date in UTC.
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
