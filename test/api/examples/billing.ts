import type { Examples, World } from '#kit/examples.ts'
import { newFamily, newGuardian, newStudent, reachedStudent } from './people.ts'

const lines = [{ description: 'March', unitAmountMinor: 45_000 }]

/** A draft of 450.00 ILS. */
export const newInvoice = async (world: World, more: Record<string, unknown> = {}) =>
  (await world.owner.post('/invoices', { studentId: await newStudent(world), lines, dueDate: '2026-03-20', ...more }))
    .body

export const issuedInvoice = async (world: World, more: Record<string, unknown> = {}) =>
  (await world.owner.post(`/invoices/${(await newInvoice(world, more)).id}/issue`)).body

/** An issued invoice, of which mails reach the student. */
const reachedInvoice = async (world: World) => issuedInvoice(world, { studentId: await reachedStudent(world) })

/** An issued invoice that a guardian pays. */
const guardianInvoice = async (world: World) => issuedInvoice(world, { studentId: (await newFamily(world)).id })

/** Moves such an invoice to its student. @returns the id of the paper that this replaced */
export const replacedPaper = async ({ owner }: World, invoiceId: string): Promise<string> =>
  (await owner.post(`/invoices/${invoiceId}/payer`, { guardianId: null })).body.replaced[0].id

const payment = { amountMinor: 10_000, currency: 'ILS', method: 'cash' }

export const newPayment = async (world: World, more: Record<string, unknown> = {}) =>
  (await world.owner.post(`/invoices/${(await issuedInvoice(world, more)).id}/payments`, payment)).body

/** Two invoices of one student, and what a payer gives for both. */
export const newAllocations = async (world: World) => {
  const studentId = await newStudent(world)
  const invoices = [await issuedInvoice(world, { studentId }), await issuedInvoice(world, { studentId })]
  return {
    currency: 'ILS',
    method: 'cash',
    allocations: invoices.map(({ id: invoiceId }) => ({ invoiceId, amountMinor: 10_000 })),
  }
}

export const newReceipt = async (world: World) =>
  (await world.owner.post('/payments', await newAllocations(world))).body

/** A student who owes an invoice, and has paid 100.00 ILS ahead since. */
export const newCredit = async (world: World) => {
  const { studentId, id: invoiceId } = await issuedInvoice(world)
  const receipt = (await world.owner.post('/payments', { ...payment, paidBy: { studentId } })).body
  return { studentId, invoiceId, receipt }
}

const newCreditNote = async (world: World) =>
  (
    await world.owner.post(`/invoices/${(await issuedInvoice(world)).id}/credit-notes`, {
      amountMinor: 5000,
      reason: 'Came late',
    })
  ).body

const newRefund = async (world: World) => {
  const { studentId } = await newCredit(world)
  const refund = { studentId, amountMinor: 5000, method: 'cash', reason: 'Moves away' }
  return (await world.owner.post('/refunds', refund)).body
}

/** The till of the owner with 100.00 ILS in it, and nothing that lay there before. */
const newTill = async (world: World) => {
  const { lines: open, entries } = (await world.owner.get('/tills/today')).body
  if (entries > 0) await world.owner.post('/tills/close', { counted: countedOf(open) })
  await newPayment(world)
  return { counted: [{ method: 'cash', amountMinor: 9_500 }], note: 'Five are missing' }
}

type TillLine = { method: string; expected: { amountMinor: number; currency: string } }

/** All that was expected. */
export const countedOf = (open: readonly TillLine[]) => open.map(({ method, expected }) => ({ method, ...expected }))

export const newClose = async (world: World) => (await world.owner.post('/tills/close', await newTill(world))).body

const ofInvoice = (make: (world: World) => Promise<{ id: string }>, body?: unknown) => async (world: World) => ({
  params: { id: (await make(world)).id },
  ...(body !== undefined && { body }),
})

