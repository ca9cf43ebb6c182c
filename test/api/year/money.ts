import { expectedRun, paidOf, totalOf } from './bills.ts'
import type { Desk } from './desk.ts'
import { byId, type Bill, type Fee, type Line } from './facts.ts'
import { differences, sameRun, type RunReply } from './compare.ts'

/** What the office does with fees, invoices and payments. Each run is compared with what it has to come to. */

export const addFee = async (
  desk: Desk,
  { group: groupId, course: courseId, ...fee }: Omit<Fee, 'id'>,
): Promise<Fee> => {
  const { id } = await desk.ask('POST', '/fee-schedules', { ...fee, kind: 'per_group', groupId, courseId })
  const made = { ...fee, group: groupId, course: courseId, id }
  desk.school.fees.push(made)
  return made
}

export const changeAmount = async (desk: Desk, fee: Fee, amountMinor: number): Promise<void> => {
  await desk.ask('PATCH', `/fee-schedules/${fee.id}`, { amountMinor })
  fee.amountMinor = amountMinor
}

// oxlint-disable-next-line typescript/no-explicit-any -- as the program answers
const toBill = (row: any, run: Bill['run']): Bill => ({
  id: row.id,
  number: row.number,
  student: row.studentId,
  branch: row.branchId,
  currency: row.total.currency,
  state: 'draft',
  issueDate: row.issueDate,
  dueDate: row.dueDate,
  lines: row.lines.map(
    (line: {
      feeScheduleId: string
      enrollmentId: string | null
      description: string
      total: { amountMinor: number }
      siblingPlace: number | null
    }): Line => ({
      fee: line.feeScheduleId,
      enrollment: line.enrollmentId,
      description: line.description,
      amountMinor: line.total.amountMinor,
      place: line.siblingPlace,
    }),
  ),
  run,
  payments: [],
})

/**
 * Runs the fees of a month, at first as a rehearsal, and compares both with the second computation.
 * @returns the run, and what was found
 */
export const runFees = async (
  desk: Desk,
  month: string,
  branch?: string,
): Promise<{ id: string; bills: Bill[]; found: string[] }> => {
  const { school, today } = desk
  const expected = expectedRun(school, { month, today, branch })
  const body = { month, branchId: branch }
  const rehearsed: RunReply = await desk.ask('POST', '/billing/runs', { ...body, dryRun: true })
  const reply: RunReply = await desk.ask('POST', '/billing/runs', body)
  const bills = []
  for (const { id } of reply.invoices) {
    bills.push(toBill(await desk.ask('GET', `/invoices/${id}`), { id: reply.id, month }))
  }
  const found = [
    ...differences(`${today}: the run of ${month}`, sameRun(expected, { bills, skipped: reply.skipped })),
    ...differences(
      `${today}: the rehearsal of ${month}`,
      rehearsed.created === expected.bills.length && rehearsed.skipped.length === expected.skipped.size
        ? []
        : [`${rehearsed.created} invoices and ${rehearsed.skipped.length} skipped`],
    ),
    ...bills
      .filter((bill) => bill.issueDate !== today)
      .map(({ number, issueDate }) => `${today}: ${number} is issued on ${issueDate}`),
  ]
  school.bills.push(...bills)
  return { id: reply.id, bills, found }
}

export const voidRun = async (desk: Desk, run: string): Promise<void> => {
  await desk.ask('POST', `/billing/runs/${run}/void`, { reason: 'At a wrong price' })
  for (const bill of desk.school.bills.filter((one) => one.run?.id === run && one.state === 'draft'))
    bill.state = 'void'
}

export const voidBill = async (desk: Desk, bill: Bill): Promise<void> => {
  await desk.ask('POST', `/invoices/${bill.id}/void`, { reason: 'At a wrong price' })
  bill.state = 'void'
}

export const issue = async (desk: Desk, bills: readonly Bill[]): Promise<void> => {
  for (let at = 0; at < bills.length; at += 500) {
    await desk.ask('POST', '/invoices/issue', { ids: bills.slice(at, at + 500).map(({ id }) => id) })
  }
  for (const bill of bills) bill.state = 'issued'
}

/** Takes a line out of a draft that has several: the month can be run again for it. */
export const takeOut = async (desk: Desk, bill: Bill, line: Line): Promise<void> => {
  const left = bill.lines.filter((one) => one !== line)
  const lines = left.map(({ fee, enrollment, description, amountMinor, place }) => ({
    description,
    unitAmountMinor: amountMinor,
    feeScheduleId: fee,
    enrollmentId: enrollment ?? undefined,
    siblingPlace: place,
  }))
  await desk.ask('PATCH', `/invoices/${bill.id}`, { lines })
  bill.lines = left
}

export const invoiceByHand = async (desk: Desk, student: string, fee: Fee): Promise<Bill> => {
  const lines = [{ description: fee.name, unitAmountMinor: fee.amountMinor, feeScheduleId: fee.id }]
  const row = await desk.ask('POST', '/invoices', { studentId: student, lines, currency: fee.currency })
  const bill = toBill(row, null)
  desk.school.bills.push(bill)
  return bill
}

export const balanceOf = (bill: Bill): number => (bill.state === 'issued' ? totalOf(bill) - paidOf(bill) : 0)

export const pay = async (desk: Desk, bill: Bill, amountMinor: number): Promise<void> => {
  const body = { amountMinor, currency: bill.currency, method: 'cash' }
  const { id } = await desk.ask('POST', `/invoices/${bill.id}/payments`, body)
  bill.payments.push({ id, amountMinor, isReversed: false })
}

/** What a payer brings for several children at once, with one receipt. */
export const payTogether = async (desk: Desk, bills: readonly Bill[]): Promise<void> => {
  const allocations = bills.map((bill) => ({ invoiceId: bill.id, amountMinor: balanceOf(bill) }))
  const currency = bills[0]?.currency
  const receipt = await desk.ask('POST', '/payments', { allocations, currency, method: 'bank_transfer' })
  for (const payment of receipt.payments) {
    const { id, invoiceId, amount } = payment
    byId(bills, invoiceId).payments.push({ id, amountMinor: amount.amountMinor, isReversed: false })
  }
}

export const reverse = async (desk: Desk, bill: Bill): Promise<void> => {
  const payment = bill.payments.find(({ isReversed }) => !isReversed)
  if (!payment) return
  await desk.ask('POST', `/payments/${payment.id}/reverse`, { reason: 'The bank took it back' })
  payment.isReversed = true
}
