import type { InferOutput } from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, lockRow } from '#runtime/records/records.ts'
import { NotIssued, SamePayer } from './failures.ts'
import { invoiceRecord } from './invoices.ts'
import { readPayer } from './keep.ts'
import type { InvoiceDetail, InvoicePayer } from './schemas.ts'

/**
 * Moves an issued invoice to another payer, whom its paper then names. What it kept until now stays, for a copy that says
 * that it is replaced. Receipts that were made for it stay as they are.
 * @throws NotFound, NotIssued, SamePayer, VALIDATION_ERROR for who is no guardian of the student
 */
export const moveInvoice = async (
  tx: Tx,
  id: string,
  { guardianId, reason }: InferOutput<typeof InvoicePayer>,
): Promise<InvoiceDetail> => {
  const row = await lockRow(tx, invoiceRecord, id)
  if (row.status === 'draft' || row.status === 'void' || row.kept === null) throw NotIssued()
  if (guardianId !== null) {
    const link = await tx.whole
      .selectFrom('guardian_link')
      .select('sees_money')
      .where('guardian_id', '=', guardianId)
      .where('student_id', '=', row.student_id)
      .executeTakeFirst()
    if (!link) throw invalid(['guardianId'], 'Must be a guardian of the student.')
    if (!link.sees_money) throw invalid(['guardianId'], 'Must be a guardian who sees what is to be paid.')
  }
  if (guardianId === row.payer_guardian_id) throw SamePayer()
  await tx.whole
    .insertInto('replaced_invoice')
    .values({
      id: tx.id(),
      invoice_id: id,
      payer_guardian_id: row.payer_guardian_id,
      kept: row.kept,
      reason: reason ?? null,
      created_at: tx.now,
    })
    .execute()
  const payer = await readPayer(tx.whole, guardianId)
  const kept = { ...row.kept, locale: payer?.locale ?? tx.tenant.defaultLocale, payer: payer?.party ?? null }
  return changeRecord(
    tx,
    invoiceRecord,
    row,
    { payerGuardianId: guardianId, kept },
    reason === undefined ? {} : { metadata: { reason } },
  )
}