export const billingExamples: Examples = {
  'invoices.list': async () => ({ query: '?status=draft' }),
  'invoices.create': async (world) => ({ body: { studentId: await newStudent(world), lines, dueDate: '2026-03-20' } }),
  'invoices.read': ofInvoice(newInvoice),
  'invoices.pdf': ofInvoice(guardianInvoice),
  'invoices.update': ofInvoice(newInvoice, { notes: 'Sibling' }),
  'invoices.issue': ofInvoice(newInvoice),
  'invoices.void': ofInvoice(newInvoice, { reason: 'Entered twice' }),
  'invoices.move-payer': ofInvoice(guardianInvoice, { guardianId: null, reason: 'The student pays it' }),
  'invoices.remind': ofInvoice(reachedInvoice),
  'invoices.issue-many': async (world) => ({ body: { ids: [(await newInvoice(world)).id] } }),
  'invoices.remind-many': async (world) => ({ body: { ids: [(await reachedInvoice(world)).id] } }),
  'invoices.of-student': async (world) => ({ params: { id: await newStudent(world) } }),
  'invoices.statement': async (world) => ({ params: { id: await newStudent(world) } }),
  'invoices.statement-pdf': async (world) => ({ params: { id: await newStudent(world) } }),
  'payments.record': ofInvoice(issuedInvoice, payment),
  'payments.record-many': async (world) => ({ body: await newAllocations(world) }),
  'payments.reverse': ofInvoice(newPayment, { reason: 'Wrong family' }),
  'payments.list': async () => ({ query: '?method=cash' }),
  'payments.read': ofInvoice(newPayment),
  'receipts.sums': async () => ({ query: '?from=2026-03-01' }),
  'receipts.list': async () => ({ query: '?from=2026-03-01' }),
  'receipts.read': ofInvoice(newReceipt),
  'receipts.pdf': ofInvoice(newReceipt),
  'receipts.send': ofInvoice(async (world) => {
    const receipt = await newReceipt(world)
    await world.owner.patch(`/students/${receipt.studentIds[0]}`, { email: 'payer@example.org' })
    return receipt
  }),
  'receipts.reverse': ofInvoice(newReceipt, { reason: 'Wrong family' }),
  'accounts.of-guardian': async (world) => ({ params: { id: await newGuardian(world) } }),
  'accounts.of-student': async (world) => ({ params: { id: (await newCredit(world)).studentId } }),
  'accounts.entries-of-guardian': async (world) => ({ params: { id: await newGuardian(world) } }),
  'accounts.entries-of-student': async (world) => ({ params: { id: (await newCredit(world)).studentId } }),
  'accounts.of-guardian-pdf': async (world) => ({ params: { id: await newGuardian(world) } }),
  'accounts.of-student-pdf': async (world) => ({ params: { id: (await newCredit(world)).studentId } }),
  'credit-notes.pdf': ofInvoice(newCreditNote),
  'refunds.pdf': ofInvoice(newRefund),
  'accounts.apply': async (world) => ({ body: { studentId: (await newCredit(world)).studentId } }),
  'credit-notes.create': ofInvoice(issuedInvoice, { amountMinor: 5000, reason: 'Came late' }),
  'credit-notes.list': async (world) => ({ query: `?invoiceId=${(await issuedInvoice(world)).id}` }),
  'credit-notes.read': ofInvoice(newCreditNote),
  'refunds.create': async (world) => ({
    body: { studentId: (await newCredit(world)).studentId, amountMinor: 5000, method: 'cash', reason: 'Moves away' },
  }),
  'refunds.list': async (world) => ({ query: `?studentId=${(await newCredit(world)).studentId}` }),
  'refunds.read': ofInvoice(newRefund),
  'tills.today': async (world) => {
    await newPayment(world)
    return {}
  },
  'tills.entries': async (world) => ({ query: `?closeId=${(await newClose(world)).id}` }),
  'tills.close': async (world) => ({ body: await newTill(world) }),
  'tills.closes': async (world) => {
    await newClose(world)
    return {}
  },
  'tills.read-close': ofInvoice(newClose),
  'tills.pdf': ofInvoice(newClose),
  'billing.summary': async () => ({}),
}
