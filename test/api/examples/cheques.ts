import type { Examples, World } from '#kit/examples.ts'
import { issuedInvoice } from './billing.ts'
import { newStudent } from './people.ts'

let last = 1000

/** A cheque of 100.00 ILS, whose number no other has. */
export const aCheque = (more: Record<string, unknown> = {}) => {
  last += 1
  return {
    bank: '12',
    branch: '345',
    account: '678901',
    number: String(last),
    amountMinor: 10_000,
    dueOn: '2026-03-02',
    ...more,
  }
}

/** Two invoices of one student, and two cheques that pay a part of each: one of today, and one of the next month. */
export const newCheques = async (world: World, dueOn = '2026-03-02') => {
  const studentId = await newStudent(world)
  const invoices = [await issuedInvoice(world, { studentId }), await issuedInvoice(world, { studentId })]
  return {
    currency: 'ILS',
    cheques: invoices.map(() => aCheque({ dueOn })),
    allocations: invoices.map(({ id: invoiceId }) => ({ invoiceId, amountMinor: 10_000 })),
  }
}

/** A cheque that is due. */
export const dueCheque = async (world: World): Promise<{ id: string }> =>
  (await world.owner.post('/cheques', await newCheques(world))).body.cheques[0]

export const heldCheque = async (world: World): Promise<{ id: string }> =>
  (await world.owner.post('/cheques', await newCheques(world, '2026-04-02'))).body.cheques[0]

export const newDeposit = async (world: World): Promise<{ id: string }> => {
  const { id } = await dueCheque(world)
  return (await world.owner.post('/cheques/deposits', { chequeIds: [id], bankAccount: '12-345-678901' })).body
}

const of = (make: (world: World) => Promise<{ id: string }>, body?: unknown) => async (world: World) => ({
  params: { id: (await make(world)).id },
  ...(body !== undefined && { body }),
})

export const chequeExamples: Examples = {
  'cheques.take': async (world) => ({ body: await newCheques(world, '2026-04-02') }),
  'cheques.list': async () => ({ query: '?status=held' }),
  'cheques.read': of(heldCheque),
  'cheques.bounce': of(dueCheque, { reason: 'No cover', feeMinor: 3000 }),
  'cheques.return': of(heldCheque, { reason: 'Pays by card' }),
  'cheques.clear': of(dueCheque),
  'cheques.replace': of(heldCheque, { method: 'cash' }),
  'cheques.deposit': async (world) => ({
    body: { chequeIds: [(await dueCheque(world)).id], bankAccount: '12-345-678901' },
  }),
  'cheques.deposits': async () => ({}),
  'cheques.read-deposit': of(newDeposit),
  'cheques.deposit-pdf': of(newDeposit),
}
