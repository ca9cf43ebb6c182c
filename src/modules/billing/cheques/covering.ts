import type { ExpressionBuilder } from 'kysely'
import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { readSettings } from '#modules/settings/index.ts'
import type { Holder } from '../accounts/credit.ts'
import type { InvoiceRow } from '../invoices.ts'
import { addPart } from './rows.ts'

/** An invoice is covered while cheques that are held come to what is still to be paid of it. */

const heldParts = compiledByIds((whole, ids) =>
  whole
    .selectFrom('cheque_part')
    .innerJoin('cheque', 'cheque.id', 'cheque_part.cheque_id')
    .select(['cheque_part.invoice_id', 'cheque_part.cheque_id', 'cheque_part.amount_minor'])
    .where('cheque.status', '=', 'held')
    .where('cheque_part.invoice_id', 'in', ids)
    .orderBy('cheque_part.id'),
)

/** What cheques that are held are for, by the invoice. @param exceptId leaves a cheque out */
export const heldFor = async (
  whole: ScopedDb,
  invoiceIds: readonly string[],
  exceptId?: string,
): Promise<ReadonlyMap<string, number>> => {
  const held = new Map<string, number>()
  if (invoiceIds.length === 0) return held
  for (const row of await heldParts(whole, [...invoiceIds])) {
    if (row.cheque_id === exceptId) continue
    held.set(row.invoice_id, (held.get(row.invoice_id) ?? 0) + row.amount_minor)
  }
  return held
}

export const isCovered = async (whole: ScopedDb, invoice: InvoiceRow): Promise<boolean> =>
  ((await heldFor(whole, [invoice.id])).get(invoice.id) ?? 0) >= invoice.total_minor - invoice.paid_minor

/** The condition that an invoice is not covered. */
export const isUncovered = (eb: ExpressionBuilder<Tables, 'invoice'>) =>
  eb(
    eb('invoice.total_minor', '-', eb.ref('invoice.paid_minor')),
    '>',
    eb
      .selectFrom('cheque_part')
      .innerJoin('cheque', (join) =>
        join.onRef('cheque.tenant_id', '=', 'cheque_part.tenant_id').onRef('cheque.id', '=', 'cheque_part.cheque_id'),
      )
      .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('cheque_part.amount_minor'), lit(0)).as('held'))
      .whereRef('cheque_part.tenant_id', '=', 'invoice.tenant_id')
      .whereRef('cheque_part.invoice_id', '=', 'invoice.id')
      .where('cheque.status', '=', 'held'),
  )

interface Asked {
  guardianId: string | null
  studentId: string | null
  currency: Currency
}

const heldOf = (whole: ScopedDb, { currency }: Asked) =>
  whole
    .selectFrom('cheque')
    .select(['id', 'amount_minor'])
    .where('status', '=', 'held')
    .where('currency', '=', currency)
    .orderBy('due_on')
    .orderBy('id')

const ofGuardian = compiledInTenant((whole, asked: Asked) =>
  forNoKeyUpdate(whole, heldOf(whole, asked).where('guardian_id', '=', asked.guardianId)),
)
const ofStudent = compiledInTenant((whole, asked: Asked) =>
  forNoKeyUpdate(whole, heldOf(whole, asked).where('student_id', '=', asked.studentId)),
)

const partsOfCheques = compiledByIds((whole, ids) =>
  whole.selectFrom('cheque_part').select(['cheque_id', 'amount_minor']).where('cheque_id', 'in', ids).orderBy('id'),
)

/**
 * What its payer's cheques are not for yet covers an invoice that is issued now, those of the first day first, where the
 * institute applies what is paid ahead.
 */
export const coverAtIssue = async (
  tx: Tx,
  { id, currency }: Pick<InvoiceRow, 'id' | 'currency'>,
  { holder, owed }: { holder: Holder; owed: number },
): Promise<void> => {
  const asked = { ...holder, currency }
  const held = await (holder.guardianId === null ? ofStudent(tx.whole, asked) : ofGuardian(tx.whole, asked))
  if (held.length === 0 || !(await readSettings(tx.whole)).applyCredit) return
  const meant = Map.groupBy(
    await partsOfCheques(
      tx.whole,
      held.map((cheque) => cheque.id),
    ),
    (part) => part.cheque_id,
  )
  let left = owed
  for (const cheque of held) {
    const parts = meant.get(cheque.id) ?? []
    const amountMinor = Math.min(
      left,
      parts.reduce((free, part) => free - part.amount_minor, cheque.amount_minor),
    )
    if (amountMinor <= 0) continue
    await addPart(tx, { chequeId: cheque.id, invoiceId: id, amountMinor })
    left -= amountMinor
  }
}
