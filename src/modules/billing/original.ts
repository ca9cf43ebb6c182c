import { compiledInTenant } from '#db/queries/compiled.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { actingUserId, type Actor } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { found } from '#kernel/values/errors.ts'

/** How a receipt is marked. There is one original; what is handed out after it are copies. */
export type Edition = 'original' | 'copy'

/** Who gets the paper of a receipt: an account or an API key, or a message that carries it. */
export interface Taker {
  /** The id of any of them. */
  id: string
  /** Whoever issued the receipt may have a printer that jams; null: a message takes it. */
  actor: Actor | null
}

/** For so long the same taker, and whoever issued the receipt, get the original again. */
const AGAIN_SECONDS = 3600

const receiptById = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('receipt')
    .leftJoin('receipt_payment', 'receipt_payment.receipt_id', 'receipt.id')
    .leftJoin('payment', 'payment.id', 'receipt_payment.payment_id')
    .leftJoin('credit_entry', 'credit_entry.receipt_id', 'receipt.id')
    .select(['receipt.original_at', 'receipt.original_to', 'receipt.created_at', 'payment.received_by_user_id'])
    .select('credit_entry.by_user_id')
    .where('receipt.id', '=', id)
    .limit(1),
)

const take = compiledInTenant((whole, { id, at, to }: { id: string; at: string; to: string }) =>
  whole
    .updateTable('receipt')
    .set({ original_at: at, original_to: to })
    .where('id', '=', id)
    .where('original_at', 'is', null)
    .returning('id'),
)

/**
 * How the receipt is marked for this taker, as long as its original was not handed out to somebody else before; undefined:
 * it is still there to be taken. A message that is sent again says what it said at first, for as long as it is tried.
 * @throws NotFound
 */
export const editionNow = async (
  whole: ScopedDb,
  id: string,
  { taker: { id: takerId, actor }, now }: { taker: Taker; now: string },
): Promise<Edition | undefined> => {
  const row = found((await receiptById(whole, { id }))[0])
  const { original_at: takenAt, original_to: takenBy, created_at: issuedAt } = row
  const issuedBy = row.received_by_user_id ?? row.by_user_id
  if (takenAt === null) return undefined
  const isWithin = (start: string): boolean => now < plusSeconds(start, AGAIN_SECONDS)
  if (takenBy === takerId && (actor === null || isWithin(takenAt))) return 'original'
  const isIssuer = actor !== null && issuedBy !== null && actingUserId(actor) === issuedBy
  return isIssuer && isWithin(issuedAt) ? 'original' : 'copy'
}

/** Takes the original, unless another was faster: the database lets one have it. @throws NotFound */
export const takeOriginal = async (tx: Tx, id: string, taker: Taker): Promise<Edition> => {
  const { whole, now } = tx
  const taken = await take(whole, { id, at: now, to: taker.id })
  if (taken.length === 0) return (await editionNow(whole, id, { taker, now })) ?? 'copy'
  tx.audit({ entityType: 'receipt', entityId: id, metadata: { original: taker.id } })
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
