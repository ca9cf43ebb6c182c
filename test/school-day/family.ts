import type { Caller } from './caller.ts'
import { sum, type Find, type Row } from './findings.ts'

const OPEN = new Set(['issued', 'partially_paid', 'overdue'])

interface Family {
  guardian: Row
  children: Row[]
}

/** What the invoices and payments themselves say that a student owes. */
const owedBy = (student: Row, invoices: readonly Row[], payments: readonly Row[]): number => {
  const own = invoices.filter((invoice) => invoice.studentId === student.id && invoice.status !== 'draft')
  const ids = new Set(own.map((invoice) => invoice.id))
  const paid = payments.filter((payment) => ids.has(payment.invoiceId))
  return sum(own.map((invoice) => invoice.total.amountMinor)) - sum(paid.map((payment) => payment.amount.amountMinor))
}

/** Checks that statements, family summary and dashboard say what the invoices minus the payments say. */
export const checkFamily = async (caller: Caller, { guardian, children }: Family, find: Find): Promise<void> => {
  const invoices = await caller.all('/invoices')
  const payments = await caller.all('/payments')
  const owed = children.map((child) => owedBy(child, invoices, payments))
  const statements = await Promise.all(children.map((child) => caller.get(`/students/${child.id}/statement`)))
  const addsUp = statements.every(({ openingBalance, entries, closingBalance }: Row, index) => {
    const moved = sum(entries.map(({ debit, credit }: Row) => debit.amountMinor - credit.amountMinor))
    return (
      openingBalance.amountMinor + moved === closingBalance.amountMinor && closingBalance.amountMinor === owed[index]
    )
  })
  const kinds = new Set(statements.flatMap(({ entries }: Row) => entries.map(({ kind }: Row) => kind)))
  find(
    'a statement closes with what was invoiced minus what was paid',
    addsUp && ['invoice', 'payment', 'reversal'].every((kind) => kinds.has(kind)),
    `${statements.map(({ entries }: Row) => entries.length).join(' and ')} entries`,
  )

  const summary = await caller.get(`/guardians/${guardian.id}/family-summary`)
  const balances = children.map(
    (child) => summary.children.find(({ studentId }: Row) => studentId === child.id)?.balance.amountMinor,
  )
  const { balance, openInvoices } = summary.financial
  const open = sum(openInvoices.map((invoice: Row) => invoice.balance.amountMinor))
  // An invoice stays with whoever was the payer when it was issued.
  const ids = new Set(children.map(({ id }) => id))
  const unpaid = invoices.filter((invoice) => ids.has(invoice.studentId) && OPEN.has(invoice.status))
  const details = await Promise.all(unpaid.map(({ id }) => caller.get(`/invoices/${id}`)))
  const toPay = details.filter(({ payerGuardianId }: Row) => payerGuardianId === guardian.id)
  find(
    'the family summary says what the statements say',
    summary.children.length === children.length &&
      balances.every((amount, index) => amount === owed[index]) &&
      balance.amountMinor === sum(owed) &&
      open === sum(toPay.map((invoice: Row) => invoice.balance.amountMinor)),
    `${sum(owed)} minor units for ${children.length} children`,
  )

  const dashboard = await caller.get('/dashboard')
  const outstanding = sum(
    invoices
      .filter(({ status }) => OPEN.has(status))
      .map((invoice) => invoice.total.amountMinor - invoice.paid.amountMinor),
  )
  const active = (await caller.all('/students?status=active')).length
  find(
    'the dashboard says what the invoices say',
    dashboard.outstandingMinor === outstanding && dashboard.studentsActive === active && dashboard.overdueCount === 0,
    `${outstanding} outstanding, ${active} active students`,
  )
}
