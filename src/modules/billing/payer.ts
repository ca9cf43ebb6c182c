import type { InferOutput } from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, lockRow } from '#runtime/records/records.ts'
import { NotIssued } from './failures.ts'
import { invoiceRecord } from './invoices.ts'
import { readPayer } from './keep.ts'
import type { InvoiceDetail, InvoicePayer } from './schemas.ts'

/**
 * Moves an issued invoice to another payer, as whom its paper then names. Receipts that were made for it stay as they are.
 * @throws NotFound, NotIssued, VALIDATION_ERROR for who is no guardian of the student
 */
export const moveInvoice = async (
  tx: Tx,
  id: string,
  { guardianId, reason }: InferOutput<typeof InvoicePayer>,
): Promise<InvoiceDetail> => {
  const row = await lockRow(tx, invoiceRecord, id)
  if (row.status === 'draft' || row.status === 'void' || row.kept === null) throw NotIssued()
  if (guardianId !== null) {
    const link = tx.whole.selectFrom('guardian_link').select('id').where('guardian_id', '=', guardianId)
    const isLinked = await link.where('student_id', '=', row.student_id).executeTakeFirst()
    if (!isLinked) throw invalid(['guardianId'], 'Must be a guardian of the student.')
  }
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
