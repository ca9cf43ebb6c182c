import { compiled } from '#db/queries/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { EventSubscriber, JobContext } from '#kernel/contract/module.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate } from '#kernel/time/zone.ts'
import { findTenants } from '#modules/tenants/index.ts'
import { isUncovered } from './cheques/covering.ts'
import { openInvoiceEvent } from './lifecycle.ts'

export const sweepOverdueJob = declareJob('billing.sweep-overdue', noPayload)

/**
 * An invoice that is issued after its day, such as an old debt, does not wait for the next time that the sweep comes by: it
 * is overdue at once, with its event.
 */
export const sweepWhatIsLate: EventSubscriber = async (system, events) => {
  const isLate = events.some(
    ({ type, tenant, data }) =>
      type === 'invoice.issued' && data.status !== 'paid' && data.dueDate < system.inTenant(tenant).today,
  )
  if (isLate) system.enqueue(sweepOverdueJob, {})
}

/** Invoices per transaction; a larger one would make other writers wait too long. */
const BATCH = 25
const WAITING = ['issued', 'partially_paid'] as const
type Waiting = (typeof WAITING)[number]

/**
 * Marks open invoices as overdue when their due date is before today in their institute's time zone, unless cheques that
 * are held come to what is still to be paid. Works in short
 * transactions, each with invoices of as many institutes as come next, so that the cost depends on how many invoices
 * are due and not on how many institutes they belong to. Each update checks the status again, so of two concurrent
 * sweeps only one records the event.
 */
export const sweepOverdue = async (context: JobContext): Promise<void> => {
  for (const status of WAITING) await sweepStatus(context, status)
}

/** The position of an invoice in the index that the sweep follows; invoices of one institute and day share it. */
interface IndexPosition {
  due_date: string
  tenant_id: string
}

interface Candidate extends IndexPosition {
  id: string
}

/** Before all others. */
const BEGINNING: IndexPosition = { due_date: '0001-01-01', tenant_id: '00000000-0000-0000-0000-000000000000' }

// One status at a time, so that an index finds the invoices in order.
const nextAfter = compiled(
  (db, { status, latest, due_date, tenant_id }: IndexPosition & { status: Waiting; latest: string }) =>
    db
      .selectFrom('invoice')
      .select(['due_date', 'tenant_id', 'id'])
      .where('status', '=', status)
      .where('due_date', '<', latest)
      .where(isUncovered)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('due_date', 'tenant_id'), '>', tuple(due_date, tenant_id)))
      .orderBy('due_date')
      .orderBy('tenant_id')
      .limit(BATCH),
)

const isSamePosition = (one: IndexPosition, other: IndexPosition): boolean =>
  one.due_date === other.due_date && one.tenant_id === other.tenant_id

type Tenants = ReadonlyMap<string, TenantInfo>

/** Whether the invoices at this position are overdue. Invoices of archived institutes stay as they are. */
const isOverdue = (
  tenants: Tenants,
  { due_date: dueDate, tenant_id: tenantId }: IndexPosition,
  now: string,
): boolean => {
  const tenant = tenants.get(tenantId)
  return tenant !== undefined && tenant.status !== 'archived' && dueDate < localDate(now, tenant.timezone)
}

const sweepStatus = async ({ db, everywhere, now, change }: JobContext, status: Waiting): Promise<void> => {
  // No time zone is further ahead than tomorrow's date in UTC.
  const latest = addDays(now.slice(0, 10), 1)
  let after = BEGINNING
  for (;;) {
    const found = await nextAfter(everywhere, { status, latest, ...after })
    const last = found.at(-1)
    if (!last) return
    // The next query begins after a position. The last one may have more invoices than were found: leave it to that query.
    const complete = found.length < BATCH ? found : found.filter((one) => !isSamePosition(one, last))
    const batch = complete.length > 0 ? complete : found
    const tenants = await findTenants(db, [...new Set(batch.map((one) => one.tenant_id))])
    const overdue = batch.filter((one) => isOverdue(tenants, one, now))
    if (overdue.length > 0) await change((tx) => markOverdue(tx, { tenants, overdue, status, now }))
    // If one position fills a whole batch, stay there: marked invoices leave the index, so the next query finds the rest.
    const end = batch.at(-1) as Candidate
    if (complete.length > 0 || !isOverdue(tenants, end, now))
      after = { due_date: end.due_date, tenant_id: end.tenant_id }
  }
}

const markOverdue = async (
  tx: SystemTx,
  { tenants, overdue, status, now }: { tenants: Tenants; overdue: readonly Candidate[]; status: Waiting; now: string },
): Promise<void> => {
  const { everywhere: db } = tx
  const keys = overdue.map(({ tenant_id: tenantId, id }) => [tenantId, id] as const)
  const waiting = await forNoKeyUpdate(
    db,
    db
      .selectFrom('invoice')
      .select(['tenant_id', 'id', 'due_date'])
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('tenant_id', 'id'),
          'in',
          keys.map(([tenantId, id]) => tuple(tenantId, id)),
        ),
      )
      .where('status', '=', status)
      .orderBy('id'),
  ).execute()
  const due = waiting.filter((one) => isOverdue(tenants, one, now))
  if (due.length === 0) return
  const rows = await db
    .updateTable('invoice')
    // A cheque may have come since they were read.
    .where(isUncovered)
    .set((eb) => ({ status: 'overdue' as const, version: eb('version', '+', 1), updated_at: tx.now }))
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('tenant_id', 'id'),
        'in',
        due.map((one) => tuple(one.tenant_id, one.id)),
      ),
    )
    .returningAll()
    .execute()
  for (const [tenantId, ofTenant] of Map.groupBy(rows, (row) => row.tenant_id)) {
    const inTenant = tx.inTenant(tenants.get(tenantId) as TenantInfo)
    for (const row of ofTenant) {
      inTenant.emit('invoice.overdue', openInvoiceEvent(row))
      inTenant.audit({ entityType: 'invoice', entityId: row.id, after: { status: 'overdue', version: row.version } })
    }
  }
}
