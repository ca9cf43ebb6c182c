import type { EventType } from '#kernel/contract/events.ts'
import type { Caller } from './caller.ts'
import type { Deployment } from './deployment.ts'
import { STUDENTS, type Day } from './day.ts'
import { same, sum, type Find, type Finding, type Row } from './findings.ts'
import type { Receiver } from './receiver.ts'

const serials = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => prefix + String(index + 1).padStart(6, '0'))

/** The event must come once for each id, which stands in this field of its data. */
export type ExpectedEvents = [type: EventType, field: string, ids: string[]]

/**
 * Compares what the server has and what the receiver got with what was done: nothing lost, nothing twice, nothing that
 * did not happen.
 */
export const checkDay = async (
  caller: Caller,
  { receiver, day, events }: { receiver: Receiver; day: Day; events: ExpectedEvents[] },
  find: Find,
): Promise<void> => {
  const students = await caller.all('/students')
  find(
    'student numbers are in a row',
    same(
      students.map((student: Row) => student.studentNumber),
      serials('S-', STUDENTS),
    ),
    `${students.length} students`,
  )
  const invoices = await caller.all('/invoices')
  const year = new Date(invoices[0].issueDate).getUTCFullYear()
  find(
    'invoice numbers are in a row',
    same(
      invoices.map((invoice: Row) => invoice.number),
      serials(`INV-${year}-`, day.invoices.length),
    ),
    `${invoices.length} invoices`,
  )
  const payments = await caller.all('/payments')
  find(
    'every payment and the reversal stand in the ledger once',
    same(
      payments.map((payment: Row) => payment.id),
      [...day.payments.map((payment) => payment.id), day.reversal.id],
    ),
    `${payments.length} entries`,
  )
  const ledger = sum(payments.map((payment: Row) => payment.amount.amountMinor))
  const paid = sum(invoices.map((invoice: Row) => invoice.paid.amountMinor))
  const byInvoice = Map.groupBy(payments, (payment: Row) => payment.invoiceId as string)
  const uneven = invoices.filter(
    (invoice: Row) =>
      invoice.paid.amountMinor !==
        sum((byInvoice.get(invoice.id) ?? []).map((payment: Row) => payment.amount.amountMinor)) ||
      invoice.subtotal.amountMinor - invoice.discount.amountMinor + invoice.tax.amountMinor !==
        invoice.total.amountMinor,
  )
  find('the ledger adds up to the minor unit', ledger === paid && uneven.length === 0, `${ledger} minor units`)
  const summary = await caller.get('/billing/summary')
  const outstanding = sum(
    invoices
      .filter((invoice: Row) => ['issued', 'partially_paid', 'overdue'].includes(invoice.status))
      .map((invoice: Row) => invoice.total.amountMinor - invoice.paid.amountMinor),
  )
  find(
    'the summary says what the invoices say',
    summary.outstanding.amountMinor === outstanding && summary.collectedThisMonth.amountMinor === ledger,
    `${outstanding} outstanding`,
  )

  const heard = (type: string, field: string): string[] =>
    receiver.ofType(type).map(({ data }) => data[field] as string)
  const expected: ExpectedEvents[] = [
    ['student.created', 'studentId', day.students.map((student) => student.id)],
    ['student.status_changed', 'studentId', day.students.map((student) => student.id)],
    ['enrollment.created', 'studentId', day.students.map((student) => student.id)],
    ['attendance.marked', 'sessionId', day.sessions.map((session) => session.id)],
    ['invoice.issued', 'invoiceId', day.invoices.map((invoice) => invoice.id)],
    ['payment.recorded', 'paymentId', day.payments.map((payment) => payment.id)],
    ...events,
  ]
  for (const [type, field, ids] of expected) {
    find(`${type}: one event for each change, delivered`, same(heard(type, field), ids), `${ids.length} events`)
  }
  const known = new Set<string>([...expected.map(([type]) => type), 'student.absent'])
  const others = [...receiver.events.values()].filter((event) => !known.has(event.type))
  find('nothing was delivered that did not happen', others.length === 0, `${receiver.events.size} events in all`)
  find(
    'every delivery carried a good signature',
    receiver.badSignatures === 0,
    `${receiver.deliveries} deliveries, after ${receiver.failed} that the receiver failed`,
  )
}

/** For later, should nothing else do their work: a fee run whose process died, an upload that came too late. */
const FOR_LATER = ['fees.billing-run', 'files.arrived', 'files.discard'].map((kind) => `'${kind}'`).join(', ')

const unfinished = (): string => `select count(*) from job where state <> 'done'
  and not (kind in (${FOR_LATER}) and state = 'queued' and attempts = 0 and run_at > '${new Date().toISOString()}')`

/** @returns how many jobs wait, run or are dead */
export const unfinishedJobs = (deployment: Deployment): Promise<number> => deployment.count(unfinished())

/** Checks the database of a program that has ended: it is intact, and no job is lost or dead. */
export const checkDatabase = async (deployment: Deployment): Promise<Finding[]> => {
  const problems = await deployment.problems()
  const jobs = await deployment.count('select count(*) from job')
  const left = await unfinishedJobs(deployment)
  const missing = await deployment.count(
    `select count(*) from webhook_delivery where not exists
       (select 1 from job where payload ->> 'deliveryId' = cast(webhook_delivery.id as text))`,
  )
  return [
    { what: 'the database is whole', ok: problems.length === 0, detail: problems.join('; ') || 'no problem' },
    { what: 'every job was done, none given up', ok: left === 0, detail: `${jobs} jobs` },
    { what: 'every delivery had its job', ok: missing === 0, detail: `${missing} without` },
  ]
}
