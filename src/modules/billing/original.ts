import { compiledInTenant } from '#db/queries/compiled.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { actingUserId, type Actor } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { found } from '#kernel/values/errors.ts'

/** How the paper of a receipt, a credit note or a refund is marked. There is one original; what is handed out after it are copies. */
export type Edition = 'original' | 'copy'

/** Who gets such a paper: an account or an API key, or a message that carries it. */
export interface Taker {
  /** The id of any of them. */
  id: string
  /** Whoever issued it may have a printer that jams; null: a message takes it. */
  actor: Actor | null
}

/** For so long the same taker, and whoever issued it, get the original again. */
const AGAIN_SECONDS = 3600

/** A paper of which there is one original. */
export interface OfPaper {
  kind: 'receipt' | 'credit_note' | 'refund'
  id: string
}

const receiptById = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('receipt')
    .leftJoin('receipt_payment', 'receipt_payment.receipt_id', 'receipt.id')
    .leftJoin('payment', 'payment.id', 'receipt_payment.payment_id')
    .leftJoin('credit_entry', 'credit_entry.receipt_id', 'receipt.id')
    .select(['receipt.original_at', 'receipt.original_to', 'receipt.created_at', 'payment.received_by_user_id'])
    .leftJoin('cheque', 'cheque.receipt_id', 'receipt.id')
    .select(['credit_entry.by_user_id', 'cheque.by_user_id as cheque_by_user_id'])
    .where('receipt.id', '=', id)
    .limit(1),
)

const noteById = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('credit_note')
    .leftJoin('paper_original', 'paper_original.credit_note_id', 'credit_note.id')
    .select(['paper_original.taken_at', 'paper_original.taken_by', 'credit_note.created_at', 'credit_note.by_user_id'])
    .where('credit_note.id', '=', id),
)

const refundById = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('refund')
    .leftJoin('paper_original', 'paper_original.refund_id', 'refund.id')
    .select(['paper_original.taken_at', 'paper_original.taken_by', 'refund.created_at', 'refund.by_user_id'])
    .where('refund.id', '=', id),
)

/** Who has the original since when, and who issued the paper. @throws NotFound */
const standingOf = async (whole: ScopedDb, { kind, id }: OfPaper) => {
  if (kind !== 'receipt') return found((await (kind === 'refund' ? refundById : noteById)(whole, { id }))[0])
  const row = found((await receiptById(whole, { id }))[0])
  return {
    taken_at: row.original_at,
    taken_by: row.original_to,
    created_at: row.created_at,
    by_user_id: row.cheque_by_user_id ?? row.received_by_user_id ?? row.by_user_id,
  }
}

const takeOfReceipt = compiledInTenant((whole, { id, at, to }: { id: string; at: string; to: string }) =>
  whole
    .updateTable('receipt')
    .set({ original_at: at, original_to: to })
    .where('id', '=', id)
    .where('original_at', 'is', null)
    .returning('id'),
)

/** Notes and refunds are never changed: who has the original stands beside them, once. */
const takeBeside = ({ whole, now, id: newId }: Tx, { kind, id }: OfPaper, to: string) =>
  whole
    .insertInto('paper_original')
    .values({
      id: newId(),
      credit_note_id: kind === 'credit_note' ? id : null,
      refund_id: kind === 'refund' ? id : null,
      taken_at: now,
      taken_by: to,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()

/**
 * How the paper is marked for this taker, as long as its original was not handed out to somebody else before; undefined:
 * it is still there to be taken. A message that is sent again says what it said at first, for as long as it is tried.
 * @throws NotFound
 */
export const editionNow = async (
  whole: ScopedDb,
  of: OfPaper,
  { taker: { id: takerId, actor }, now }: { taker: Taker; now: string },
): Promise<Edition | undefined> => {
  const {
    taken_at: takenAt,
    taken_by: takenBy,
    created_at: issuedAt,
    by_user_id: issuedBy,
  } = await standingOf(whole, of)
  if (takenAt === null) return undefined
  const isWithin = (start: string): boolean => now < plusSeconds(start, AGAIN_SECONDS)
  if (takenBy === takerId && (actor === null || isWithin(takenAt))) return 'original'
  const isIssuer = actor !== null && issuedBy !== null && actingUserId(actor) === issuedBy
  return isIssuer && isWithin(issuedAt) ? 'original' : 'copy'
}

/** Takes the original, unless another was faster: the database lets one have it. @throws NotFound */
export const takeOriginal = async (tx: Tx, of: OfPaper, taker: Taker): Promise<Edition> => {
  const { whole, now } = tx
  const taken = await (of.kind === 'receipt'
    ? takeOfReceipt(whole, { id: of.id, at: now, to: taker.id })
    : takeBeside(tx, of, taker.id))
  if (taken.length === 0) return (await editionNow(whole, of, { taker, now })) ?? 'copy'
  tx.audit({ entityType: of.kind, entityId: of.id, metadata: { original: taker.id } })
  return 'original'
}

/** The message that took the original of the receipt that it is about was not delivered: it is there again. */
export const giveOriginalBack = async (
  { whole }: Tx,
  takerId: string,
  { receiptId, paymentId }: Readonly<Record<string, string>>,
): Promise<void> => {
  if (receiptId === undefined && paymentId === undefined) return
  const back = whole.updateTable('receipt').set({ original_at: null, original_to: null })
  const ofReceipt =
    receiptId !== undefined
      ? back.where('id', '=', receiptId)
      : back.where('id', 'in', (eb) =>
          eb
            .selectFrom('receipt_payment')
            .select('receipt_id')
            .where('payment_id', '=', paymentId as string),
        )
  await ofReceipt.where('original_to', '=', takerId).execute()
}
