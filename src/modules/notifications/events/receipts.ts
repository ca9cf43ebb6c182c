import { exactSum } from '#kernel/values/sums.ts'
import { COMMAS } from '#shared/locale.ts'
import { unlinked } from '#shared/text.ts'
import type { Found } from '../recipients/records.ts'
import { studentsOf, type Notifier, type Occasion } from './occasion.ts'
import { invoicesById, paymentsBesides } from './records.ts'
import { payersOf } from './students.ts'

type Payment = Awaited<ReturnType<typeof paymentsBesides>>[number]
type Invoice = Awaited<ReturnType<typeof invoicesById>> extends ReadonlyMap<string, infer Row> ? Row : never

/** A payment of an invoice, and who is told of it. */
interface Told {
  payment: Payment
  invoice: Invoice
  payer: Found
}

/**
 * Of one receipt whoever pays is told once, of all its invoices. The cheques on one are paid each on its day, and told
 * of then.
 */
const isTogether = ({ payment, payer }: Told): string =>
  `${payment.receipt_id} ${payment.created_at} ${payer.kind} ${payer.id}`

const occasionOf = (all: readonly [Told, ...Told[]], sourceId: string): Occasion => {
  const [{ payment, invoice, payer }] = all
  const invoices = [...new Map(all.map((one) => [one.invoice.id, one.invoice])).values()]
  const students = [...new Set(all.flatMap((one) => one.payer.students))]
  const owed = invoices.map((one) => one.total_minor - one.paid_minor)
  return {
    sourceId,
    templateKey: 'payment.recorded',
    branchId: invoice.branch_id,
    payload: { paymentId: payment.id, invoiceId: invoice.id, studentId: invoice.student_id },
    recipients: [{ ...payer, students }],
    values: (writing) => ({
      studentName: unlinked(studentsOf(writing)),
      invoiceNumber: invoices.map(({ number }) => number).join(COMMAS[writing.locale]),
      amount: writing.f.amount(exactSum(all.map((one) => one.payment.amount_minor)), payment.currency),
      method: writing.words.methods[payment.method],
      date: writing.f.dayOf(payment.received_at),
      balance: writing.f.amount(exactSum(owed), invoice.currency),
    }),
  }
}

export const notifyPayments: Notifier<'payment.recorded'> = async ({ whole }, events) => {
  const eventOf = new Map(events.map(({ id, data }) => [data.paymentId, id]))
  const payments = await paymentsBesides(whole, [...eventOf.keys()])
  const invoices = await invoicesById(whole, [...new Set(payments.map((payment) => payment.invoice_id))])
  const payers = await payersOf(whole, [...invoices.values()])
  const told = payments.flatMap((payment): Told[] => {
    const invoice = invoices.get(payment.invoice_id)
    const payer = invoice && payers.get(invoice.id)
    return invoice && payer ? [{ payment, invoice, payer }] : []
  })
  const occasions = [...Map.groupBy(told, isTogether).values()].flatMap((all) => {
    if (!all.some(({ payment }) => eventOf.has(payment.id))) return []
    const [first] = all as [Told, ...Told[]]
    // Events of one receipt may come in two jobs: both name the same source, of which people are told once.
    const sourceId = all.length === 1 ? eventOf.get(first.payment.id) : undefined
    return [occasionOf(all as [Told, ...Told[]], sourceId ?? first.payment.id)]
  })
  return { occasions, next: null }
}
