import { sql } from 'kysely'
import type { AnyDb, Migration } from '#db/schema-kit.ts'
import { searchedText } from '#shared/names.ts'

/**
 * The names that each payment of a receipt stands for: a search under a role for one branch looks only at those of the
 * payments that it shows.
 */
export const receiptNames: Migration = {
  async up(db, kit) {
    await db.schema
      .alterTable('receipt_payment')
      .addColumn('search_text', kit.text, (c) => c.notNull().defaultTo(''))
      .execute()
    // Most receipts are of one student, whose names are the receipt's.
    await sql`update receipt_payment set search_text = (
      select receipt.search_text from receipt
      where receipt.tenant_id = receipt_payment.tenant_id and receipt.id = receipt_payment.receipt_id
    )`.execute(db)
    let after = ''
    for (;;) {
      const payments = await paymentsOfSeveralAfter(db, after)
      if (payments.length === 0) return
      for (const {
        payment_id: paymentId,
        tenant_id: tenantId,
        student_id: studentId,
        students,
        payer_name,
      } of payments) {
        const named = (typeof students === 'string' ? JSON.parse(students) : students) as Named[]
        const own = named.filter(({ id }) => id === studentId).map(({ fullName }) => fullName)
        await db
          .updateTable('receipt_payment')
          .set({ search_text: searchedText([...own, payer_name ?? ''].join(' ')) })
          .where('tenant_id', '=', tenantId)
          .where('payment_id', '=', paymentId)
          .execute()
      }
      after = payments.at(-1)?.payment_id as string
    }
  },
}

interface Named {
  id: string
  fullName: string
}

const BATCH = 500

/** The payments on receipts of several students, each with its own student. */
const paymentsOfSeveralAfter = (db: AnyDb, after: string) =>
  db
    .selectFrom('receipt_payment')
    .innerJoin('receipt', (join) =>
      join
        .onRef('receipt.tenant_id', '=', 'receipt_payment.tenant_id')
        .onRef('receipt.id', '=', 'receipt_payment.receipt_id'),
    )
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.tenant_id', '=', 'receipt_payment.tenant_id')
        .onRef('invoice.id', '=', 'receipt_payment.invoice_id'),
    )
    .select(['receipt_payment.payment_id', 'receipt_payment.tenant_id', 'invoice.student_id'])
    .select(['receipt.students', 'receipt.payer_name'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('receipt_payment as other')
          .innerJoin('invoice as others', (join) =>
            join.onRef('others.tenant_id', '=', 'other.tenant_id').onRef('others.id', '=', 'other.invoice_id'),
          )
          .select('other.payment_id')
          .whereRef('other.tenant_id', '=', 'receipt_payment.tenant_id')
          .whereRef('other.receipt_id', '=', 'receipt_payment.receipt_id')
          .whereRef('others.student_id', '!=', 'invoice.student_id'),
      ),
    )
    .$if(after !== '', (query) => query.where('receipt_payment.payment_id', '>', after))
    .orderBy('receipt_payment.payment_id')
    .limit(BATCH)
    .execute()
