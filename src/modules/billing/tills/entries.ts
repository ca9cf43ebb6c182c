import { compiledInsert, compiledInTenant } from '#db/queries/compiled.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Row } from '#runtime/records/records.ts'

type EntryRow = Row<'till_entry'>

const insertEntries = compiledInsert((db: ScopedDb, rows: Omit<EntryRow, 'tenant_id'>[]) =>
  db.insertInto('till_entry').values(rows),
)

/** What comes into a till or leaves it, and of what it is. */
type Taken = Pick<EntryRow, 'branch_id' | 'method' | 'currency' | 'amount_minor'> &
  Partial<Pick<EntryRow, 'payment_id' | 'credit_entry_id' | 'refund_id' | 'cheque_id'>>

/** Puts what was taken, or with a minus given back, into the till of who does it. What the program does is in none. */
export const addAllToTill = async (tx: Tx, taken: readonly Taken[]): Promise<void> => {
  const userId = actingUserId(tx.actor)
  if (userId === null || taken.length === 0) return
  const rows = taken.map((one) => ({
    payment_id: null,
    credit_entry_id: null,
    refund_id: null,
    cheque_id: null,
    ...one,
    id: tx.id(),
    user_id: userId,
    close_id: null,
    created_at: tx.now,
  }))
  await insertEntries(tx.whole, rows)
}

export const addToTill = (tx: Tx, taken: Taken): Promise<void> => addAllToTill(tx, [taken])

type Cheque = Pick<Row<'cheque'>, 'id' | 'branch_id' | 'currency' | 'amount_minor'>

const ofCheque = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('till_entry').select('id').where('cheque_id', '=', id),
)

const paperOf = ({ id, ...cheque }: Cheque) => ({
  branch_id: cheque.branch_id,
  method: 'cheque' as const,
  currency: cheque.currency,
  cheque_id: id,
})

/** Puts a cheque of a later day into the till of who takes it: beside the sums, for nothing was paid yet. */
export const holdInTill = (tx: Tx, cheque: Cheque): Promise<void> =>
  addToTill(tx, { ...paperOf(cheque), amount_minor: cheque.amount_minor })

/** Takes a cheque that is given back before its day out of the till of who gives it. */
export const giveFromTill = async (tx: Tx, cheque: Cheque): Promise<void> => {
  if ((await ofCheque(tx.whole, { id: cheque.id })).length === 0) return
  await addToTill(tx, { ...paperOf(cheque), amount_minor: -cheque.amount_minor })
}

const ofPayment = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('till_entry').select('id').where('payment_id', '=', id),
)

/**
 * Whether money passes through the hands of who records it or takes it back. What comes over a provider of payments, or from
 * another program, does not, nor does a cheque that the bank sends back and that became a payment by itself.
 */
export const passesTill = async (
  { whole }: Tx,
  {
    provider,
    method,
    reverses_payment_id: reversesId,
  }: Pick<Row<'payment'>, 'provider' | 'method' | 'reverses_payment_id'>,
): Promise<boolean> =>
  provider === 'manual' &&
  (reversesId === null || method !== 'cheque' || (await ofPayment(whole, { id: reversesId })).length > 0)
